"""Many quasi-Newton ascents in a region, such as a box, at once.

All starts move together and every round is one call of the score for all of them, but each keeps
its own inverse Hessian (S, d, d): one for the sum of all scores would fit none of them.
There is no inner line search. In each round a start either accepts its trial point, updates its
curvature and takes a full step, or rejects it and comes back with a shorter one:

    trial   project(u + step H g)           g the gradient, 0 where a bound holds it
    accept  f(trial) >= f + 1e-4 g'(trial - u)                              (Armijo)
    H       BFGS on the coordinates that are free; grown fourfold where the slope got steeper
    step H g is never longer than a length scale, farther than which a slope says nothing

Values are counted in units of how much they differ over the region. A start is done when neither
its last gain nor the gain that H predicts is worth `tolerance`.

With `cuts` only the best maximum is wanted. Starts are many at first and few at last: after some
rounds only the most promising go on, those with the largest f + g'H g, the value that H predicts
and as much again, and the one with the largest f. A start is given up when HOPE times its last gain
or, early on, the predicted one would not bring it up to the best, when it has come close to a
better one, and when it, or the end of its next step, is close to where the best is or has ended.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, final

import numpy as np

from pathmax.arrays import Array, Mask
from pathmax.search.regions import InProduct, Region
from pathmax.search.scores import Score
from pathmax.search.update_sums import UpdateSum

ARMIJO = 1e-4
FIRST_STEP = 0.2  # length scales
LONGEST_CLIMB = 1.0  # length scales
# Giving starts up saves a quarter to half of the rounds and misses no more: benchmarks/searches.md
SETTLED = 5  # rounds before which no start is given up: H is not yet shaped by the score
HOPE = 16.0  # how many times its last or predicted gain a start may still gain
PROVEN = 12  # rounds after which only the last gain counts, no longer the one that H predicts
CLOSE = 0.2  # length scales: nearer than this two starts climb to the same maximum
SMALLEST_UNIT = 1e-300  # unit, so that dividing by it does not overflow
IN_CACHE = 1 << 17  # numbers: 1 MB
MANY_DIMENSIONS = 64  # from which on H is kept as its updates: benchmarks/searches.md
NO_CUTS: Mapping[int, int] = {}


class Ascent(NamedTuple):
    """Where S ascents ended."""

    U: Array  # (S, d)
    values: Array  # (S,)
    rounds: int  # calls of the score


@np.errstate(over="ignore", invalid="ignore")  # what overflows is refused
def ascend(
    score: Score,
    starts: Array,  # (S, d)
    region: Region,
    *,
    scales: Array,  # (d,) the distance over which the score changes; 0 holds a coordinate fixed
    unit: float,  # by how much scores differ over the cube
    tolerance: float = 1e-6,  # units
    rounds: int = 60,
    cuts: Mapping[int, int] = NO_CUTS,  # {round: how many starts go on after it}
    enough: float = math.inf,  # once a start is above it, all end where they are
) -> Ascent:
    """Climb from each start to a local maximum of the region; with cuts, from the best."""
    unit = max(unit, SMALLEST_UNIT)

    def evaluate(U: Array) -> tuple[Array, Array]:
        value, gradient = score.value_and_gradient(U)
        return value / unit, gradient / unit

    end, end_values = starts.copy(), np.empty(len(starts))
    climb = Climb(starts, *evaluate(starts), scales * scales, region)
    best, summit = climb.best()
    rows = np.arange(len(starts))  # where the starts that still climb belong
    count = 1
    while count < rounds and unit * best <= enough:
        trial = climb.trial()
        climb.judge(trial, *evaluate(trial))
        going = climb.going(tolerance)
        highest, place = climb.best()
        if highest > best:
            best, summit = highest, place
        if cuts and count >= SETTLED:
            hope = climb.gain if count >= PROVEN else np.maximum(climb.slope, climb.gain)
            going &= climb.f + HOPE * hope >= best
            going &= climb.alone(best, summit)
        left = int(np.count_nonzero(going))
        allowed = cuts.get(count, len(rows))
        count += 1
        if left > allowed:
            promise = np.where(going, climb.f + climb.slope, -np.inf)
            promise[np.argmax(np.where(going, climb.f, -np.inf))] = np.inf  # the best goes on
            going[np.argsort(-promise, kind="stable")[allowed:]] = False
            left = allowed
        if 4 * left <= 3 * len(rows):  # fewer rows are cheaper, but cutting costs too
            end[rows], end_values[rows] = climb.U, climb.f
            if not left:
                break
            rows = rows[going]
            climb.keep(going)
    end[rows], end_values[rows] = climb.U, climb.f
    return Ascent(end, unit * end_values, count)


@final
@dataclass
class Climb:
    """The state of the starts that still climb."""

    U: Array  # (S, d)
    f: Array  # (S,)
    G: Array  # (S, d)
    metric: Array  # (d,) squared scales
    region: Region

    def __post_init__(self) -> None:
        S, d = self.U.shape
        self.held = self.metric <= 0.0 if (self.metric <= 0.0).any() else None
        # held coordinates do not move; starts that differ in one are far apart
        self.per_metric = 1.0 / np.maximum(self.metric, 1e-12)
        self.step = np.ones(S)
        self.gained = np.ones(S, dtype=bool)
        self.gain = np.full(S, np.inf)
        self.fresh = np.ones(S, dtype=bool)  # H is the metric, not yet shaped by a step
        listed = d >= MANY_DIMENSIONS and isinstance(self.region.about(self.U), InProduct)
        self.H: Any = UpdateSum(S, d) if listed else np.empty((S, d, d))  # what `place` takes
        self.restart(self.fresh)
        self.aim()

    def restart(self, which: Mask) -> None:
        """Set H of some starts to the metric, scaled to a first step of FIRST_STEP."""
        length = np.sqrt((self.G * self.G) @ self.metric)
        scale = FIRST_STEP / np.maximum(length, np.finfo(float).tiny)
        if isinstance(self.H, UpdateSum):
            self.H.restart(which, scale[:, None] * self.metric)
            return
        rows, i = np.flatnonzero(which)[:, None], np.arange(len(self.metric))
        self.H[which] = 0.0
        self.H[rows, i, i] = scale[rows] * self.metric

    def aim(self) -> None:
        """P = H g in the free coordinates, and the slope g'P along it."""
        self.next: Array | None = None
        self.place = self.region.about(self.U)
        self.P, g = self.place.direct(self.G, self.H, self.held)
        self.slope = np.einsum("sd,sd->s", self.P, g)
        length = (self.P * self.P) @ self.per_metric
        if (length > LONGEST_CLIMB**2).any():  # a NaN takes no part
            shorter = LONGEST_CLIMB / np.sqrt(np.maximum(length, LONGEST_CLIMB**2))
            self.P *= shorter[:, None]
            self.slope *= shorter
        if not math.isfinite(self.slope.sum()):
            sound = np.isfinite(self.slope)
            self.P[~sound], self.slope[~sound] = 0.0, 0.0

    def trial(self) -> Array:  # -> (S, d)
        """Where the next steps end."""
        if self.next is None:
            self.next = self._next()
        return self.next

    def _next(self) -> Array:  # -> (S, d)
        step = self.step[:, None] * self.P
        ahead = self.place.ahead(step)
        if not self.region.is_product:
            # the nearest point may lie downhill; where the way leaves the region does not
            down = np.flatnonzero(np.einsum("sd,sd->s", ahead - self.U, self.G) <= 0.0)
            if len(down):
                ahead[down] = self.place.along(step, down)
        if self.held is not None:  # a category's code may lie outside the unit interval
            ahead[:, self.held] = self.U[:, self.held]
        return ahead

    def judge(self, trial: Array, f: Array, G: Array) -> None:
        """Take or refuse the trial points."""
        moved = trial - self.U
        rise = np.einsum("sd,sd->s", moved, self.G)
        gain = f - self.f
        accepted = gain >= ARMIJO * rise  # False for NaN
        accepted &= rise > 0.0
        if accepted.all():
            self.learn(moved, self.G - G)
            self.U, self.f, self.G, self.gain = trial, f, G, gain
            self.step.fill(1.0)
            self.fresh.fill(False)
            self.gained = accepted
            self.aim()
            return
        column = accepted[:, None]
        # the parabola through f, its slope and the refused value tops at rise / 2 (rise - gain)
        refused = np.isfinite(gain) & ~accepted & (rise > gain)
        shrink = 0.5 * rise / np.where(refused, rise - gain, 1.0)
        shrink = np.where(refused, np.minimum(np.maximum(shrink, 0.1), 0.5), 0.1)
        self.step = np.where(accepted, 1.0, self.step * shrink)
        self.learn(np.where(column, moved, 0.0), np.where(column, self.G - G, 0.0))
        self.U, self.G = np.where(column, trial, self.U), np.where(column, G, self.G)
        self.f = np.where(accepted, f, self.f)
        self.gain = np.where(accepted, gain, 0.5 * self.gain)  # a refused step promises less
        self.fresh &= ~accepted
        self.gained = accepted
        lost = (self.step < 1e-6) & ~self.fresh  # H is of no use here: begin again
        if lost.any():
            self.restart(lost)
            self.fresh |= lost
            self.step[lost] = 1.0
        self.aim()

    def learn(self, moved: Array, fallen: Array) -> None:
        """BFGS with the step `moved` and the fall of the gradient along it (0 where refused)."""
        fallen = fallen * (moved != 0.0)  # what a bound holds says nothing about the free ones
        H = self.H
        curvature = np.einsum("sd,sd->s", moved, fallen)
        H_fallen = (H @ fallen[:, :, None])[:, :, 0]
        spread = np.einsum("sd,sd->s", fallen, H_fallen)
        useful = curvature > 1e-10 * spread  # False for NaN, and where there was no step
        # the first useful step sets the scale of H (Nocedal and Wright, eq. 6.20)
        if not useful.all() or self.fresh.any():
            first = self.fresh & useful & (spread > 0.0)
            scale = np.where(first, curvature / np.where(first, spread, 1.0), 1.0)
            scale = np.where(~useful & moved.any(axis=1), 4.0, scale)
            H *= scale[:, None, None]
            H_fallen *= scale[:, None]
            spread *= scale
            curvature = np.where(useful, curvature, np.inf)
        rho = (1.0 / curvature)[:, None]
        turn = rho * ((0.5 + 0.5 * rho * spread[:, None]) * moved - H_fallen)
        add_outer_products(H, turn, moved)

    def going(self, tolerance: float) -> Mask:  # -> (S,) bool
        promising: Mask = self.slope > tolerance
        promising |= self.gained & (self.gain > tolerance)
        promising &= self.step > 1e-9
        return promising

    def best(self) -> tuple[float, Array]:  # -> value, (d,)
        """The highest start and where it is."""
        i = int(np.argmax(self.f))
        return float(self.f[i]), self.U[i]

    def alone(self, best: float, summit: Array) -> Mask:  # (d,) -> (S,) bool
        """Whether no better start is close, and neither it nor its next step is at the summit.

        The summit is where the best start is, or has ended.
        """
        if len(self.f) == 1 and self.f[0] >= best:
            return np.ones(1, dtype=bool)
        weighted = self.U * self.per_metric
        square = np.einsum("sd,sd->s", weighted, self.U)
        near = square[:, None] + square - 2.0 * (weighted @ self.U.T) < CLOSE**2
        near &= self.f[:, None] < self.f
        taken = near.any(axis=1)
        off = self.U - summit
        at_summit = (off * off) @ self.per_metric < CLOSE**2
        off = self.trial() - summit
        at_summit |= (off * off) @ self.per_metric < CLOSE**2
        taken |= at_summit & (self.f < best)
        return np.asarray(~taken)

    def keep(self, going: Mask) -> None:
        """Go on with some of the starts only."""
        for name in ("U", "f", "G", "H", "P", "slope", "step", "gain", "gained", "fresh"):
            setattr(self, name, getattr(self, name)[going])
        if self.next is None:
            self.place = self.region.about(self.U)
        else:
            self.next = self.next[going]  # where the rest is, the next round asks anew


def add_outer_products(H: Array | UpdateSum, a: Array, b: Array) -> None:  # (S, d), (S, d)
    """H += a b' + b a' of each start."""
    if isinstance(H, UpdateSum):
        H.add_outer_products(a, b)
    elif H.size <= IN_CACHE:
        outer = a[:, :, None] * b[:, None, :]
        H += outer
        H += outer.transpose(0, 2, 1)
    else:  # under known constraints, in many dimensions
        for whole, x, y in zip(H, a, b, strict=True):
            step = max(1, IN_CACHE // (4 * len(x)))  # rows that stay in the cache meanwhile
            for first in range(0, len(x), step):
                some = slice(first, first + step)
                whole[some] += x[some, None] * y
                whole[some] += y[some, None] * x
