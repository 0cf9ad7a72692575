"""The convex pieces of a feasible region about some points, and the steps of ascents in them.

A piece is found once for a round of an ascent: which parts of known constraints its point keeps,
and the polytope that these make (`clauses`). Where a step leaves it, the nearest point inside takes
its place. Curves are straightened about where the step ended, by their exact slopes, and again
about the point that this leads to (Newton's method), for those points alone that still miss one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import final

import numpy as np

from pathmax.arrays import Array, Index, Mask
from pathmax.search.clauses import Clauses, Polytopes
from pathmax.search.polytope_steps import approach, chord, draw_in, onto_missed, steepest
from pathmax.search.regions import Surroundings
from pathmax.search.row_projection import overshoot, project_on_rows

CURVE_TOLERANCE = 1e-11  # by how much a point may miss a curve
NEARLY_ON = 1e-6
NEWTON, LAST_NEWTON = 7, 3  # times that curves are straightened; the last with all faces in mind
FEW_NEWTON = 2  # the same, for points that need not be the nearest


@final
class Piece(Surroundings):
    """The pieces about points U (m, d). `inside`: a point well within a polytope, or None."""

    def __init__(
        self,
        clauses: Clauses,
        U: Array,
        corners: tuple[Array, Array],
        inside: Callable[[], Array | None],
    ) -> None:
        self.clauses, self.U, self.corners, self.inside = clauses, U, corners, inside
        self.kept = clauses.demands(U)

    @cached_property
    def rows(self) -> Polytopes:
        """Curves are taken to be straight."""
        return self.clauses.rows_at(self.U, self.kept)

    def direct(self, G: Array, H: Array, held: Mask | None) -> tuple[Array, Array]:
        floor, ceiling = self.corners
        still = ceiling <= floor
        if held is not None:
            still |= held
        return steepest(self.U, G, H, self.rows, self.corners, still)

    def ahead(self, step: Array) -> Array:  # (m, d) -> (m, d)
        V = self.U + step
        if self.clauses.curves:
            return self.on_curves(V, np.arange(len(V)), self.corners)
        if not self.clauses.n_numeric:
            return np.minimum(np.maximum(V, self.corners[0]), self.corners[1])
        ahead, missed = project_on_rows(V, *self.rows, *self.corners, patient=False, near=True)
        bad = np.flatnonzero(missed > 1e-9)
        if len(bad):  # what came close is drawn in
            ahead[bad] = draw_in(ahead[bad], self.anchor(bad), *self.rows.of(bad))
        return ahead

    def along(self, step: Array, which: Index) -> Array:  # (m, d), (k,) -> (k, d)
        U, P = self.U[which], step[which]
        floor, ceiling = (corner[which] for corner in self.corners)
        share = np.clip(chord(U, P, self.rows.of(which), floor, ceiling)[1], 0.0, 1.0)
        V = np.minimum(np.maximum(U + share[:, None] * P, floor), ceiling)
        return self.on_curves(V, which, (floor, ceiling)) if self.clauses.curves else V

    def on_curves(self, V: Array, which: Index, corners: tuple[Array, Array]) -> Array:
        """The nearest points to V (k, d) of some pieces; where none is found the point stays."""
        V, missed = onto(self.clauses, V, self.kept[which], corners, patient=False)
        astray = np.flatnonzero(missed)
        if len(astray):
            V[astray] = self.U[which[astray]]
        return V

    def near(self, step: Array) -> Array:  # (m, d) -> (m, d)
        """Points near U + step that are not the nearest ones, and may miss curves by a little."""
        V = self.U + step
        if self.clauses.curves:
            V, _ = onto(self.clauses, V, self.kept, self.corners, patient=False, times=FEW_NEWTON)
            return V
        V = approach(V, *self.rows, *self.corners)
        return draw_in(V, self.anchor(np.arange(len(V))), *self.rows)

    def anchor(self, which: Index) -> Array:  # (k,) -> (d,) or (k, d)
        """Points that obey, inside where such a point is known."""
        inside = self.inside()
        return self.U[which] if inside is None else inside


def onto(
    clauses: Clauses,
    U: Array,  # (m, d)
    kept: Mask,  # (m, parts)
    corners: tuple[Array, Array],
    *,
    patient: bool = True,
    times: int = NEWTON,
) -> tuple[Array, Mask]:  # -> (m, d), (m,)
    """The nearest points of the pieces with these parts, and which may miss a curve.

    Curves are straightened repeatedly.
    """
    floor, ceiling = corners
    V, astray = np.minimum(np.maximum(U, floor), ceiling), np.zeros(len(U), dtype=bool)
    if not clauses.n_numeric:
        return V, astray
    if not clauses.curves:
        return project_on_rows(U, *clauses.rows_at(U, kept), *corners, patient=patient)[0], astray
    todo = np.arange(len(V))
    for count in range(times):
        rows = clauses.rows_at(V[todo], kept[todo])
        over = overshoot(V[todo], *rows)
        worst = np.abs(over).max(axis=1)
        off = np.flatnonzero(worst > CURVE_TOLERANCE)
        if not len(off):
            return V, astray
        todo, rows, over, worst = todo[off], rows.of(off), over[off], worst[off]
        between = (floor[todo], ceiling[todo])
        if count < NEWTON - LAST_NEWTON:
            V[todo] = onto_missed(V[todo], over, rows, between)
        else:  # faces are in the way
            V[todo] = project_on_rows(V[todo], *rows, *between, patient=patient)[0]
        todo = todo[worst > NEARLY_ON]  # the others are on the curve now: the error is squared
        if not len(todo):
            return V, astray
    astray[todo] = True
    return V, astray
