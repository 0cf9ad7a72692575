"""Lenders: the models of older results that the model of a study borrows from.

Each is learnt from its own results alone, in its own standard units, once in a process. How much
of it is borrowed is learnt with every fit of the study's own model (`gp.borrowing_fit`).

    n = 0      values are expected to be like those of the lender with most results
    n < 5      standard units lie between those of the lenders and those of the few own values
    n >= 5     standard units are those of the own values, as without lenders

A power that makes few values look normal may bend them away from a lender that they follow. From
5 to 20 results values are taken as they are or bent, whichever explains them better; a study that
borrows nothing bends them as it would without lenders.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from pathmax import gp
from pathmax.arrays import Array
from pathmax.gp.borrowed import Lender, Loan, borrowing
from pathmax.gp.borrowing_fit import BorrowingFit
from pathmax.suggestion.fitted_models import Fit
from pathmax.trials.history import Observations
from pathmax.trials.value_transform import SMALLEST_NUMBER, ValueTransform, constant, standardise

FEW_VALUES = 5  # results: a spread of fewer says little
COUNTS_AS = 2.0  # results: what the spread of the lenders' values counts as
ENOUGH_VALUES = 20  # results: of so many the power is taken as it is found


@final
@dataclass(frozen=True, eq=False)
class NamedLender:
    """The model of an older study's results of one outcome."""

    name: str
    lender: Lender
    transform: ValueTransform

    @property
    def n(self) -> int:
        """How many results it has."""
        return self.lender.process.n

    @property
    def scale(self) -> float:
        """Its standard unit, in the user's units."""
        return self.transform.scale


def own_transform(
    sign: float, values: Array, lenders: Sequence[NamedLender], *, warp: bool
) -> ValueTransform:  # (n,)
    """The way into standard units where older results are known."""
    first = max(lenders, key=lambda one: one.n)
    if not len(values):
        return first.transform
    if len(values) >= FEW_VALUES:
        return standardise(sign, values, warp=warp)
    plain = standardise(sign, values, warp=False)
    if constant(values):
        return replace(plain, scale=first.scale)
    n = len(values) - 1
    known = max(first.scale, SMALLEST_NUMBER)
    log_scale = (COUNTS_AS * math.log(known) + n * math.log(plain.scale)) / (COUNTS_AS + n)
    # of values that vary more than those of the lender the unit is their own: else their mere size
    # would speak for a loan, which makes the process wider
    return replace(plain, scale=max(math.exp(log_scale), plain.scale))


def log_slopes(transform: ValueTransform, values: Array) -> float:  # (n,)
    """The logarithm of what a density of standard units is multiplied by in the user's units."""
    return 0.5 * float(np.log(transform.variance_inward(np.ones(len(values)), values)).sum())


def expected_slopes(lenders: Sequence[NamedLender], transform: ValueTransform) -> list[float]:
    """The weight of each lender if its values and the own ones are in the same unit."""
    ratios = [one.scale / max(transform.scale, SMALLEST_NUMBER) for one in lenders]
    return [float(np.clip(ratio, 1e-3, 1e3)) for ratio in ratios]


@final
@dataclass(frozen=True, eq=False)
class Borrower:
    """Learns the model of one outcome where older results are known."""

    sign: float
    kernel: gp.Kernel  # the kind of that of the own part
    bowl_on: tuple[int, ...]
    lenders: tuple[NamedLender, ...]

    def learn(
        self,
        observed: Observations,
        noises: Array,
        last: Fit | None,
        priors: gp.Priors,
        *,
        warp: bool,
    ) -> Fit:
        """What the results say, and how much of the older ones counts. noises: in user units."""
        bent = own_transform(self.sign, observed.values, self.lenders, warp=warp)
        straight = own_transform(self.sign, observed.values, self.lenders, warp=False)
        few = FEW_VALUES <= observed.n < ENOUGH_VALUES
        warm = None if last is None else last.prior
        found = []
        for transform in (straight, bent) if few and bent != straight else (bent,):
            task = self._task(observed, noises, transform, priors)
            learnt = task.learn(expected_slopes(self.lenders, transform), warm)
            found.append((learnt.score + log_slopes(transform, observed.values), learnt, transform))
        _, learnt, transform = max(found, key=lambda one: one[0])
        process, weights = learnt.process, learnt.weights
        return Fit(
            gp.from_json(process.kernel.to_json()),  # as the next one reads it
            float(process.noise),
            float(process.mean),
            transform,
            observed.n,
            process.bowl,
            {one.name: weight for one, weight in zip(self.lenders, weights, strict=True)},
        )

    def plausible(
        self,
        fit: Fit,
        observed: Observations,
        noises: Array,
        n: int,
        rng: np.random.Generator,
        priors: gp.Priors,
    ) -> list[gp.GaussianProcess]:
        """n own processes that explain the results as well, with the same weights."""
        weights = [fit.borrowed[one.name] for one in self.lenders]
        task = self._task(observed, noises, fit.transform, priors)
        return task.draw(weights, fit.prior, n, rng)

    def prior(self, fit: Fit) -> gp.GaussianProcess:
        """The process before any data of its own, with what it borrows."""
        loans = [Loan(fit.borrowed.get(one.name, 0.0), one.lender) for one in self.lenders]
        return borrowing(fit.prior, loans)

    def _task(
        self, observed: Observations, noises: Array, transform: ValueTransform, priors: gp.Priors
    ) -> BorrowingFit:
        """What is learnt from: results in standard units, and the lenders."""
        return BorrowingFit(
            self.kernel,
            observed.X,
            transform.inward(observed.values),
            transform.variance_inward(noises, observed.values),
            tuple(one.lender for one in self.lenders),
            priors,
            self.bowl_on,
        )
