"""Methods that look for an improvement over a reference, by the rules of `improvement_rules`.

They differ in the reference: the incumbent (`ei`, `pi`), the maximum g* of a sample path (`eims`,
`pims`), or the expected maximum m_hat of the posterior taken as independent (`gp-est`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np

from pathmax.acquisition import normal
from pathmax.acquisition.improvement_rules import ExpectedImprovement, ProbabilityOfImprovement
from pathmax.acquisition.options import PathMethod, PosteriorMethod, one_of
from pathmax.acquisition.step import Choice, Step
from pathmax.arrays import Array


def estimated_maximum(mean: Array, std: Array, floor: float) -> float:  # (N,), (N,) -> m_hat
    """m_hat of GP-EST (Wang, Zhou and Jegelka, 2016): the expected maximum of independent normals.

    m_hat = m0 + int_{m0}^inf (1 - prod_i Phi((w - mean_i) / std_i)) dw with m0 = `floor`. As a sum
    of independent marginals it overestimates the maximum of a smooth function; that is the method.
    """
    # A row that stays below the largest sure value with probability 1 - 1e-12 takes no part.
    start = max(floor, float(np.max(mean)))
    part = standard_gap(start, mean, std) < 7.0
    mean, std = mean[part], std[part]
    if not len(mean):
        return start

    def all_below(w: float) -> float:  # prod_i Phi((w - mean_i) / std_i)
        return float(np.exp(np.sum(normal.log_cdf(standard_gap(w, mean, std)))))

    reach = np.sqrt(2.0 * np.log(1e9 * len(mean)))
    high = max(start, float(np.max(mean + reach * std)))
    low = _bisect(all_below, floor, high, 1e-9)  # below it the integrand is 1
    high = _bisect(all_below, low, high, 1.0 - 1e-9)  # above it 0
    nodes, weights = normal.gauss_legendre(48)
    width = 0.5 * (high - low)
    integrand = [1.0 - all_below(low + width * (1.0 + node)) for node in nodes]
    return low + width * float(np.dot(weights, integrand))


def standard_gap(level: float, mean: Array, std: Array) -> Array:
    """(level - mean) / std."""
    return normal.z_score(level - mean, std)


def _bisect(increasing: Callable[[float], float], low: float, high: float, target: float) -> float:
    """Where an increasing function passes `target`: from below for a small target, else above."""
    for _ in range(30):
        middle = 0.5 * (low + high)
        if increasing(middle) < target:
            low = middle
        else:
            high = middle
    return low if target < 0.5 else high


@dataclass(frozen=True, kw_only=True)
class ImprovementMethod(PosteriorMethod):
    """A method that improves on what is known.

    reference  "mean", the largest posterior mean at the data, which noise does not lift; or
               "observed", the largest value observed, as in the paper's PI
    """

    rule: ClassVar[type[ExpectedImprovement] | type[ProbabilityOfImprovement]]
    told: ClassVar[str]  # what the largest value of the rule is called
    reference: str = field(default="mean", metadata={"check": one_of("mean", "observed")})

    def choose(self, step: Step) -> Choice:
        surface = self.surface(step)
        observed = surface.model.y if self.reference == "observed" else ()
        reference = float(np.max(observed)) if len(observed) else surface.incumbent
        best = surface.top(self.rule(reference))
        return step.choice(surface, best, reference=reference, **{self.told: best.value})


@final
@dataclass(frozen=True, kw_only=True)
class Ei(ImprovementMethod):
    """Expected improvement over the incumbent."""

    name: ClassVar[str] = "ei"
    rule = ExpectedImprovement
    told = "log_ei"


@final
@dataclass(frozen=True, kw_only=True)
class Pi(ImprovementMethod):
    """Probability of improvement over the incumbent."""

    name: ClassVar[str] = "pi"
    rule = ProbabilityOfImprovement
    told = "z"


@final
@dataclass(frozen=True, kw_only=True)
class Eims(PathMethod):
    """EI from the maximum of a sample path."""

    name: ClassVar[str] = "eims"

    def choose(self, step: Step) -> Choice:
        surface = self.surface(step)
        (path,) = surface.samples(1)
        g_star = path.peak()
        best = surface.top(ExpectedImprovement(g_star.value), hints=g_star.u[None])
        return step.choice(surface, best, log_ei=best.value, **step.peak(g_star))


@final
@dataclass(frozen=True, kw_only=True)
class GpEst(PosteriorMethod):
    """PI from the estimated maximum m_hat."""

    name: ClassVar[str] = "gp-est"

    def choose(self, step: Step) -> Choice:
        surface = self.surface(step)
        m_hat = estimated_maximum(*surface.moments(), floor=surface.incumbent)
        best = surface.top(ProbabilityOfImprovement(m_hat))
        return step.choice(surface, best, m_hat=m_hat, z=best.value)
