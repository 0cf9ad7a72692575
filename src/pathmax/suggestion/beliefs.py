"""Beliefs: what a study reports is a mixture over the parameters that its results leave open.

    p(f | results) = sum_k weight_k p(f | results, parameters_k)

A belief is a landscape with its weight: the models of all outcomes under one plausible choice of
length scales, noise, output scale and prior mean. Whether values are bent is no more certain: the
power that makes results look normal makes suggestions better, but it also claims that nothing is
known of bad values, and too much of good ones. With one objective half of the beliefs take values
as they are, which halves the error of predictions (CRPS) at 40 results (benchmarks/calibration.md).

Whatever is said to people goes through a list of beliefs, whether means and deviations,
probabilities or sample paths. A suggestion does not: it comes from the most probable parameters
alone, since drawing them makes suggestions worse (benchmarks/surrogate.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pathmax.arrays import Array
from pathmax.gp.mixture import ProcessMixture, mix
from pathmax.gp.predictions import Prediction
from pathmax.suggestion.fitted_models import same
from pathmax.suggestion.landscape import Landscape
from pathmax.suggestion.problem import Surrogates
from pathmax.trials.value_transform import ValueTransform

# Draws of the parameters. Eight cover 1 % less than sixteen (benchmarks/calibration.md)
DRAWN = 16


class Belief(NamedTuple):
    """A landscape that the results allow, and how probable it is; weights sum to 1."""

    weight: float
    landscape: Landscape


@dataclass(frozen=True, slots=True, eq=False)
class Plausible:
    """The surrogates drawn for the `most_probable` ones: what is kept from one report to the next.

    Those of different outcomes are paired at random: outcomes are independent.
    """

    most_probable: Surrogates
    drawn: Sequence[Surrogates]

    @staticmethod
    def of(landscape: Landscape, kept: Plausible | None = None) -> Plausible:
        """Drawn anew, unless those that were kept are of the same results."""
        found = landscape.surrogates
        if kept is not None and same_surrogates(kept.most_probable, found):
            return kept
        problem, n = landscape.problem, landscape.history.n
        drawn = {}
        for i, (name, surrogate) in enumerate(found.items()):
            rng = np.random.default_rng([problem.settings.seed, n, i, 4])
            modeller = problem.modeller(problem.goals.named(name))
            # joint paths of several outcomes are compared in the units of the most probable models
            straight = DRAWN // 2 if problem.goals.is_single else 0
            several = modeller.plausible(surrogate, DRAWN, rng, straight=straight)
            drawn[name] = [several[k] for k in rng.permutation(DRAWN)]
        return Plausible(found, [{name: drawn[name][k] for name in drawn} for k in range(DRAWN)])

    def beliefs(self, landscape: Landscape) -> tuple[Belief, ...]:
        """The landscape under each of the draws; one draw if they are all the same."""
        drawn = self.drawn
        if all(one[name] is drawn[0][name] for one in drawn for name in one):
            return (Belief(1.0, landscape),)
        problem, history = landscape.problem, landscape.history
        return tuple(Belief(1.0 / len(drawn), Landscape(problem, history, one)) for one in drawn)


def same_surrogates(one: Surrogates, other: Surrogates) -> bool:
    """Whether two sets of surrogates are of the same results and have the same parameters."""
    return one.keys() == other.keys() and all(
        mine.fit.to_json() == other[name].fit.to_json()
        and same(mine.observed, other[name].observed)
        for name, mine in one.items()
    )


def mixture(beliefs: Iterable[Belief], outcome: str) -> ProcessMixture:
    """The posterior of one outcome under all of them, where they share its transform."""
    return ProcessMixture([(weight, seen.told(outcome)) for weight, seen in beliefs])


def forecast(
    beliefs: Iterable[Belief], outcome: str, U: Array, units: ValueTransform
) -> Prediction:  # (m, d) -> (m,), (m,)
    """Mean and std of one outcome under all of them, in the units of a transform."""
    return mix(
        (
            belief.weight,
            units.convert(seen.surrogates[outcome].transform, *seen.told(outcome).predict(U)),
        )
        for belief in beliefs
        for seen in (belief.landscape,)
    )
