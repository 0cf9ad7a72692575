"""The search for what joint sample paths promise, where there are real coordinates.

    screen    Sobol points, the data, points on faces and at corners of the cube, all by a look
    feasible  where none is, climb the worst constraint; if that fails, none counts as feasible
    alone     each objective by itself from its best looks, for the ends of the front
    front     from points of the front that lie apart, better in all objectives at once
    gap       from the points that the data fall short of most, up the gap itself

Climbs are those of `joint_paths`. A front may lie on a face of the cube (ZDT's do, with all
coordinates but one at 0): good points have copies with one coordinate moved to a face.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

import numpy as np

from pathmax.acquisition.aims import AddVolume, Aim, FillGap, Surpass
from pathmax.acquisition.front_looks import on_faces
from pathmax.acquisition.hypervolume import MOST_OBJECTIVES, undominated_boxes
from pathmax.acquisition.joint_paths import OutcomeScale, Record, Stage, climb_jointly
from pathmax.acquisition.path_columns import JointPaths
from pathmax.acquisition.targets import Targets, feasible_rows, gaps_of, spreads_of, targets_among
from pathmax.arrays import Array, Index, Mask
from pathmax.search.domains import Domain
from pathmax.search.screening import pick_apart, scatter
from pathmax.trials.pareto import pareto_mask

FRONT_LOOKS = 1024
FRONT = 16  # ascents from the front
GAP_FILLERS = 8  # ascents up the gap
TO_FRONT = (Stage(10, 10.0, 0.05), Stage(8, 40.0, 0.01))
TO_GAP = (Stage(12, 10.0, 0.05), Stage(8, 40.0, 0.01))
POLISH = (Stage(6, 160.0, 0.002),)
TO_FEASIBLE = (Stage(14, 1.0, 0.05, 8), Stage(10, 1.0, 0.01, 4), Stage(10, 1.0, 0.002))
LISTS = 3  # rounds of single moves along the lists of a mixed space


def alone(d: int) -> int:
    """How many ascents of one objective begin: paths have many local maxima."""
    return min(48, 12 + 4 * d)


@final
class FrontSearch:
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
        self.region, self.lattice = domain.region, domain.lattice
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
            self.climb_alone(0)
            return self.settle()
        for k in range(self.K):
            self.climb_alone(k)
        self.climb_front(self.count(FRONT), TO_FRONT)
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
        looks = max(64, round(self.effort * FRONT_LOOKS))
        self.look(self.domain.spread(looks, self.rng))
        self.look(on_faces(self.domain, self.domain.spread(looks // 2, self.rng), self.rng))
        values = self.record.values
        self.spreads = spreads_of(values, self.bounds)
        self.spans = np.maximum(values[:, : self.K].std(axis=0), np.finfo(float).tiny)
        best = self.promising(self.count(FRONT))
        self.look(scatter(best, looks // 2, self.scales, self.rng))
        self.look_around(self.promising(self.count(FRONT)))

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
        fault = self.fault()
        merits = [q[:, k] - fault for k in range(self.K)]
        if self.K > 1:
            merits.append(q.sum(axis=1) - fault)
        share = -(-n // len(merits))
        found = [points[pick_apart(points, merit, share, self.scales)] for merit in merits]
        if self.K > 1:
            found.append(points[self.spaced(n)])
        return np.concatenate(found)

    # ---- climbing

    def scale(self) -> OutcomeScale:
        return OutcomeScale(self.spans, self.bounds, self.spreads)

    def ascend(self, starts: Array, aim: Aim, stages: Sequence[Stage]) -> Array:
        if not (self.real_scales > 0.0).any():
            return starts
        return climb_jointly(
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
            pick_apart(self.record.points, slack, self.count(FRONT), self.scales)
        ]
        aim = Surpass(
            np.tile(self.bounds / self.spreads, (len(starts), 1)), np.ones((len(starts), J))
        )
        record = Record(self.domain.dimension, J)
        if (self.real_scales > 0.0).any():
            nothing = np.empty(0)
            scale = OutcomeScale(self.spreads, nothing, nothing)
            climb_jointly(
                constraints,
                starts,
                self.region,
                aim,
                scale,
                record,
                scales=self.real_scales,
                stages=TO_FEASIBLE,
            )
            slack = ((record.values - self.bounds) / self.spreads).min(axis=1)
            best = record.points[pick_apart(record.points, slack, self.count(FRONT), self.scales)]
            self.record.add(best, self.paths(best))
        self.look_around(starts)

    def climb_alone(self, k: int) -> None:
        """One objective: from its best looks, feasible, nearly so or not at all."""
        values, points = self.record.values, self.record.points
        q = values[:, k] / self.spans[k]
        n = self.count(alone(self.domain.dimension))
        rows = [pick_apart(points, q - self.fault(), n, self.scales)]
        if len(self.bounds):
            inside = np.flatnonzero(self.feasible())
            rows.append(inside[pick_apart(points[inside], q[inside], n // 2, self.scales)])
        starts = points[np.unique(np.concatenate(rows))]
        of = np.tile(np.arange(self.K) == k, (len(starts), 1)).astype(float)
        few = self.count(6)
        stages = (Stage(8, 10.0, 0.05, 2 * few), Stage(10, 20.0, 0.02, few), Stage(12, 80.0, 0.01))
        self.ascend(starts, Surpass(np.zeros_like(of), of), stages)

    def fault(self) -> Array:  # -> (N,)
        """What looks lose for violating constraints, in spans."""
        slack = self.scale().slack(self.record.values)
        return np.asarray(5.0 * np.square(np.minimum(slack, 0.0)).sum(axis=1))

    def climb_front(self, n: int, stages: Sequence[Stage]) -> None:
        """From n points of the front that lie apart, better in all objectives at once."""
        rows = self.spaced(n)
        starts, values = self.record.points[rows], self.record.values[rows, : self.K]
        ends = self.ascend(starts, Surpass(values / self.spans, np.ones_like(values)), stages)
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
        best = pick_apart(points, gaps, self.count(GAP_FILLERS), self.scales)
        aim: Aim = FillGap(known[pareto_mask(known)] / self.spans)
        if self.reference is not None and len(self.reference) <= MOST_OBJECTIVES:
            boxes = undominated_boxes(known / self.spans, self.reference / self.spans)
            top = boxes.improvement(front / self.spans).max()
            if top > 0.0:
                aim = AddVolume(boxes, float(top))
        ends = self.ascend(points[best], aim, TO_GAP)
        values = self.paths(ends)[:, : self.K]
        self.ascend(ends, Surpass(values / self.spans, np.ones_like(values)), POLISH)

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
        """The targets, from values that are computed again in double precision."""
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
