"""Is the model any good? Each result predicted from all the others, in closed form.

    check = study.cross_validate()
    print(check)                                   one sentence
    check.measured, check.mean, check.std          each result and what was expected of it

With Q = (K + noise)^{-1} and r = y - prior mean, leaving out row i of n changes nothing else than
(Rasmussen and Williams, 2006, section 5.4.2)

    mean_i = y_i - (Q r)_i / Q_ii,     variance_i = 1 / Q_ii  (of the result, noise included)

so that n models cost as much as one. What is learnt from the results beside f, the value transform
and the beliefs about kernel and noise (`suggestion.beliefs`), stays that of all results.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pathmax.analysis.predictions import outcome_of
from pathmax.arguments import real_number
from pathmax.arrays import Array
from pathmax.errors import TrialError
from pathmax.gp import GaussianProcess, linalg
from pathmax.gp.blas_threads import while_small
from pathmax.gp.mixture import mix
from pathmax.session.session import Session
from pathmax.trials import html

COVERAGE = 0.95
Z_SURE = 1.959963984540054  # standard deviations on either side that hold 95 %
FEWEST_RESULTS = 5  # results: of fewer nobody can say whether a model fits
DOUBT = 0.025  # a share inside the intervals that is less probable than this is no coincidence
GOOD, POOR = 0.7, 0.1  # of the variance that is predicted: words change here


@dataclass(frozen=True, eq=False)
class CrossValidation:
    """Each result beside what a model of all the others expects.

    outcome   which outcome is meant
    trials    (n,) the numbers of the trials
    measured  (n,) the results, in your units
    mean      (n,) what was expected of them
    std       (n,) standard deviations of the results, noise included
    low, high (n,) bounds that should hold 95 % of the results
    z         (n,) how many standard deviations a result is better than expected, where the model
              works: after values were bent towards a normal shape
    total     how many results there are; more than n where the model has only some of them
    """

    outcome: str
    trials: tuple[int, ...] = field(repr=False)
    measured: Array = field(repr=False)
    mean: Array = field(repr=False)
    std: Array = field(repr=False)
    low: Array = field(repr=False)
    high: Array = field(repr=False)
    z: Array = field(repr=False)
    total: int = 0

    def __len__(self) -> int:
        return len(self.trials)

    def inside(self, probability: float = COVERAGE) -> float:
        """The share of results within intervals that should hold this share of them."""
        wanted = real_number(
            "probability", probability, "a number from 0 to 1", lambda p: 0.0 <= p <= 1.0
        )
        from scipy.special import ndtri  # takes 60 ms, which looking at trials does without

        return float(np.mean(np.abs(self.z) <= ndtri(0.5 + 0.5 * wanted)))

    @property
    def explained(self) -> float:
        """The share of the variance that is predicted: 1 at best, 0 for the mean of the others.

        The mean of all other results is what somebody without a model would predict.
        """
        if len(self) < 2:
            return math.nan
        largest = float(np.abs(self.measured).max()) or 1.0
        y, mean = self.measured / largest, self.mean / largest
        others = (y.sum() - y) / (len(y) - 1)
        missed, spread = float(((y - mean) ** 2).sum()), float(((y - others) ** 2).sum())
        return 1.0 - missed / spread if spread > 0.0 else math.nan

    @property
    def typical_error(self) -> float:
        """The median of the distance between a result and what was expected, in your units."""
        return float(np.median(np.abs(self.measured - self.mean)))

    @property
    def verdict(self) -> str:
        """ "narrow", "wide" or "right": the intervals; or "unknown", with fewer than 5 results.

        Intervals are narrow when it is improbable that so few results are within those of 50 % or
        of 95 %, and wide when that so many are within those of 50 %, and enough in those of 95 %.
        """
        from scipy.special import bdtr

        n = len(self)
        if n < FEWEST_RESULTS:
            return "unknown"
        half = self._count(0.5)
        if self._few(COVERAGE) or self._few(0.5):
            return "narrow"
        many = half and 1.0 - bdtr(half - 1, n, 0.5) < DOUBT
        return "wide" if many and self.inside() >= COVERAGE else "right"

    def _count(self, probability: float) -> int:
        return round(len(self) * self.inside(probability))

    def _few(self, probability: float) -> bool:
        """Whether it is improbable that so few results are within such intervals."""
        from scipy.special import bdtr

        return float(bdtr(self._count(probability), len(self), probability)) < DOUBT

    @property
    def sentence(self) -> str:
        """Whether the model is any good, in words."""
        n = len(self)
        if n < FEWEST_RESULTS:
            return f"{n} results are too few to say whether the model is any good."
        share = self.explained
        if math.isnan(share):
            skill = "All results are equal, so there is nothing to predict"
        elif share >= GOOD:
            skill = f"The model predicts well ({share:.0%} of the variance of left-out results)"
        elif share >= POOR:
            skill = f"The model predicts roughly ({share:.0%} of the variance of left-out results)"
        else:
            skill = "The model predicts left-out results no better than their mean does"
        told_by = 0.5 if self.verdict == "wide" or self._few(0.5) else COVERAGE
        known = f"the {n} results that the model has, of {self.total}," if self.total > n else ""
        found = f"{self._count(told_by)} of {known or f'{n} results'} are within their "
        found += f"{told_by:.0%} intervals".replace("% ", " % ")
        trust = {
            "right": "which can be trusted" + (", as far as so few can tell" if n < 10 else ""),
            "narrow": "which are too narrow: expect surprises",
            "wide": "which are wider than needed",
        }
        return f"{skill}; {found}, {trust[self.verdict]}."

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        share = self.explained
        return {
            "outcome": self.outcome,
            "sentence": self.sentence,
            "verdict": self.verdict,
            "explained": None if math.isnan(share) else share,
            "inside": self.inside(),
            "typical_error": self.typical_error,
            "trials": list(self.trials),
            "total": self.total,
            **{
                name: getattr(self, name).tolist()
                for name in ("measured", "mean", "std", "low", "high", "z")
            },
        }

    def _repr_html_(self) -> str:
        return html.page("Is the model any good?", self.sentence)

    def __str__(self) -> str:
        return self.sentence


def cross_validate(session: Session, outcome: str | None) -> CrossValidation:
    """`Study.cross_validate`, where the arguments are described."""
    landscape, name = outcome_of(session, outcome)
    surrogate, history = landscape.surrogates[name], landscape.history
    y, transform = surrogate.model.y, surrogate.transform
    told = ~np.isnan(history.measured[name])
    every = np.array(history.numbers, dtype=int)[told]
    numbers = every[surrogate.rows]
    came_out = ~np.isin(numbers, history.expected)  # of trials stopped early an end is a guess
    if came_out.sum() < 2:
        raise TrialError(
            f"cross-validation leaves out one result and predicts it from the others: it needs two "
            f"results, got {came_out.sum()}; tell more"
        )
    seen = ((weight, landscape.surrogates[name]) for weight, landscape in session.beliefs())
    mean, std = mix(  # beliefs may bend values by other powers
        (weight, transform.convert(one.transform, *leave_one_out(one.model)))
        for weight, one in seen
    )
    y, mean, std = y[came_out], mean[came_out], std[came_out]
    low, high = (transform.outward(mean + side * Z_SURE * std) for side in (-1.0, 1.0))
    return CrossValidation(
        outcome=name,
        trials=tuple(numbers[came_out].tolist()),
        measured=history.measured[name][told][surrogate.rows][came_out],
        mean=transform.outward(mean),
        std=transform.spread(mean, std),
        low=np.minimum(low, high),
        high=np.maximum(low, high),
        z=(y - mean) / std,
        total=int((~np.isin(every, history.expected)).sum()),
    )


@while_small
def leave_one_out(model: GaussianProcess) -> tuple[Array, Array]:  # -> (n,), (n,)
    """Mean and standard deviation of each y when all others are known, noise included."""
    precision = np.diagonal(linalg.inverse(model.cholesky))
    left = model.unit * model.alpha / precision  # y_i less what the others expect
    return model.y - left, np.sqrt(1.0 / precision)
