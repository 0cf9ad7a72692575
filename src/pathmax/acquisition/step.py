"""What a method may look at when it makes a choice, and the choice."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from pathmax.acquisition.surfaces.surface import Surface
from pathmax.arrays import Array
from pathmax.search.domains import Domain, Maximum


@final
@dataclass(frozen=True, eq=False)
class Choice:
    """The point to evaluate next.

    u      (d,) the point
    index  its number, in a pool or on a grid; None elsewhere
    info   what explains it: method, mean and std there, and what the method computed (g_star, xi,
           x_star, eta, beta, zeta, ...)
    """

    u: Array
    index: int | None = None
    info: dict[str, Any] = field(default_factory=dict)


@final
@dataclass(frozen=True, eq=False)
class Step:
    """One step of a method.

    surface     the posterior on the domain
    domain      the domain
    rng         the step's own randomness
    t           how many evaluations this one makes, 1, 2, ...
    confidence  "theoretical", "heuristic" or a number: for gp-ucb and irgp-ucb
    n_samples   sample paths of mes and jes
    resolution  the standard deviation below which f is as good as known at a point: for pims
    """

    surface: Surface
    domain: Domain
    rng: np.random.Generator
    t: int
    confidence: str | float = "heuristic"
    n_samples: int = 10
    resolution: float = 0.0

    def choose(self, best: Maximum, **info: Any) -> Choice:
        mean, std = self.surface.at(best)
        return Choice(best.u, best.index, {"mean": mean, "std": std, **info})
