"""What a method may look at when it makes a choice, and the choice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from pathmax.acquisition.surfaces.binding import bind
from pathmax.acquisition.surfaces.surface import Surface
from pathmax.arrays import Array
from pathmax.errors import SettingsError
from pathmax.gp import GaussianProcess, GridPosterior
from pathmax.gp.paths import PathKind
from pathmax.search.discretisation import discretised
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

    model    the posterior, larger is better; None for a method that does without
    domain   where to choose
    rng      the step's own randomness: the only one that a method may use
    t        the number of this evaluation, 1, 2, ...
    pending  (m, d) points that are being evaluated, and that the model knows nothing of yet
    likely   where an expert expects the best: weights of points (m, d) -> (m,)
    """

    model: GaussianProcess | GridPosterior | None
    domain: Domain
    rng: np.random.Generator
    t: int = 1
    pending: Array | None = None
    likely: Callable[[Array], Array] | None = None

    def surface(
        self, *, kind: PathKind | None = None, n_features: int | None = None, effort: float = 1.0
    ) -> Surface:
        """The posterior on the domain: its sample paths, and where a rule is highest.

        `kind` and `n_features` say how paths are drawn, `effort` how hard to search.
        """
        if self.model is None:
            raise SettingsError('this method needs a model; only "random" does without')
        return bind(
            self.model,
            self.domain,
            self.rng,
            pending=self.pending,
            kind=kind,
            n_features=n_features,
            effort=effort,
        )

    def discretised(self, points: int | ArrayLike | None) -> Step:
        """The step on a finite set inside the box; None leaves it as it is."""
        return self if points is None else replace(self, domain=discretised(self.domain, points))

    def choice(self, surface: Surface, best: Maximum, **info: Any) -> Choice:
        """A point that the surface found, with mean and std there and what else explains it."""
        mean, std = surface.at(best)
        return Choice(best.u, self.number(best), {"mean": mean, "std": std, **info})

    def peak(self, g_star: Maximum) -> dict[str, Any]:
        """The maximum of a sample path, for the info of a choice."""
        return {"g_star": g_star.value, "x_star": g_star.u, "x_star_index": self.number(g_star)}

    def number(self, point: Maximum) -> int | None:
        """The number of a point where points are numbered: not in a space searched as a grid."""
        return point.index if self.domain.is_numbered else None
