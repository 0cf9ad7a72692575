"""Points that obey known constraints: found once, then walked from.

    found    points of the cube that obey as they are; points brought inside; averages of the
             corners of a polytope; the solution of an integer programme
    walked   hit and run: a random direction, a random point of the chord inside (Smith, 1984).
             Half of the directions are differences of points that are known, so that a thin
             region is walked along; choices and whole numbers change by jumps that are repaired

What was found is kept with the limits. It depends on nothing but them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final
from weakref import WeakKeyDictionary

import numpy as np

from pathmax.arrays import Array, Index, Mask
from pathmax.errors import SpaceError
from pathmax.search.feasibility import conflict, some_point
from pathmax.search.feasible_region import FeasibleRegion
from pathmax.search.polytope import Polytope
from pathmax.search.polytope_steps import chord
from pathmax.search.screening import cube_points
from pathmax.space.constraint_parts import Limits

KEPT_POINTS = 512  # of a region, to walk from
NO_DIRECTION = 1e-9  # of a direction: less is left of one that equations forbid
WALK_LOOKS = 2048
ROOMY = 0.25  # the share of the cube from which on points are drawn in it and kept if they obey


@final
@dataclass(frozen=True, eq=False)
class KnownPoints:
    """Points of a region, spread over it, and the share of the cube that it has."""

    points: Array  # (k, d)
    share: float


_known: WeakKeyDictionary[Limits, KnownPoints] = WeakKeyDictionary()


def known_points(region: FeasibleRegion) -> KnownPoints:
    """The known points of a region, found when they are first asked for."""
    if region.limits not in _known:
        _known[region.limits] = find_points(region)
    return _known[region.limits]


def spread(region: FeasibleRegion, n: int, rng: np.random.Generator) -> Array:  # -> (n, d)
    """n points that stand for a region."""
    known = known_points(region)
    points = np.empty((0, region.dimension))
    if known.share >= ROOMY:
        looks = cube_points(int(1.2 * n / known.share) + 8, region.dimension, rng)
        looks = place_sparse(region, looks, rng)
        points = looks[region.limits.holds(looks)][:n]
    left = n - len(points)
    if not left:
        return points
    start = known.points[rng.integers(len(known.points), size=left)]
    if len(region.lattice.columns) or region.limits.sparse:  # the others have choices of their own
        start[::2] = jump(region, start[::2], rng)
    if len(region.lattice.real):
        start = slide(region, start, rng, known.points)
    return np.concatenate([points, start])


def find_points(region: FeasibleRegion) -> KnownPoints:
    """At most KEPT_POINTS points of a region, or a `SpaceError` that says why there are none."""
    rng = np.random.default_rng(0)
    looks = place_sparse(region, cube_points(WALK_LOOKS, region.dimension, rng), rng)
    inside = looks[region.limits.holds(looks)]
    share = len(inside) / len(looks)
    if len(inside) >= KEPT_POINTS:
        return KnownPoints(inside[:KEPT_POINTS], share)
    found = np.concatenate([inside, corner_averages(region, looks, rng)])
    if len(found) < KEPT_POINTS // 4:
        repaired, good = region.repair(looks[:KEPT_POINTS], rng)
        found = np.concatenate([found, repaired[good]])
    if not len(found):
        found = last_resort(region, rng)
    start = found[rng.integers(len(found), size=KEPT_POINTS)]
    start[: len(found)] = found[:KEPT_POINTS]
    walked = walk(region, start, 10 + 4 * region.dimension, rng, start)
    return KnownPoints(walked[region.limits.holds(walked)], share)


def place_sparse(
    region: FeasibleRegion, uniform: Array, rng: np.random.Generator
) -> Array:  # (m, d) -> (m, d)
    """Uniform numbers as points, of which sparse mixtures have few components."""
    U = region.lattice.place(uniform)
    for columns, most in region.limits.sparse:
        rank = np.argsort(np.argsort(rng.random((len(U), len(columns))), axis=1), axis=1)
        U[:, list(columns)] *= rank < most
    return U


def corner_averages(region: FeasibleRegion, looks: Array, rng: np.random.Generator) -> Array:
    """Points of the polytope of the rows that always hold, brought to where all holds."""
    clauses, d = region.clauses, region.dimension
    always = np.flatnonzero(clauses.always[: clauses.n_rows])
    if not len(always):
        return np.empty((0, d))
    polytope = Polytope(clauses.A[always], clauses.low[always], clauses.high[always])
    centre = polytope.centre()
    if centre is None:
        raise conflict(region.axes, region.limits)
    corners = np.concatenate([polytope.corners(rng, d + 8), centre[0][None]])
    weights = rng.exponential(size=(KEPT_POINTS, len(corners)))
    weights[: KEPT_POINTS // 2] **= 3  # nearer to a corner
    raw = (weights / weights.sum(axis=1, keepdims=True)) @ corners
    choices = [i for i, axis in enumerate(region.axes) if axis.kind == "categorical"]
    others = looks[rng.integers(len(looks), size=KEPT_POINTS)]
    raw[:, choices] = others[:, choices]
    for columns, _ in region.limits.sparse:
        raw[:, list(columns)] *= others[:, list(columns)] > 0.0
    points, good = region.repair(raw, rng)
    return np.asarray(points[good])


def last_resort(region: FeasibleRegion, rng: np.random.Generator) -> Array:
    """Points from an integer programme, or an error that says that there are none."""
    point = some_point(region.axes, region.limits)
    if point is None:
        raise conflict(region.axes, region.limits)
    near = point + 0.3 * rng.standard_normal((KEPT_POINTS, region.dimension)) * rng.random(
        (KEPT_POINTS, 1)
    )
    near[0] = point
    for _ in range(4):
        points, good = region.repair(near, rng)
        if good.any():
            return np.asarray(points[good])
        near = place_sparse(region, rng.random((KEPT_POINTS, region.dimension)), rng)
    words = ", ".join(repr(text) for text in region.limits.words)
    raise SpaceError(
        f"no params were found that obey the known constraints ({words}), though they may "
        "exist; state them more simply, or loosen them"
    )


def walk(
    region: FeasibleRegion, U: Array, steps: int, rng: np.random.Generator, others: Array
) -> Array:  # (m, d) -> (m, d)
    """Where hit and run leads from points that obey."""
    jumps = len(region.lattice.columns) > 0 or bool(region.limits.sparse)
    for number in range(steps):
        if jumps and not number % 2:
            U = jump(region, U, rng)
        if len(region.lattice.real):
            U = slide(region, U, rng, others)
    return U


def slide(region: FeasibleRegion, U: Array, rng: np.random.Generator, others: Array) -> Array:
    """Each point moved to a random place of a chord through it."""
    m, d = U.shape
    floor, ceiling = region.walls(U)
    free = ceiling > floor
    first, second = rng.integers(len(others), size=(2, m))
    along = others[first] - others[second]
    P = np.where(rng.random((m, 1)) < 0.5, along, rng.standard_normal((m, d))) * free
    rows = region.clauses.rows_at(U, region.clauses.demands(U))
    P = in_hull(P, rows.A, rows.equations, free)
    first_t, last = chord(U, P, rows, floor, ceiling)
    length = last - first_t
    sound = np.isfinite(last) & np.isfinite(first_t) & (length > 0.0)
    t = np.zeros((m, 1))
    chance = rng.random((m, 1))
    t[sound, 0] = first_t[sound] + chance[sound, 0] * length[sound]
    V = U + t * P
    V = np.minimum(np.maximum(V, floor), ceiling)
    if region.clauses.curves:
        V = region.about(U).ahead(V - U)
    return region.inward(U, V)


def in_hull(P: Array, A: Array, equal: Mask, free: Mask) -> Array:
    """Directions without what leaves the rows that are equations, among free coordinates."""
    which = equal.any(axis=0)
    if not which.any():
        return P
    if A.ndim == 2 and free.all() and (equal == equal[0]).all():  # the same hull for all
        E = A[which]
        left = P - (P @ E.T) @ np.linalg.pinv(E).T
        return without_rounding(left, P)
    B = np.broadcast_to(A, (len(P), *A.shape[-2:]))[:, which]
    B = B * equal[:, which][:, :, None] * free[:, None, :]
    K = np.matmul(B, B.swapaxes(1, 2))
    diagonal = np.einsum("mrr->mr", K)
    diagonal += np.where(equal[:, which], 1e-12, 1.0)
    push = np.linalg.solve(K, np.einsum("mrd,md->mr", B, P)[:, :, None])[:, :, 0]
    return without_rounding(np.asarray(P - np.einsum("mrd,mr->md", B, push)), P)


def without_rounding(left: Array, P: Array) -> Array:
    """What is left of directions P; nothing where equations leave no direction but rounding."""
    left[np.abs(left).max(axis=1) <= NO_DIRECTION * np.abs(P).max(axis=1)] = 0.0
    return left


def jump(region: FeasibleRegion, U: Array, rng: np.random.Generator) -> Array:
    """Each point with other choices, whole numbers or components, where that can be repaired."""
    V = region.lattice.jumps(U, rng) if len(region.lattice.columns) else U.copy()
    for columns, _ in region.limits.sparse:
        V = swapped(V, np.array(columns, dtype=np.intp), rng)
    W, good = region.repair(V, rng, tries=1)
    return np.where(good[:, None], W, U)


def swapped(U: Array, columns: Index, rng: np.random.Generator) -> Array:
    """Each point with the amounts of a present and an absent component exchanged."""
    V = U.copy()
    amounts = V[:, columns]
    chance = rng.random(amounts.shape)
    rows = np.arange(len(V))
    present = columns[np.argmax(np.where(amounts > 0.0, chance, -1.0), axis=1)]
    absent = columns[np.argmax(np.where(amounts > 0.0, -1.0, chance), axis=1)]
    V[rows, present], V[rows, absent] = U[rows, absent], U[rows, present]
    return V
