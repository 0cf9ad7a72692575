"""Where quasi-Newton ascents can go: points without gaps between them, and the ways from each."""

from __future__ import annotations

from typing import Protocol, final

import numpy as np

from pathmax.arrays import Array, Index, Mask
from pathmax.search.update_sums import UpdateSum


class Region(Protocol):
    """Points without gaps between them: where quasi-Newton ascents can go."""

    def spread(self, n: int, rng: np.random.Generator) -> Array:  # -> (n, d)
        """n points that fill the region evenly."""

    def neighbours(self, centres: Array, n: int, scales: Array, rng: np.random.Generator) -> Array:
        """n points of the region about the centres: (c, d), (d,) -> (n, d)."""

    def project(self, U: Array) -> Array:  # (m, d) -> (m, d)
        """The nearest points of the region."""

    def free(self, U: Array, G: Array) -> Mask:  # (m, d), (m, d) -> (m, d)
        """Which coordinates can follow the gradient G from U: not those that a face holds."""

    @property
    def faces(self) -> tuple[Array, Array]:  # each of a shape like (d,)
        """The least and the greatest of each coordinate."""
        return np.zeros(1), np.ones(1)

    def holds(self, U: Array) -> Mask | None:  # (m, d) -> (m,)
        """Which points that an ascent came to are really there; None where all are."""
        return None

    @property
    def is_product(self) -> bool:
        """Whether each coordinate has bounds of its own, and nothing joins them."""
        return True

    def about(self, U: Array) -> Surroundings:  # (m, d)
        """What is about some points, for one round of an ascent."""
        return InProduct(self, U)


class Surroundings(Protocol):
    """Where some points U (m, d) of a region are: which ways are open, and where they lead."""

    def direct(self, G: Array, H: Array, held: Mask | None) -> tuple[Array, Array]:
        """Where to go: P = H g, along what holds U, and g, the gradient that counts.

        (m, d), (m, d, d), (d,) -> (m, d), (m, d)
        """

    def ahead(self, step: Array) -> Array:  # (m, d) -> (m, d)
        """The points of the region nearest to U + step."""

    def along(self, step: Array, which: Index) -> Array:  # (m, d), (k,) -> (k, d)
        """For some of them U + step, or where that way leaves the region; if not `is_product`."""


@final
class InProduct(Surroundings):
    """Points of a region whose coordinates have bounds of their own."""

    def __init__(self, region: Region, U: Array) -> None:
        self.region, self.U = region, U

    def direct(self, G: Array, H: Array | UpdateSum, held: Mask | None) -> tuple[Array, Array]:
        free = self.region.free(self.U, G)
        if held is not None:
            free &= ~held
        g = G * free
        P = (H @ g[:, :, None])[:, :, 0]
        P *= free
        return P, g

    def ahead(self, step: Array) -> Array:  # (m, d) -> (m, d)
        return self.region.project(self.U + step)

    def along(self, step: Array, which: Index) -> Array:  # (m, d), (k,) -> (k, d)
        return self.region.project(self.U[which] + step[which])
