"""Find what joint sample paths promise: their front, or their highest feasible point, in a domain.

Pools and grids: every row (`targets`). In a box or a mixed space a search:

    screen    Sobol points, the data, points on faces and at corners of the cube, all by a look
    feasible  where none is, climb the worst constraint; S counts as empty when that fails too
    climb     from the best of them: each objective alone, and from points of the front that lie
              apart better in all objectives at once; again from the front that this found
    gap       from the points that the data fall short of most: climb the gap itself

A front may lie on a face of the cube (ZDT's do, with all coordinates but one at 0): every start
has copies with one coordinate, or all that the slope pushes, moved to a face.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import final

import numpy as np

from pathmax.acquisition.hypervolume import MOST, undominated_boxes
from pathmax.acquisition.joint_paths import (
    STAGES,
    AddVolume,
    Aim,
    FillGap,
    JointPaths,
    Record,
    Scale,
    Surpass,
    climb,
)
from pathmax.acquisition.pareto import pareto_mask
from pathmax.acquisition.targets import (
    Targets,
    feasible_rows,
    gaps_of,
    spreads_of,
    targets_among,
)
from pathmax.arrays import Array, Index, Mask
from pathmax.errors import ModelError
from pathmax.search.box import Box
from pathmax.search.domains import Domain, Region, Rows
from pathmax.search.lattice import Lattice
from pathmax.search.mixed import Mixed
from pathmax.search.rows import CHUNK, each_chunk
from pathmax.search.scores import Score
from pathmax.search.screening import pick_apart, scatter

LOOKS = 1024
STARTS = 24  # ascents of a stage
ALONE = 4  # of each objective
FILL = 8  # of the gap
TRIES = 8  # draws until one is feasible somewhere
LISTS = 3  # rounds of single moves along the lists of a mixed space


def promise(
    objectives: Sequence[Score],
    constraints: Sequence[Score],
    domain: Domain,
    data: Array,  # (n, d)
    rng: np.random.Generator,
    *,
    bounds: Array | None = None,  # (J,), 0 by default
    reference: Array | None = None,  # (K,)
    scales: Array | None = None,  # (d,)
    effort: float = 1.0,
) -> Targets:
    """The targets that one path of every outcome sets, over the whole domain.

    Args:
        objectives: A path of each objective, larger is better.
        constraints: A path of each constraint, which is satisfied where it is at least its bound.
        domain: Where; what is excluded takes part.
        data: The points that were evaluated.
        rng: Where to look, and which point of the front when there are no data.
        bounds: Of the constraints.
        reference: A user's reference point: the gap is then a hypervolume.
        scales: The distance over which the paths vary along each coordinate.
        effort: Multiplies looks and starts.
    """
    paths = JointPaths([*objectives, *constraints])
    bounds = np.zeros(len(constraints)) if bounds is None else np.asarray(bounds, dtype=float)
    if len(bounds) != len(constraints) or not objectives:
        raise ModelError(
            "targets need an objective and a bound for every constraint, got "
            f"{len(objectives)} objectives, {len(constraints)} constraints, {len(bounds)} bounds"
        )
    domain = domain.whole()
    at_data = paths(data) if len(data) else np.empty((0, len(paths)))
    if (rows := domain.rows()) is not None:
        values = values_on_rows(paths, rows)
        found = targets_among(values, rows.points, at_data, bounds, rng, reference=reference)
        return found if rows is domain else replace(found, index=None)
    scales = np.full(domain.dimension, 0.3) if scales is None else scales
    search = Search(paths, domain, data, at_data, rng, bounds, reference, scales, effort)
    return search.run()


def promise_of_draws(
    draw: Callable[[], tuple[Sequence[Score], Sequence[Score]]],
    domain: Domain,
    data: Array,
    rng: np.random.Generator,
    *,
    tries: int = TRIES,
    bounds: Array | None = None,
    reference: Array | None = None,
    scales: Array | None = None,
    effort: float = 1.0,
) -> Targets:
    """The targets of the first draw that is feasible somewhere, of at most `tries`; else the last.

    draw: paths of the objectives and of the constraints, new ones at every call.
    """
    for left in reversed(range(tries)):
        objectives, constraints = draw()
        found = promise(
            objectives,
            constraints,
            domain,
            data,
            rng,
            bounds=bounds,
            reference=reference,
            scales=scales,
            effort=effort,
        )
        if found.feasible or not left:
            return found
    raise ModelError(f"tries must be at least 1, got {tries}")


def values_on_rows(paths: JointPaths, domain: Rows) -> Array:  # -> (N, k)
    """All paths at every row, a chunk at a time."""
    values = np.empty((domain.cardinality, len(paths)))

    def work(rows: Index) -> None:
        values[rows] = paths(domain.points(rows))

    each_chunk(work, domain.cardinality, CHUNK)
    return values


@final
class Projected:
    """Any domain as a region: whatever leaves it is projected back."""

    def __init__(self, domain: Domain) -> None:
        self.domain = domain

    def spread(self, n: int, rng: np.random.Generator) -> Array:  # -> (n, d)
        return self.domain.spread(n, rng)

    def neighbours(self, centres: Array, n: int, scales: Array, rng: np.random.Generator) -> Array:
        return self.domain.project(scatter(centres, n, scales, rng))

    def project(self, U: Array) -> Array:  # (m, d) -> (m, d)
        return self.domain.project(U)

    def free(self, U: Array, G: Array) -> Mask:  # (m, d), (m, d) -> (m, d)
        return np.ones_like(U, dtype=bool)


def ground(domain: Domain) -> tuple[Region, Lattice | None]:
    """Where ascents can go, and which coordinates are lists."""
    if isinstance(domain, Mixed):
        return domain.region, domain.lattice
    return (domain if isinstance(domain, Box) else Projected(domain)), None


@final
class Search:
    """One search for the targets of one draw."""

    def __init__(
        self,
        paths: JointPaths,
        domain: Domain,
        data: Array,
        at_data: Array,
        rng: np.random.Generator,
        bounds: Array,
        reference: Array | None,
        scales: Array,
        effort: float,
    ) -> None:
        self.paths, self.domain, self.rng = paths, domain, rng
        self.bounds, self.reference, self.effort = bounds, reference, effort
        self.K = len(paths) - len(bounds)
        self.at_data = at_data
        self.region, self.lattice = ground(domain)
        self.scales = scales
        self.real_scales = scales.copy()  # 0 holds a coordinate
        if self.lattice is not None:
            self.real_scales[self.lattice.columns] = 0.0
        self.record = Record(domain.dimension, len(paths))
        self.record.add(data, at_data)
        self.spreads = np.ones(len(bounds))
        self.spans = np.ones(self.K)

    def run(self) -> Targets:
        self.screen()
        if len(self.bounds) and not self.feasible().any():
            self.become_feasible()
            if not self.feasible().any():
                return self.settle()
        self.spans = self.front_spans()
        if self.K == 1:
            self.climb_alone(self.count(STARTS), STAGES)
            return self.settle()
        self.climb_alone(self.count(ALONE), STAGES)
        self.climb_front()
        self.spans = self.front_spans()
        self.climb_front()
        self.spans = self.front_spans()
        self.climb_gap()
        return self.settle()

    def count(self, n: int) -> int:
        return max(2, round(self.effort * n))

    def feasible(self) -> Mask:
        return feasible_rows(self.record.values, self.bounds)

    # ---- looking

    def look(self, U: Array) -> None:
        if len(U):
            U = self.domain.project(U)
            self.record.add(U, self.paths.look(U))

    def screen(self) -> None:
        looks = max(64, round(self.effort * LOOKS))
        self.look(self.domain.spread(looks, self.rng))
        self.look(self.on_faces(self.domain.spread(looks // 2, self.rng)))
        values = self.record.values
        self.spreads = spreads_of(values, self.bounds)
        self.spans = np.maximum(values[:, : self.K].std(axis=0), np.finfo(float).tiny)
        best = self.promising(self.count(STARTS))
        self.look(scatter(best, looks // 2, self.scales, self.rng))
        self.look_around(self.promising(self.count(STARTS)))

    def on_faces(self, U: Array) -> Array:
        """Each point with some of its coordinates, one to all of them, moved to a face."""
        share = self.rng.random((len(U), 1))
        moved = self.rng.random(U.shape) < share
        if self.lattice is not None:
            moved[:, self.lattice.columns] = False
        faces = np.stack([np.zeros_like(U), np.ones_like(U)])
        low, high = self.region.project(faces[0]), self.region.project(faces[1])
        return np.where(moved, np.where(2.0 * U < low + high, low, high), U)

    def look_around(self, U: Array) -> None:
        """Single moves of good points: to a face of the cube, or along a list."""
        m, d = U.shape
        for side in (0.0, 1.0):
            moved = np.repeat(U, d, axis=0)
            column = np.tile(np.arange(d), m)
            moved[np.arange(m * d), column] = side
            self.look(moved[self.real_scales[column] > 0.0])
        if self.lattice is not None and len(self.lattice.columns):
            for _ in range(LISTS):
                self.look(self.lattice.moves(U).of(U))
                U = self.promising(len(U))

    def promising(self, n: int) -> Array:  # -> (n, d)
        """Where to go on: by every objective in turn and by all of them, at little violation."""
        values, points = self.record.values, self.record.points
        q = values[:, : self.K] / self.spans
        slack = (values[:, self.K :] - self.bounds) / self.spreads
        fault = 5.0 * np.square(np.minimum(slack, 0.0)).sum(axis=1)
        merits = [q[:, k] - fault for k in range(self.K)]
        if self.K > 1:
            merits.append(q.sum(axis=1) - fault)
        share = -(-n // len(merits))
        found = [points[pick_apart(points, merit, share, self.scales)] for merit in merits]
        if self.K > 1:
            found.append(points[self.spaced(n)])
        return np.concatenate(found)

    # ---- climbing

    def scale(self) -> Scale:
        return Scale(self.spans, self.bounds, self.spreads)

    def ascend(
        self, starts: Array, aim: Aim, stages: Sequence[tuple[int, float, float]] = STAGES
    ) -> Array:
        if not (self.real_scales > 0.0).any():
            return starts
        return climb(
            self.paths,
            starts,
            self.region,
            aim,
            self.scale(),
            self.record,
            scales=self.real_scales,
            stages=stages,
        )

    def become_feasible(self) -> None:
        """Climb the constraint that is the farthest from its bound."""
        J = len(self.bounds)
        constraints = JointPaths(self.paths.paths[self.K :])
        slack = ((self.record.values[:, self.K :] - self.bounds) / self.spreads).min(axis=1)
        starts = self.record.points[
            pick_apart(self.record.points, slack, self.count(STARTS), self.scales)
        ]
        aim = Surpass(
            np.tile(self.bounds / self.spreads, (len(starts), 1)), np.ones((len(starts), J))
        )
        record = Record(self.domain.dimension, J)
        if (self.real_scales > 0.0).any():
            nothing = np.empty(0)
            scale = Scale(self.spreads, nothing, nothing)
            climb(constraints, starts, self.region, aim, scale, record, scales=self.real_scales)
            slack = ((record.values - self.bounds) / self.spreads).min(axis=1)
            best = record.points[pick_apart(record.points, slack, self.count(STARTS), self.scales)]
            self.record.add(best, self.paths(best))
        self.look_around(starts)

    def climb_alone(self, n: int, stages: Sequence[tuple[int, float, float]]) -> None:
        """Each objective alone from its n best starts, feasible or nearly so."""
        values, points = self.record.values, self.record.points
        q = values[:, : self.K] / self.spans
        slack = np.minimum((values[:, self.K :] - self.bounds) / self.spreads, 0.0)
        starts, levels, of = [], [], []
        for k in range(self.K):
            best = []
            merit = q[:, k] - 5.0 * np.square(slack).sum(axis=1)
            best.append(pick_apart(points, merit, n, self.scales))
            if len(self.bounds):
                inside = np.flatnonzero(self.feasible())
                few = pick_apart(points[inside], q[inside, k], max(1, n // 2), self.scales)
                best.append(inside[few])
            rows = np.unique(np.concatenate(best))
            starts.append(points[rows])
            levels.append(np.zeros((len(rows), self.K)))
            of.append(np.tile(np.arange(self.K) == k, (len(rows), 1)).astype(float))
        aim = Surpass(np.concatenate(levels), np.concatenate(of))
        self.ascend(np.concatenate(starts), aim, stages)

    def climb_front(self) -> None:
        """From points of the front that lie apart, better in all objectives at once."""
        rows = self.spaced(self.count(STARTS))
        starts, values = self.record.points[rows], self.record.values[rows, : self.K]
        ends = self.ascend(starts, Surpass(values / self.spans, np.ones_like(values)))
        self.look_around(ends)

    def climb_gap(self) -> None:
        """From the points of the front that the data fall short of most, up the gap itself."""
        known = self.at_data[feasible_rows(self.at_data, self.bounds), : self.K]
        rows = self.front()
        front = self.record.values[rows, : self.K]
        if not len(known):
            return
        gaps = gaps_of(front, known, reference=self.reference)
        points = self.record.points[rows]
        best = pick_apart(points, gaps, self.count(FILL), self.scales)
        aim: Aim = FillGap(known[pareto_mask(known)] / self.spans)
        if self.reference is not None and len(self.reference) <= MOST:
            boxes = undominated_boxes(known / self.spans, self.reference / self.spans)
            top = boxes.improvement(front / self.spans).max()
            if top > 0.0:
                aim = AddVolume(boxes, float(top))
        ends = self.ascend(points[best], aim)
        values = self.paths(ends)[:, : self.K]
        self.ascend(ends, Surpass(values / self.spans, np.ones_like(values)), STAGES[1:])

    # ---- reading off

    def front(self) -> Index:
        """The rows of the record that are feasible and that no feasible row dominates."""
        rows = np.flatnonzero(self.feasible())
        return rows[pareto_mask(self.record.values[rows, : self.K])]

    def front_spans(self) -> Array:
        rows = self.front()
        spans = np.ptp(self.record.values[rows, : self.K], axis=0)
        return np.where(spans > 0.0, spans, self.spans)

    def spaced(self, n: int) -> Index:
        """At most n rows of the front, each as far as can be from those before it."""
        rows = self.front()
        if len(rows) <= n:
            return rows
        q = self.record.values[rows, : self.K] / self.spans
        first = int(np.argmax(q.sum(axis=1)))
        chosen, nearest = [first], np.abs(q - q[first]).max(axis=1)
        while len(chosen) < n:
            chosen.append(int(np.argmax(nearest)))
            nearest = np.minimum(nearest, np.abs(q - q[chosen[-1]]).max(axis=1))
        return rows[chosen]

    def settle(self) -> Targets:
        """The targets, from values that are computed again to the last digit."""
        values, points = self.record.values, self.record.points
        if not self.feasible().any():
            best = np.argsort(-self.scale().slack(values).min(axis=1), kind="stable")[:64]
        elif self.K == 1:
            inside = np.flatnonzero(self.feasible())
            best = inside[np.argsort(-values[inside, 0], kind="stable")[:64]]
        else:
            best = self.front()
        U = points[best]
        sound = np.abs(self.domain.project(U) - U).max(axis=1) <= 1e-9
        U = U[sound] if sound.any() else self.domain.project(U)
        return targets_among(
            self.paths(U),
            lambda rows: U[rows],
            self.at_data,
            self.bounds,
            self.rng,
            reference=self.reference,
            spreads=self.spreads,
            numbered=False,
        )
