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
from dataclasses import dataclass
from typing import final

import numpy as np

from pathmax.acquisition.scores import Rule
from pathmax.acquisition.step import Choice, Step
from pathmax.arrays import Array
from pathmax.errors import SettingsError


@final
@dataclass(frozen=True)
class UpperConfidence(Rule):
    """mean + width * std."""

    width: float

    def __call__(self, mean: Array, std: Array) -> Array:
        return mean + self.width * std

    def partials(self, mean: Array, std: Array) -> tuple[Array, Array, Array]:
        return self(mean, std), np.ones_like(mean), np.full_like(std, self.width)


def gp_ucb(step: Step) -> Choice:
    beta = confidence(
        step,
        theory=lambda size: 2.0 * math.log(size * step.t**2 / math.sqrt(2.0 * math.pi)),
        heuristic=0.2 * step.domain.dimension * math.log(2.0 * step.t),
    )
    return step.choose(step.surface.top(UpperConfidence(math.sqrt(beta))), beta=beta)


def irgp_ucb(step: Step) -> Choice:
    shift = confidence(
        step,
        theory=lambda size: 2.0 * math.log(size / 2.0),
        heuristic=2.0 / step.domain.dimension,
    )
    zeta = shift + step.rng.exponential(2.0)
    return step.choose(step.surface.top(UpperConfidence(math.sqrt(zeta))), zeta=zeta)


def confidence(step: Step, *, theory: Callable[[int], float], heuristic: float) -> float:
    """The confidence parameter that the step asks for, 0 or more."""
    given, size = step.confidence, step.domain.cardinality
    if given == "heuristic":
        return heuristic
    if given == "theoretical":
        if size is None:
            raise SettingsError(
                "the theoretical confidence is for a finite domain, and this one has real "
                'coordinates; use confidence="heuristic" or a number'
            )
        return max(theory(size), 0.0)  # below 0 only on one or two points
    if isinstance(given, str) or not (math.isfinite(given) and given >= 0.0):
        raise SettingsError(
            f'confidence must be "theoretical", "heuristic" or a number, 0 or more; got {given!r}'
        )
    return float(given)
