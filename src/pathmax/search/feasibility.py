"""Whether any point obeys known constraints, and which of them conflict when none does.

Rows, choices, whole numbers and clauses are a mixed integer programme, which SciPy's HiGHS decides:
an indicator for every part of a clause that has several, for every value of a choice, and for
every component of a mixture of which few may be present. Curves and functions take no part:
that there is no point is certain, but a point that is found has yet to be checked against them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import final

import numpy as np

from pathmax.arrays import Array
from pathmax.errors import SpaceError
from pathmax.search.clauses import Clauses
from pathmax.search.lattice import AxisLike
from pathmax.space.constraint_parts import Limits

MOST_SECONDS = 20.0  # after which a programme is given up, as if there were a point


def some_point(
    axes: Sequence[AxisLike], limits: Limits, without: Collection[int] = ()
) -> Array | None:
    """A point that obeys what can be decided, leaving out some sentences; None if there is none."""
    return Programme(axes, limits, without).solve()


def conflict(axes: Sequence[AxisLike], limits: Limits) -> SpaceError:
    """The error that names sentences of which no point obeys all, each of them needed."""
    dropped: set[int] = set()
    for sentence in range(len(limits.words)):
        if some_point(axes, limits, dropped | {sentence}) is None:
            dropped.add(sentence)
    words = [repr(text) for i, text in enumerate(limits.words) if i not in dropped]
    if len(words) == 1:
        return SpaceError(
            f"nothing can be tried: no params within the bounds obey {words[0]}; change the "
            "sentence or the bounds"
        )
    return SpaceError(
        f"nothing can be tried: {', '.join(words[:-1])} and {words[-1]} conflict, no params within "
        "the bounds obey all of them; change one of them or the bounds"
    )


@final
class Programme:
    """The variables and inequalities of one question."""

    def __init__(self, axes: Sequence[AxisLike], limits: Limits, without: Collection[int]) -> None:
        self.axes, self.limits = axes, limits
        self.clauses = Clauses(limits, len(axes))
        self.d = len(axes)
        self.low: list[float] = []
        self.high: list[float] = []
        self.whole: list[int] = []
        self.rows: list[tuple[dict[int, float], float, float]] = []
        for axis in axes:
            top = 1.0 if axis.values is None else float(axis.values[-1])
            self.variable(0.0, top, whole=False)
        used = {int(j) for row in limits.rows for j in np.flatnonzero(row.a)}
        used |= {member.column for member in limits.members}
        self.indicators = {j: self.listed(j) for j in sorted(used) if axes[j].values is not None}
        for columns, most in limits.sparse:
            present = [self.variable(0.0, 1.0, whole=True) for _ in columns]
            for column, flag in zip(columns, present, strict=True):
                self.rows.append(({column: 1.0, flag: -1.0}, -np.inf, 0.0))
            self.rows.append((dict.fromkeys(present, 1.0), -np.inf, float(most)))
        self.impossible = False
        for clause, owner in zip(limits.clauses, limits.owners, strict=True):
            if owner not in without:
                self.demand(clause)

    def variable(self, low: float, high: float, *, whole: bool) -> int:
        self.low.append(low)
        self.high.append(high)
        self.whole.append(int(whole))
        return len(self.low) - 1

    def listed(self, column: int) -> dict[float, int]:
        """An indicator for each value of a list; whole numbers of steps where it is ordered."""
        axis = self.axes[column]
        assert axis.values is not None
        values = axis.values
        gaps = np.diff(values)
        if axis.kind != "categorical" and len(values) > 1 and np.ptp(gaps) <= 1e-9:
            steps = self.variable(0.0, len(values) - 1.0, whole=True)
            self.rows.append(({column: 1.0, steps: -float(gaps.mean())}, values[0], values[0]))
            return {}
        flags = {float(v): self.variable(0.0, 1.0, whole=True) for v in values}
        self.rows.append((dict.fromkeys(flags.values(), 1.0), 1.0, 1.0))
        weighted = {flag: -v for v, flag in flags.items()}
        self.rows.append(({column: 1.0} | weighted, 0.0, 0.0))
        return flags

    def demand(self, clause: Sequence[int | None]) -> None:
        n, numeric = self.clauses.n_rows, self.clauses.n_numeric
        if any(part is None or n <= part < numeric for part in clause):
            return
        if not clause:
            self.impossible = True
            return
        parts = [part for part in clause if part is not None]
        flags = [self.variable(0.0, 1.0, whole=True) for _ in parts] if len(parts) > 1 else [None]
        if len(parts) > 1:
            self.rows.append(({f: 1.0 for f in flags if f is not None}, 1.0, np.inf))
        for part, flag in zip(parts, flags, strict=True):
            if part >= numeric:
                self.demand_member(part - numeric, flag)
            else:
                self.demand_row(part, flag)

    def demand_member(self, number: int, flag: int | None) -> None:
        member = self.limits.members[number]
        flags = self.indicators[member.column]  # of one value only where it is held
        inside = {flags[v]: 1.0 for v in member.values.tolist() if v in flags}
        if flag is None:
            self.rows.append((inside, 1.0, np.inf))
        else:
            self.rows.append((inside | {flag: -1.0}, 0.0, np.inf))

    def demand_row(self, number: int, flag: int | None) -> None:
        row = self.limits.rows[number]
        weights = {int(j): float(row.a[j]) for j in np.flatnonzero(row.a)}
        if flag is None:
            self.rows.append((weights, row.low, row.high))
            return
        least = float(np.minimum(row.a, 0.0).sum())
        most = float(np.maximum(row.a, 0.0).sum())
        if np.isfinite(row.high):
            room = max(most - row.high, 0.0)
            self.rows.append((weights | {flag: room}, -np.inf, row.high + room))
        if np.isfinite(row.low):
            room = max(row.low - least, 0.0)
            self.rows.append((weights | {flag: -room}, row.low - room, np.inf))

    def solve(self) -> Array | None:  # -> (d,)
        from scipy.optimize import Bounds, LinearConstraint, milp  # slow to import

        if self.impossible:
            return None
        A = np.zeros((len(self.rows), len(self.low)))
        for i, (weights, _, _) in enumerate(self.rows):
            for j, weight in weights.items():
                A[i, j] = weight
        low, high = [r[1] for r in self.rows], [r[2] for r in self.rows]
        found = milp(
            np.zeros(len(self.low)),
            integrality=np.array(self.whole),
            bounds=Bounds(np.array(self.low), np.array(self.high)),
            constraints=LinearConstraint(A, low, high) if len(A) else (),
            options={"time_limit": MOST_SECONDS},
        )
        if found.status == 2:
            return None
        if found.x is None:
            return np.full(self.d, 0.5)
        return np.asarray(found.x[: self.d])
