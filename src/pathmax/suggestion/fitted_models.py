"""What was learnt of one outcome: the parameters of its model, and the model itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from pathmax import gp
from pathmax.arrays import Index
from pathmax.suggestion.settings import RefitEvery
from pathmax.trials.history import Observations
from pathmax.trials.value_transform import ValueTransform

Posterior: TypeAlias = "gp.GaussianProcess | gp.GridPosterior"

SURPRISING = 2.0  # standard deviations: one result in twenty, if the model is right
FEWEST_LEVEL, LEVEL_EACH = 20, 5  # results, in all and for each number: enough without a bowl
# A variance, where that of the results is 1. Where they say nothing of noise it stays where it is
# expected, at 1.2e-4 (`gp.priors`): to be noisy they have to show it.
NOISY = 2e-4
OUTDATED = 8.0  # a new value this many standard deviations off shows that the scale is outdated


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """What was learnt from the first `n` observations; in the units of `transform`.

    borrowed: the weight of each older study that the process borrows from, by name.
    """

    kernel: gp.Kernel
    noise: float
    mean: float
    transform: ValueTransform
    n: int
    bowl: gp.Bowl | None = None
    borrowed: Mapping[str, float] = field(default_factory=dict)

    @property
    def borrows(self) -> bool:
        """Whether older results tell something."""
        return any(self.borrowed.values())

    def is_outdated_by(self, observed: Observations) -> bool:
        """Whether a value that came since is so far off that all the others look different."""
        new = self.transform.inward(observed.values[self.n :])
        return bool(np.abs(new).max(initial=0.0) > OUTDATED)

    @property
    def outgrows_its_bowl(self) -> bool:
        """Whether results are enough to do without a bowl, and too noisy to overrule it.

        Exact ones overrule it by themselves. Under noise a prior mean has a say between them as
        long as a study lasts, and an optimum at an edge is found late: without it the regret on the
        reaction of `make demo` is two thirds after 40 experiments (benchmarks/surrogate.md).
        """
        if self.bowl is None:
            return False
        enough = max(FEWEST_LEVEL, LEVEL_EACH * len(self.bowl.on))
        return self.n >= enough and self.noise > NOISY

    @property
    def prior(self) -> gp.GaussianProcess:
        """The process before any data, and without what it borrows."""
        return gp.GaussianProcess(self.kernel, self.noise, self.mean, bowl=self.bowl)

    def to_json(self) -> dict[str, Any]:
        """As it is stored with a suggestion, for this outcome."""
        return {
            "kernel": self.kernel.to_json(),
            "noise": self.noise,
            "prior_mean": self.mean,
            "bowl": None if self.bowl is None else self.bowl.to_json(),
            "transform": self.transform.to_json(),
            "fitted_on": self.n,
            **({"borrowed": dict(self.borrowed)} if self.borrowed else {}),
        }

    @classmethod
    def from_json(cls, model: Mapping[str, Any]) -> Fit:
        return cls(
            gp.from_json(model["kernel"]),
            float(model["noise"]),
            float(model["prior_mean"]),
            ValueTransform.from_json(model["transform"]),
            int(model["fitted_on"]),
            gp.Bowl.from_json(bowl) if (bowl := model.get("bowl")) else None,
            {str(name): float(weight) for name, weight in model.get("borrowed", {}).items()},
        )


@dataclass(frozen=True, slots=True, eq=False)
class Surrogate:
    """The posterior of one outcome, in y, and the `transform` from y to the user's units."""

    posterior: Posterior
    fit: Fit
    observed: Observations
    steps: Mapping[int, Posterior] = field(default_factory=dict, repr=False)

    @property
    def model(self) -> gp.GaussianProcess:
        return self.posterior.process

    @property
    def transform(self) -> ValueTransform:
        return self.fit.transform

    @property
    def is_surprising(self) -> bool:
        """Whether a result that came since the fit is improbable, given those before it.

        L^{-1} (y - mean) are deviations from what was expected, each of standard deviation 1.
        """
        from pathmax.gp import linalg  # whoever only reads a study does without

        new, model = self.observed.n - self.fit.n, self.model
        if not 0 < new < model.n:
            return False
        deviations = linalg.solve_lower(model.cholesky, model.residual[:, None])
        return bool(np.abs(deviations[-new:]).max() > SURPRISING)

    @property
    def left_out(self) -> int:
        """How many observations the model does without, since there are too many."""
        return self.observed.n - self.model.n

    @property
    def rows(self) -> Index:  # (model.n,)
        """The observations that the model holds: they are in order, whichever are left out."""
        if not self.left_out:
            return np.arange(self.observed.n)
        y = self.transform.inward(self.observed.values)
        rows, i = [], 0
        for x, value in zip(self.model.X, self.model.y, strict=True):
            while y[i] != value or not np.array_equal(self.observed.X[i], x):
                i += 1
            rows.append(i)
            i += 1
        return np.array(rows, dtype=np.intp)


def reusable(
    kept: Surrogate | None, fit: Fit, observed: Observations, stops: list[int]
) -> dict[int, Posterior]:
    """The steps of an earlier call that are steps of this one too, since nothing changed."""
    if kept is None or (kept.fit is not fit and kept.fit.to_json() != fit.to_json()):
        return {}
    return {
        stop: posterior
        for stop, posterior in kept.steps.items()
        if stop in stops and same(kept.observed, observed, stop)
    }


def same(one: Observations, other: Observations, n: int | None = None) -> bool:
    """Whether the first n observations (all, when None) are the same."""
    if n is None:
        if one.n != other.n:
            return False
        n = one.n
    return (
        np.array_equal(one.X[:n], other.X[:n])
        and np.array_equal(one.values[:n], other.values[:n])
        and np.array_equal(one.noises[:n], other.noises[:n], equal_nan=True)
    )


def doubts(last: Fit, observed: Observations) -> bool:
    """Whether a fit that starts from the last one looks for another explanation of the data."""
    from pathmax.gp.parameter_posterior import is_doubted  # not to read a study

    return is_doubted(last.n, observed.n) or last.is_outdated_by(observed)


def schedule(refit_every: RefitEvery, n: int) -> int:
    """How many new observations call for learning again, when the last time there were n.

    "auto" is every trial up to n = 40 and then every n/20, since parameters move by less and less
    while learning costs n^3; a surprising result calls for it too (benchmarks/choices.md).
    """
    return refit_every if isinstance(refit_every, int) else max(1, n // 20)


def kind(kernel: gp.Kernel) -> dict[str, Any]:
    """A kernel's form without its numbers."""
    return kernel.with_theta(np.zeros_like(kernel.theta)).to_json()
