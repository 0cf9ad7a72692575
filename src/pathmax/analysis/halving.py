"""Successive halving as people know it: at certain steps only the best go on.

    rungs       min_steps, min_steps * reduction, min_steps * reduction^2, ...
    ASHA        a trial that comes to a rung goes on if it is among the best 1 / reduction of all
                that came there before it, the first one always (Li et al. 2020, arXiv 1810.05934)
    Hyperband   brackets, the first with all rungs, the next without the lowest, and so on to one
                that never stops; trials are dealt out so that brackets cost alike, and compete
                within theirs (Li et al. 2018, JMLR 18; asynchronous, as in Optuna)

With several outcomes trials are ranked by layers of the front, those within all bounds first (as
in Schmucker et al. 2021, arXiv 2106.12639, for ASHA).
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Mapping, Sequence

import numpy as np

from pathmax.arrays import Array
from pathmax.suggestion.stopping_rule import StoppingRule
from pathmax.trials.curves import Curves, TrialCurve
from pathmax.trials.goals import Goals
from pathmax.trials.pareto import pareto_mask

OUTSIDE_BOUNDS = 1e6  # layers that no front has: those outside their bounds come after all others


def falls_behind(
    rule: StoppingRule, curves: Curves, number: int, goals: Goals, *, first: int = 0
) -> int | None:
    """The rung at which a trial falls behind with its last report, if it does.

    `first` is the first rung that counts, and `curves` are those it competes with.
    """
    curve = curves[number]
    for rung in _reached(rule, curve, first):
        there = [n for n, c in curves.items() if (c.last_step or 0) >= rung]
        ranks = rank([_at(curves[n], goals, rung) for n in there], goals)
        mine = ranks[there.index(number)]
        going_on = np.sort(ranks)[::-1][max(1, len(there) // rule.reduction) - 1]
        if not mine >= going_on:
            return rung
    return None


def bracket_of(rule: StoppingRule, steps: int, key: str) -> int:
    """Which bracket of Hyperband a trial belongs to, by a key of its own."""
    shares = [
        _share(rule, brackets(rule, steps), bracket) for bracket in range(brackets(rule, steps))
    ]
    place = zlib.crc32(key.encode()) % sum(shares)
    return next(b for b in range(len(shares)) if place < sum(shares[: b + 1]))


def brackets(rule: StoppingRule, steps: int) -> int:
    """How many brackets trials of so many steps have."""
    most = max(1.0, steps / rule.min_steps)
    return int(math.log(most) / math.log(rule.reduction) + 1e-9) + 1


def _share(rule: StoppingRule, count: int, bracket: int) -> int:
    """How many trials of a round a bracket gets, so that each bracket costs about the same."""
    s = count - 1 - bracket
    return math.ceil(count * float(rule.reduction) ** s / (s + 1))


def _reached(rule: StoppingRule, curve: TrialCurve, first: int) -> Sequence[int]:
    """The rungs that the last report of a trial has come to, and the one before had not."""
    *_, before, last = (-1, *curve.points)
    rungs, rung = [], rule.min_steps * rule.reduction**first
    while rung <= last:
        rungs += [rung] if rung > before else []
        rung *= rule.reduction
    return rungs


def _at(curve: TrialCurve, goals: Goals, rung: int) -> Mapping[str, float]:
    """What a trial had come to when it came to the rung: its first report from there on."""
    step = min(step for step in curve.points if step >= rung)
    found = {goal.name: curve.at(goal.name, step) for goal in goals}
    return {name: math.nan if value is None else value for name, value in found.items()}


def rank(seen: Sequence[Mapping[str, float]], goals: Goals) -> Array:  # -> (n,)
    """A number for each, larger is better; what is not a number is worst of all."""
    Y = np.array([[goal.sign * each[goal.name] for goal in goals.objectives] for each in seen])
    lost = np.isnan(Y).any(axis=1)
    if goals.is_single:
        return np.where(lost, -np.inf, Y[:, 0])
    broken = np.zeros(len(Y))
    for goal in goals.constraints:
        values = np.array([each[goal.name] for each in seen])
        lost |= np.isnan(values)
        scale = float(np.nanstd(values)) or 1.0
        broken += [0.0 if math.isnan(v) else goal.violation(v) / scale for v in values]
    ranks = np.where(broken > 0.0, -OUTSIDE_BOUNDS - broken, 0.0)
    left, layer = np.flatnonzero((broken == 0.0) & ~lost), 0
    while len(left):
        top = pareto_mask(Y[left])
        ranks[left[top]] = -layer
        left, layer = left[~top], layer + 1
    return np.where(lost, -np.inf, ranks)
