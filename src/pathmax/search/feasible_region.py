"""Where known constraints hold, as a region that ascents can climb in.

About each point there is a convex piece of the region (`region_pieces`). Steps go along the rows
and faces that hold a point, and end at the nearest point of its piece. Listed coordinates do
not move in an ascent, nor do components of a mixture that are absent while few may be present.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TypeAlias, final

import numpy as np

from pathmax.arrays import Array, Index, Mask
from pathmax.search.clauses import Clauses
from pathmax.search.lattice import AxisLike, Lattice
from pathmax.search.region_pieces import Piece, onto
from pathmax.search.regions import Region
from pathmax.search.row_projection import project_on_rows
from pathmax.search.screening import scatter
from pathmax.space.constraint_parts import Limits

Rng: TypeAlias = np.random.Generator

INSIDE_TRIES = 6  # choices of parts, and of values, for a point that is to be brought inside


@final
class FeasibleRegion(Region):
    """The points of a mixed space that obey known constraints.

    `walk` finds points all over it, `known` those that it starts from.
    """

    def __init__(
        self,
        axes: Sequence[AxisLike],
        limits: Limits,
        walk: Callable[[FeasibleRegion, int, Rng], Array],
        known: Callable[[FeasibleRegion], Array],
    ) -> None:
        self.axes, self.limits, self.walk, self.known = axes, limits, walk, known
        self.lattice = Lattice(axes)
        ordered = [i for i, axis in enumerate(axes) if axis.kind != "categorical"]
        self.clauses = Clauses(limits, len(axes))
        self.top = np.array([1.0 if a.values is None else a.values[-1] for a in axes])
        self.bottom = np.array([0.0 if a.values is None else a.values[0] for a in axes])
        listed = [i for i in ordered if axes[i].values is not None]
        joined = np.abs(self.clauses.A).sum(axis=0) > 0.0
        self.stepped = [i for i in listed if joined[i] or self.clauses.curves]
        self.is_plain = not len(self.lattice.columns) and not limits.sparse
        self.fenced = bool(self.clauses.curves) or limits.opaque

    @property
    def dimension(self) -> int:
        return len(self.axes)

    @property
    def is_product(self) -> bool:
        return False

    @property
    def faces(self) -> tuple[Array, Array]:
        return self.bottom, self.top

    def holds(self, U: Array) -> Mask | None:  # (m, d) -> (m,)
        return self.limits.holds(U) if self.fenced else None

    # ---- bringing points inside

    def project(self, U: Array) -> Array:  # (m, d) -> (m, d)
        return self.repair(U)[0]

    def repair(
        self,
        U: Array,
        rng: np.random.Generator | None = None,
        keep: Index | None = None,
        tries: int = INSIDE_TRIES,
    ) -> tuple[Array, Mask]:  # (m, d), (m,) -> (m, d), (m,)
        """Points near U that obey, and whether each does. `keep`: a coordinate not to be moved."""
        patient = tries > 1
        V = np.minimum(np.maximum(self.lattice.snap(U), self.bottom), self.top)
        good = self.limits.holds(V)
        chance = np.random.default_rng(0) if rng is None else rng
        for attempt in range(tries):
            bad = np.flatnonzero(~good)
            if not len(bad):
                break
            kept = self.clauses.demands(V[bad], chance if attempt else None)
            held = None if keep is None else keep[bad]
            W = self.with_members(V[bad], kept, chance)
            W, _ = onto(self.clauses, W, kept, self.corners(W), patient=patient)
            fine = self.limits.holds(W)
            if self.stepped and not fine.all():
                left = ~fine
                aside = None if held is None else held[left]
                W[left] = self.dive(V[bad][left], W[left], kept[left], chance, aside, patient)
                fine = self.limits.holds(W)
            V[bad[fine]], good[bad[fine]] = W[fine], True
            if self.clauses.curves:
                V[bad] = W  # Newton's method goes on from there
        return V, good

    def corners(self, U: Array, loose: Sequence[int] = ()) -> tuple[Array, Array]:
        """Between which coordinates each point may move; listed ones stay, but for `loose`."""
        if self.is_plain:
            return np.broadcast_to(self.bottom, U.shape), np.broadcast_to(self.top, U.shape)
        floor = np.repeat(self.bottom[None], len(U), axis=0)
        ceiling = np.repeat(self.top[None], len(U), axis=0)
        still = [int(i) for i in self.lattice.columns if i not in loose]
        floor[:, still] = ceiling[:, still] = U[:, still]
        for columns, most in self.limits.sparse:
            amounts = U[:, list(columns)]
            rank = np.argsort(np.argsort(-amounts, axis=1, kind="stable"), axis=1)
            ceiling[:, list(columns)] = np.where(rank < most, ceiling[:, list(columns)], 0.0)
        return floor, ceiling

    def with_members(self, U: Array, kept: Mask, rng: np.random.Generator) -> Array:
        """U with choices that the kept parts allow, drawn at random where one is not."""
        members = self.clauses.members
        if not members:
            return U
        U, wanted = U.copy(), kept[:, self.clauses.n_numeric :]
        for column in sorted({member.column for member in members}):
            values = self.axes[column].values
            assert values is not None, "a choice has a list of values"
            votes = np.zeros((len(U), len(values)))
            for number, member in enumerate(members):
                if member.column == column:
                    votes += np.outer(wanted[:, number], np.isin(values, member.values))
            here = np.searchsorted(values, U[:, column])
            votes[np.arange(len(U)), here] += 0.5  # what is allowed already stays
            best = np.argmax(votes + 0.1 * rng.random(votes.shape), axis=1)
            U[:, column] = values[best]
        return U

    def dive(
        self,
        U: Array,
        W: Array,
        kept: Mask,
        rng: np.random.Generator,
        keep: Index | None,
        patient: bool,
    ) -> Array:
        """U with whole numbers that the rows allow: one after another is rounded and then held."""
        V = W.copy()
        V[:, self.stepped] = U[:, self.stepped]
        floor, ceiling = self.corners(V, self.stepped)
        rows = np.arange(len(V))
        if keep is not None:
            floor[rows, keep] = ceiling[rows, keep] = U[rows, keep]
        V, _ = onto(self.clauses, V, kept, (floor, ceiling), patient=patient)
        for column in rng.permutation(self.stepped).tolist():
            values = np.asarray(self.axes[column].values)
            below = np.clip(np.searchsorted(values, V[:, column] + 1e-9, "right") - 1, 0, None)
            above = np.minimum(below + 1, len(values) - 1)
            nearer = V[:, column] - values[below] <= values[above] - V[:, column]
            first = values[np.where(nearer, below, above)]
            second = values[np.where(nearer, above, below)]
            V = self._rounded(V, kept, floor, ceiling, column, (first, second))
        return self.lattice.snap(V)

    def _rounded(
        self,
        V: Array,
        kept: Mask,
        floor: Array,
        ceiling: Array,
        column: int,
        options: Sequence[Array],
    ) -> Array:
        """V with one coordinate at the first option that its piece allows; the corners follow."""
        moving = floor[:, column] < ceiling[:, column]
        left = moving.copy()
        result = V.copy()
        for option in options:
            if not left.any():
                break
            floor[left, column] = ceiling[left, column] = option[left]
            here = self.clauses.rows_at(V[left], kept[left])
            found, missed = project_on_rows(
                V[left], *here, floor[left], ceiling[left], patient=False
            )
            result[left] = found
            still = missed > 1e-9
            left[np.flatnonzero(left)[~still]] = False
        return result

    # ---- climbing

    def spread(self, n: int, rng: np.random.Generator) -> Array:  # -> (n, d)
        return self.walk(self, n, rng)

    def neighbours(self, centres: Array, n: int, scales: Array, rng: np.random.Generator) -> Array:
        points = scatter(centres, n, scales, rng)
        at = centres[np.arange(n) % len(centres)]
        return self.beside(at, points - at)

    def inward(self, U: Array, V: Array) -> Array:
        """V where that obeys, else a point between U, which does, and V; U if need be."""
        if not self.fenced:
            return V
        V, good = V.copy(), self.limits.holds(V)
        for share in (0.5, 0.25, 0.1, 0.0):
            bad = np.flatnonzero(~good)
            if not len(bad):
                break
            V[bad] = U[bad] + share * (V[bad] - U[bad])
            good[bad] = self.limits.holds(V[bad]) if share else True
        return V

    def free(self, U: Array, G: Array) -> Mask:  # (m, d), (m, d) -> (m, d)
        floor, ceiling = self.walls(U)
        return ((U > floor) | (G > 0.0)) & ((U < ceiling) | (G < 0.0))

    def walls(self, U: Array) -> tuple[Array, Array]:
        """The corners for a climb: absent components of a sparse mixture stay absent."""
        floor, ceiling = self.corners(U)
        for columns, _ in self.limits.sparse:
            amounts = U[:, list(columns)]
            ceiling[:, list(columns)] = np.where(amounts > 0.0, ceiling[:, list(columns)], 0.0)
        return floor, ceiling

    def about(self, U: Array) -> Piece:  # (m, d)
        return Piece(self.clauses, U, self.walls(U), lambda: self.inside)

    def beside(self, U: Array, step: Array) -> Array:  # (m, d), (m, d) -> (m, d)
        """Points of the region near U + step, not the nearest ones: quicker than `ahead`."""
        piece = self.about(U)
        if self.clauses.flat.any():
            return self.inward(U, piece.ahead(step))
        return self.inward(U, piece.near(step))

    @cached_property
    def inside(self) -> Array | None:  # (d,)
        """A point well within a region that is a polytope."""
        if not (self.is_plain and self.clauses.is_polytope):
            return None
        return np.asarray(self.known(self).mean(axis=0))
