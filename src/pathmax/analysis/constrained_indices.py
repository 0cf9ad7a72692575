"""Sobol indices where known constraints hold, so that parameters depend on each other.

Points are drawn evenly over what the constraints allow. There (Kucherenko, Tarantola and Annoni,
2012) the definitions stay and the estimators change:

    first order   S_i = Var E[f | x_i] / Var f          two points with nearly the same x_i say what
                                                        it explains: neighbours in the order of x_i
                                                        (Gamboa, Gremaud, Klein and Lagnoux, 2022)
    total         T_i = E Var[f | all but x_i] / Var f  x_i is drawn again from what is allowed
                                                        while all others stay

So a parameter that f does not depend on has T_i = 0, whatever it is tied to. S_i also counts what
x_i tells about the others, and may be above T_i. In a mixture, or where a sentence is an equality,
nothing can change alone: there x_i gets another value and the others go to the nearest ones that
are allowed with it, and whoever reads the indices is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pathmax import gp
from pathmax.arrays import Array, Index, Mask
from pathmax.space.any_space import AnySpace
from pathmax.space.axes import Axis
from pathmax.space.grid import Grid
from pathmax.space.space import Space
from pathmax.suggestion.available_points import everything
from pathmax.suggestion.constrained_choices import allowed_points
from pathmax.trials.value_transform import ValueTransform

MOST_PLACES = 2**12  # N(d + 1) points of a path
FEWEST_DRAWN, MOST_DRAWN_POINTS = 256, 1024  # N itself
REDRAWS = 40  # values that one coordinate is given until one is allowed
SMALLEST_STEP = 1e-4  # of a coordinate that can change alone
LOOKS_FOR_EACH = 8  # points anywhere for each that is wanted, before a walk inside is begun
FIRMLY = 100.0  # what a step along a coordinate that is given weighs beside the others
STUCK = 0.05  # the share of points below which a coordinate cannot change alone


@dataclass(frozen=True, eq=False)
class ConstrainedDesign:
    """Points that obey, drawn once for all paths.

    points    (n, d) spread over what is allowed
    partners  for each coordinate the number of a point where it is nearly the same: (n,)
    moved     for each coordinate the points with another value of it: (n, d)
    tied      the names of the parameters that cannot change alone
    """

    points: Array
    partners: Sequence[Index]
    moved: Sequence[Array]
    tied: tuple[str, ...]

    @property
    def remark(self) -> str:
        """What a reader of the indices should know."""
        said = "Within the known constraints, where parameters are not independent."
        if not self.tied:
            return said
        return f"{said} {', '.join(self.tied)} cannot change alone: others move along."


def is_constrained(space: AnySpace) -> bool:
    """Whether points have to obey sentences; the rows of a pool do so by themselves."""
    return bool(space.where) and not space.is_pool


def constrained_design(space: AnySpace, rng: np.random.Generator) -> ConstrainedDesign:
    """Points of a space or a grid that obey its known constraints, and others beside them."""
    assert isinstance(space, Space | Grid), "asked for spaces with limits only"
    d = space.dimension
    n = max(FEWEST_DRAWN, min(MOST_DRAWN_POINTS, MOST_PLACES // (d + 1)))
    points = drawn(space, n, rng)
    partners = [neighbours(points[:, i], axis, rng) for i, axis in enumerate(space.axes)]
    alone = [redrawn(space, points, i, rng) for i in range(d)]
    tied = [i for i, (_, found) in enumerate(alone) if found.mean() < STUCK and i not in space.held]
    moved = [other for other, _ in alone]
    for place, i in enumerate(tied):
        beside = points[nearest(points[:, tied], place, rng.permutation(points[:, i]))]
        moved[i] = points.copy()
        moved[i][:, tied] = beside[:, tied]
        wrong = ~space.limits.holds(moved[i])  # what else they are tied to is taken along
        moved[i][wrong] = beside[wrong]
    names = tuple(space.searched_names[i] for i in tied)
    return ConstrainedDesign(
        space.settle(points), partners, [space.settle(other) for other in moved], names
    )


def drawn(space: Space | Grid, n: int, rng: np.random.Generator) -> Array:  # -> (n, d)
    """n points that obey; coordinates that are absent have some value."""
    anything = drawn_anywhere(space.axes, LOOKS_FOR_EACH * n, rng)
    table = allowed_points(space)
    if table is not None:
        points = table[rng.integers(len(table), size=n)]
    elif len(inside := anything[space.limits.holds(anything)]) >= n:
        return np.asarray(inside[:n])
    else:
        points = everything(space).domain.spread(n, rng)
    return np.where(points < 0.0, anything[:n], points)


def drawn_anywhere(axes: Sequence[Axis], n: int, rng: np.random.Generator) -> Array:  # -> (n, d)
    """n independent points. Those of a Sobol sequence avoid each other, which partners must not."""
    return np.column_stack([even_coordinates(axis, rng.random(n)) for axis in axes])


def even_coordinates(axis: Axis, v: Array) -> Array:  # (n,) uniform on [0, 1] -> (n,)
    """Coordinates that take every value of a list equally often."""
    if axis.values is None:
        return axis.project(v)
    places = np.minimum((v * len(axis.values)).astype(np.intp), len(axis.values) - 1)
    return np.asarray(axis.values[places])


def neighbours(x: Array, axis: Axis, rng: np.random.Generator) -> Index:  # (n,) -> (n,)
    """For each number another one next to it: of equal ones the next, in a random order."""
    shuffled = rng.permutation(len(x))
    order = shuffled[np.argsort(x[shuffled], kind="stable")]
    following = np.roll(order, -1)
    if axis.values is None:
        following[-1] = order[-2]
    else:  # the last of equal ones goes with the first of them
        _, starts = np.unique(x[order], return_index=True)
        ends = np.append(starts[1:], len(x)) - 1
        following[ends] = order[starts]
    partner = np.empty_like(order)
    partner[order] = following
    return partner


def nearest(points: Array, i: int, values: Array) -> Index:  # (n, k), (n,) -> (n,)
    """For each point the one nearest to it among those with that value of coordinate i, nearly."""
    wanted = points.copy()
    wanted[:, i] = values
    weight = np.ones(points.shape[1])
    weight[i] = FIRMLY
    return np.asarray(np.argmin(np.square(wanted[:, None] - points) @ weight, axis=1))


def redrawn(
    space: Space | Grid, points: Array, i: int, rng: np.random.Generator
) -> tuple[Array, Mask]:  # -> (n, d), (n,)
    """The points with coordinate i drawn again, evenly from what is allowed, and which moved.

    What was refused bounds the next try, as in slice sampling (Neal, 2003): where all that is
    allowed lies in one piece, a value of it is as likely as any other.
    """
    axis, other = space.axes[i], points.copy()
    low, high = np.zeros(len(points)), np.ones(len(points))
    left = np.arange(len(points))
    for _ in range(REDRAWS):
        if not len(left):
            break
        tried = points[left]
        here = tried[:, i].copy()
        share = rng.random(len(left))
        if axis.values is None:
            tried[:, i] = axis.project(low[left] + share * (high[left] - low[left]))
        else:
            tried[:, i] = even_coordinates(axis, share)
        fine = space.limits.holds(tried)
        other[left[fine]] = tried[fine]
        refused, left = tried[~fine, i], left[~fine]
        below = refused < here[~fine]
        low[left[below]], high[left[~below]] = refused[below], refused[~below]
    return other, np.abs(other[:, i] - points[:, i]) > SMALLEST_STEP


def constrained_indices(
    paths: gp.Paths | gp.ExactPaths, design: ConstrainedDesign, transform: ValueTransform
) -> tuple[Array, Array]:  # (p, d), (p, d)
    """First-order and total indices of each path, in the units of the user."""
    value = transform.outward(paths(design.points))
    _, power = np.frexp(np.abs(value).max())  # indices have no unit, and huge squares overflow
    value = np.ldexp(value, -power)
    centre = value.mean(axis=1, keepdims=True)
    unit = np.abs(value - centre).max(axis=1, keepdims=True)
    unit = np.where(unit > 0.0, unit, 1.0)
    value = (value - centre) / unit
    spread = np.mean(value**2, axis=1)
    spread = np.where(spread > 0.0, spread, 1.0)  # nothing varies: nothing matters
    first, total = [], []
    for partner, moved in zip(design.partners, design.moved, strict=True):
        first.append(np.mean(value * value[:, partner], axis=1) / spread)
        there = (np.ldexp(transform.outward(paths(moved)), -power) - centre) / unit
        total.append(0.5 * np.mean((value - there) ** 2, axis=1) / spread)
    return np.stack(first, axis=1), np.stack(total, axis=1)
