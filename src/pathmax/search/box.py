"""The points between two corners, and how they are searched.

Look at many points cheaply, then climb from the best of them (`quasi_newton`). Paths are rugged, so
many starts climb a few rounds and few climb to the end.
"""

from __future__ import annotations

from typing import final

import numpy as np
from numpy.typing import ArrayLike

from pathmax.arrays import Array, Index, Mask
from pathmax.errors import ModelError
from pathmax.search.domains import Domain, Maximum, Task
from pathmax.search.quasi_newton import ascend
from pathmax.search.regions import Region
from pathmax.search.screening import cube_points, pick_apart, scatter

# 48 starts of which few go on find more than 8 that all do, in less time: benchmarks/searches.md
BOX_LOOKS = 512
ROUNDS = 60
GO_ON = {3: 24, 6: 12, 12: 6, 20: 3}  # {round: how many starts climb on after it}


@final
class Box(Domain, Region):
    """All points between the corners `low` and `high`, by default those of the unit cube."""

    def __init__(self, dimension: int, low: ArrayLike = 0.0, high: ArrayLike = 1.0) -> None:
        self.low: Array = np.broadcast_to(np.asarray(low, dtype=float), (dimension,))
        self.high: Array = np.broadcast_to(np.asarray(high, dtype=float), (dimension,))
        if not (self.low <= self.high).all():
            raise ModelError(
                f"a box needs low <= high in every coordinate, got low={self.low.tolist()}, "
                f"high={self.high.tolist()}"
            )
        # ascents ask in every round, and one number for all coordinates is compared faster
        alike = np.ndim(low) == 0 and np.ndim(high) == 0
        self._faces = (np.asarray(low), np.asarray(high)) if alike else (self.low, self.high)

    def __repr__(self) -> str:
        return f"Box({self.dimension}, low={self.low.tolist()}, high={self.high.tolist()})"

    @property
    def dimension(self) -> int:
        return len(self.low)

    @property
    def region(self) -> Box:
        return self

    @property
    def corners(self) -> tuple[Array, Array]:
        return self.low, self.high

    @property
    def faces(self) -> tuple[Array, Array]:
        return self.low, self.high

    @property
    def is_slice(self) -> bool:
        return bool((self.low == self.high).any())

    @property
    def varying(self) -> int:
        return int(np.count_nonzero(self.low < self.high))

    @property
    def cardinality(self) -> None:
        """None: a box has infinitely many points."""
        return None

    def random(self, rng: np.random.Generator) -> tuple[Array, None]:
        return self.low + (self.high - self.low) * rng.random(self.dimension), None

    def spread(self, n: int, rng: np.random.Generator) -> Array:  # -> (n, d)
        return self.low + (self.high - self.low) * cube_points(n, self.dimension, rng)

    def project(self, U: Array) -> Array:  # (m, d) -> (m, d)
        low, high = self._faces
        return np.minimum(np.maximum(U, low), high)

    def search(self, task: Task) -> Maximum:
        return climb(task, self)

    def neighbours(self, centres: Array, n: int, scales: Array, rng: np.random.Generator) -> Array:
        """Points scattered about the centres, reflected at the faces: (c, d), (d,) -> (n, d)."""
        points = scatter(centres, n, np.minimum(scales, self.high - self.low), rng)
        points = self.low + np.abs(points - self.low)
        return self.project(np.where(points > self.high, 2.0 * self.high - points, points))

    def free(self, U: Array, G: Array) -> Mask:  # (m, d), (m, d) -> (m, d)
        """Which coordinates can follow the gradient G from U: not those that a face holds."""
        low, high = self._faces
        return ((U > low) | (G > 0.0)) & ((U < high) | (G < 0.0))

    def on(self, columns: Index) -> Box:
        """The box of some of the coordinates."""
        return Box(len(columns), self.low[columns], self.high[columns])


def climb(task: Task, region: Region) -> Maximum:
    """The best point of a region."""
    score, scales, rng = task.score, task.scales, task.rng
    many, starts = (
        max(16, round(task.effort * BOX_LOOKS)),
        max(1, round(task.effort * task.starts)),
    )
    first = region.spread(many, rng) if task.looks is None else task.looks
    U = np.concatenate([first, region.project(task.hints)])
    values = score.approximate(U)
    spread = float(np.max(values) - np.median(values))
    i = int(np.argmax(values))
    if values[i] > task.enough and (exact := float(score(U[i][None])[0])) > task.enough:
        return Maximum(U[i], exact)
    if task.looks is None:
        best = pick_apart(U, values, starts, scales)
        near = region.neighbours(U[best], many // 2, scales, rng)
        U = np.concatenate([U[best], near])
        values = np.concatenate([values[best], score.approximate(near)])
    ascent = ascend(
        score,
        U[pick_apart(U, values, starts, scales)],
        region,
        scales=scales,
        unit=spread,
        rounds=ROUNDS,
        cuts={after: max(1, round(task.effort * go_on)) for after, go_on in GO_ON.items()},
        enough=task.enough,
    )
    i = int(np.argmax(ascent.values))
    return Maximum(ascent.U[i], float(ascent.values[i]))
