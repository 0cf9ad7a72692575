"""Replicate or explore: is measuring a point again worth more than measuring a new one?

With noise, the point that looks best may only have been lucky. What a measurement at x is worth is
how much it is expected to raise the best expected value (the knowledge gradient of Frazier, Powell
and Dayanik, 2009):

    gain(x) = E[ max_i (mean_i + b_i Z) ] - max_i mean_i,     Z ~ N(0, 1),
    b_i = cov(f(x_i), f(x)) / sqrt(var f(x) + noise)

over the points that matter: those measured, and those where sample paths peak. Both kinds of point
are judged by the same number, so the two can be compared. Without noise a replicate gains nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pathmax.acquisition import Domain, normal
from pathmax.acquisition.surfaces.moved_data import lie_in
from pathmax.analysis.path_maxima import Scene, maxima
from pathmax.arrays import Array
from pathmax.errors import TrialError
from pathmax.scalars import Scalar
from pathmax.session.session import Session
from pathmax.suggestion.available_points import params_at
from pathmax.suggestion.choices import RESOLUTION

MOST_MEASURED = 100  # points, those of the largest mean: a poor one is not worth a second look
MOST_PROMISING = 50


@dataclass(frozen=True, slots=True)
class Advice:
    """Whether to measure again, and what either choice is expected to gain, in your units.

    replicate       measure a known point again?
    params          the point to measure, known or new
    trials          the trials that measured it, when it is known
    gain            what it is expected to add to the best expected value
    other_gain      what the better point of the other kind would add
    unit            what gains are in where it is not your unit: a share of the front
    """

    replicate: bool
    params: dict[str, Scalar]
    trials: tuple[int, ...]
    gain: float
    other_gain: float
    unit: str = ""

    def __str__(self) -> str:
        where = ", ".join(f"{name}={value}" for name, value in self.params.items())
        unit = f" {self.unit}" if self.unit else ""
        if max(self.gain, self.other_gain) == 0.0:
            return (
                "neither is expected to gain anything: one more measurement does not change what "
                "would be recommended; ask for a trial, or stop"
            )
        if self.replicate:
            numbers = ", ".join(map(str, self.trials))
            return (
                f"measure again: {where} (trial {numbers}); expected gain {self.gain:.3g}{unit}, "
                f"a new point {self.other_gain:.3g}"
            )
        return (
            f"measure a new point: {where}; expected gain {self.gain:.3g}{unit}, "
            f"repeating one {self.other_gain:.3g}"
        )


def single_replicate_or_explore(session: Session, n_paths: int) -> Advice:
    """`Study.replicate_or_explore`, where the arguments are described."""
    scene, past = Scene.of(session), session.history()
    if not past.n:
        raise TrialError("no trial has a value yet, so there is nothing to repeat; tell one first")
    model = scene.surface.model
    measured = np.unique(repeatable(scene.domain, past.X), axis=0)
    measured = measured[np.argsort(-model.predict(measured).mean)[:MOST_MEASURED]]
    new = _promising(scene, n_paths)
    new = new[~(np.abs(new[:, None] - past.X[None]).max(axis=2) < RESOLUTION).any(axis=1)]
    points = np.concatenate([measured, new])
    mean, covariance = model.joint(points)
    gains = knowledge_gradient(mean, covariance, model.noise)
    again, fresh = gains[: len(measured)], gains[len(measured) :]
    replicate = not len(new) or bool(again.max() > fresh.max())
    chosen = int(np.argmax(again)) if replicate else len(measured) + int(np.argmax(fresh))
    other = fresh.max(initial=0.0) if replicate else again.max()
    gain, instead = (_outward(scene, mean, float(each)) for each in (gains[chosen], other))
    return advised(session, points[chosen], replicate, gain, instead)


def advised(
    session: Session, point: Array, replicate: bool, gain: float, other: float, unit: str = ""
) -> Advice:
    """To measure a point (d,), with the trials that were there before."""
    past, params = session.history(), params_at(session.problem.space, point, None)
    here = np.abs(past.X - point).max(axis=1) < RESOLUTION
    trials = tuple(number for number, same in zip(past.numbers, here, strict=True) if same)
    return Advice(replicate, params, trials, gain, other, unit)


def repeatable(domain: Domain, X: Array) -> Array:  # (n, d) -> (k, d)
    """Which results can be measured again: in a context those that were measured in it."""
    found = X[lie_in(domain, X)] if domain.is_slice else X
    if not len(found):
        raise TrialError(
            "nothing was measured in this context yet, or at the target of the fidelity, so there "
            "is nothing to repeat; ask for a trial there first"
        )
    return found


def _promising(scene: Scene, n_paths: int) -> Array:  # -> (m, d)
    """Points that may turn out best: the tops of paths, and high confidence bounds where listed."""
    points = [maxima(scene, n_paths).u, scene.recommended.u[None]]
    if (rows := scene.domain.rows()) is not None and rows is scene.domain:
        mean, std = scene.surface.moments()
        points.append(rows.points(np.argsort(-(mean + 2.0 * std))[:MOST_PROMISING]))
    return np.unique(np.concatenate(points), axis=0)


def knowledge_gradient(mean: Array, covariance: Array, noise: float) -> Array:
    """The gain of a measurement at each point: (m,), (m, m) -> (m,)."""
    spread = np.sqrt(np.diagonal(covariance) + noise)
    b = covariance / np.maximum(spread, np.finfo(float).tiny)  # column x: the change at each point
    return np.array([expected_rise(mean, column) for column in b.T])


def expected_rise(a: Array, b: Array) -> float:  # (m,), (m,)
    """E[max_i (a_i + b_i Z)] - max_i a_i, exactly.

    The maximum is convex and piecewise linear in Z. Where a line of slope b_j takes over from one
    of slope b_i < b_j, at Z = c, it gains (b_j - b_i) (phi(|c|) - |c| Phi(-|c|)).
    """
    order = np.lexsort((a, b))
    a, b = a[order], b[order]
    steeper = np.append(np.diff(b) > 0.0, True)  # of equal slopes the highest line
    a, b = a[steeper], b[steeper]
    lines, turns = [0], [-np.inf]
    for j in range(1, len(a)):
        while True:
            i = lines[-1]
            turn = (a[i] - a[j]) / (b[j] - b[i])
            if turn > turns[-1] or len(lines) == 1:
                break
            lines.pop()
            turns.pop()
        lines.append(j)
        turns.append(turn)
    c = np.abs(turns[1:])
    with np.errstate(over="ignore", under="ignore"):
        left = np.exp(normal.log_density(c)) - c * np.exp(normal.log_cdf(-c))
    return float(np.sum(np.diff(b[lines]) * np.maximum(left, 0.0)))


def _outward(scene: Scene, mean: Array, gain: float) -> float:
    """A gain of the best mean in the user's units."""
    best = float(mean.max())
    before, after = scene.transform.outward([best, best + gain])
    return float(abs(after - before))
