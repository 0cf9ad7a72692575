"""A sample path as a score: its parts without the checks of `Path`, and a cheap approximation."""

from __future__ import annotations

from typing import final

import numpy as np

from pathmax.arrays import Array
from pathmax.gp import GaussianProcess, draw_paths
from pathmax.gp.paths import Path, PathKind, Paths
from pathmax.search.domains import Domain
from pathmax.search.scores import Score

JOINT_POINTS = 1000  # points of a joint draw, when a kernel has no random features


def draw_on(
    domain: Domain,
    model: GaussianProcess,
    rng: np.random.Generator,
    n: int,
    *,
    kind: PathKind,
    n_features: int | None,
) -> Paths:
    """n paths that can be evaluated everywhere in a domain."""
    points = None if model.kernel.has_features else domain.spread(JOINT_POINTS, rng)
    paths = draw_paths(model, rng, n, kind=kind, n_features=n_features, points=points)
    assert isinstance(paths, Paths), "exact paths are for finite sets of points"
    return paths


def glance(paths: Paths, U: Array) -> Array:  # (m, d) -> (m, p)
    """Several paths at once, their prior part in single precision: right to 1e-5 of their scale."""
    return paths.shift.add_to(paths.prior(U.shape[1])(U), U)


@final
class PathScore(Score):
    """A sample path as a score: `path(U)`, and an approximation to see where it is high."""

    def __init__(self, path: Path, d: int) -> None:
        self.path, self.prior, self.shift = path, path.prior(d), path.shift

    def __call__(self, U: Array) -> Array:  # (m, d) -> (m,)
        return self.shift.add_to(self.prior(U), U)

    def approximate(self, U: Array) -> Array:  # (m, d) -> (m,)
        """The prior part in single precision: right to about 1e-5 of its scale."""
        return self.shift.add_to(self.prior.single(U), U)

    def value_and_gradient(self, U: Array) -> tuple[Array, Array]:  # -> (m,), (m, d)
        return self.shift.add_both_to(*self.prior.value_and_gradient(U), U)

    def at_data(self, model: GaussianProcess) -> Array:  # -> (n,)
        """The path at the data of the model it was drawn from, without a kernel matrix."""
        known = self.path.at_data if self.shift.update.reach.X is model.X else None
        return self(model.X) if known is None else np.asarray(known)
