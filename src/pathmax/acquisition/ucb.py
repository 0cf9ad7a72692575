"""Upper confidence bounds: mean + width std.

    gp-ucb      width = beta_t^(1/2)    theory     beta_t = 2 log(|X| t^2 / sqrt(2 pi))
                                        heuristic  beta_t = 0.2 d log(2 t)
    irgp-ucb    width = zeta_t^(1/2)    zeta_t = s + E,  E exponential with mean 2
                                        theory     s = 2 log(|X| / 2)
                                        heuristic  s = 2 / d

|X| is the number of points of a finite domain. Theory and heuristics are those of the paper's
sections on synthetic and on benchmark functions; its Exp(s, 1/2) is the two-parameter exponential.
A number given as the confidence is beta_t, or s.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np

from pathmax.acquisition.options import PosteriorMethod
from pathmax.acquisition.scores import Rule
from pathmax.acquisition.step import Choice, Step
from pathmax.arguments import real_number, whole_number
from pathmax.arrays import Array
from pathmax.errors import SettingsError
from pathmax.search.domains import Domain


@final
@dataclass(frozen=True)
class UpperConfidence(Rule):
    """mean + width * std."""

    width: float

    def __call__(self, mean: Array, std: Array) -> Array:
        return mean + self.width * std

    def ceiling(self, mean: Array, most: Array) -> Array:
        return self(mean, most)

    def partials(self, mean: Array, std: Array) -> tuple[Array, Array, Array]:
        return self(mean, std), np.ones_like(mean), np.full_like(std, self.width)


def confidence_level(name: str, value: object) -> str | float:
    if value in ("theoretical", "heuristic"):
        return str(value)
    expected = '"theoretical", "heuristic" or a number, 0 or more'
    return real_number(name, value, expected, lambda v: 0.0 <= v < math.inf)


@final
@dataclass(frozen=True, kw_only=True)
class GpUcb(PosteriorMethod):
    """mean + beta_t^(1/2) std.

    confidence  "theoretical" (finite domains), "heuristic", or beta_t itself
    design      how many first evaluations t does not count, as in the paper's experiments
    """

    name: ClassVar[str] = "gp-ucb"
    confidence: str | float = field(default="heuristic", metadata={"check": confidence_level})
    design: int = field(default=0, metadata={"check": lambda name, v: whole_number(name, v, 0)})

    def choose(self, step: Step) -> Choice:
        t = max(step.t - self.design, 1)
        beta = level(
            self.confidence,
            step.domain,
            theory=lambda size: 2.0 * math.log(size * t**2 / math.sqrt(2.0 * math.pi)),
            heuristic=0.2 * step.domain.dimension * math.log(2.0 * t),
        )
        surface = self.surface(step)
        return step.choice(surface, surface.top(UpperConfidence(math.sqrt(beta))), beta=beta)


@final
@dataclass(frozen=True, kw_only=True)
class IrgpUcb(PosteriorMethod):
    """mean + zeta_t^(1/2) std, with a random zeta_t.

    confidence  "theoretical" (finite domains), "heuristic", or the shift s of zeta_t
    """

    name: ClassVar[str] = "irgp-ucb"
    confidence: str | float = field(default="heuristic", metadata={"check": confidence_level})

    def choose(self, step: Step) -> Choice:
        surface = self.surface(step)  # before zeta: points that are running are drawn first
        shift = level(
            self.confidence,
            step.domain,
            theory=lambda size: 2.0 * math.log(size / 2.0),
            heuristic=2.0 / step.domain.dimension,
        )
        zeta = shift + step.rng.exponential(2.0)
        return step.choice(surface, surface.top(UpperConfidence(math.sqrt(zeta))), zeta=zeta)


def level(
    confidence: str | float, domain: Domain, *, theory: Callable[[int], float], heuristic: float
) -> float:
    """The confidence parameter that is asked for, 0 or more."""
    if confidence == "heuristic":
        return heuristic
    if confidence != "theoretical":
        return float(confidence)
    if domain.cardinality is None:
        raise SettingsError(
            "the theoretical confidence is for a finite domain, and this one has real "
            'coordinates; use confidence="heuristic" or a number'
        )
    return max(theory(domain.cardinality), 0.0)  # below 0 only on one or two points
