"""Quasi-Newton descent in a box, for a handful of variables and a costly function.

BFGS with the dense Hessian approximation B, on the variables that no bound holds:

    p = -B_FF^{-1} g_F,    x(t) = clip(x + t p),    f(x(t)) <= f(x) + 1e-4 g'(x(t) - x)

It stops when the quadratic model promises less than `tolerance` from another step. On a log
posterior that is a statement in nats, which a relative tolerance is not. It takes fewer evaluations
than SciPy's L-BFGS-B (benchmarks/choices.md), and scipy.optimize need not be imported.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from pathmax.arrays import Array, Mask
from pathmax.gp.linalg import solve_small


class Descent(NamedTuple):
    x: Array  # (p,)
    value: float
    evaluations: int
    hessian: Array  # (p, p) what was learnt of it


def descend(
    f: Callable[[Array], tuple[float, Array]],  # (p,) -> value, gradient (p,)
    start: Array,
    low: Array,
    high: Array,
    hessian: Array,  # (p, p) a guess, positive definite
    *,
    tolerance: float,
    max_evaluations: int,
    longest_step: float,
) -> Descent:
    """The best point found from `start`. A value of inf means that f is not defined there."""
    x = np.minimum(np.maximum(start, low), high)
    value, gradient = f(x)
    evaluations = 1
    B, fixed = hessian, low >= high
    while math.isfinite(value) and evaluations < max_evaluations:
        held = ((x <= low) & (gradient > 0.0)) | ((x >= high) & (gradient < 0.0)) | fixed
        step = _newton_step(B, gradient, held if held.any() else None)
        if step is None:  # rounding of very large or small values made B singular
            if B is hessian:
                break
            B = hessian
            continue
        promise = -0.5 * float(gradient @ step)
        if not promise > tolerance:
            break
        longest = float(np.abs(step).max())
        t = min(1.0, longest_step / longest)
        while evaluations < max_evaluations:
            trial = np.minimum(np.maximum(x + t * step, low), high)
            moved = trial - x
            trial_value, trial_gradient = f(trial)
            evaluations += 1
            slope = float(gradient @ moved)
            if trial_value <= value + 1e-4 * slope:
                break
            # the parabola through value, slope and trial_value; a tenth when that says nothing
            rise = trial_value - value - slope
            t *= min(0.5, max(0.1, -0.5 * slope / rise)) if math.isfinite(rise) else 0.1
            if t * longest < 1e-6:
                return Descent(x, value, evaluations, B)
        else:
            break
        B = _updated(B, moved, trial_gradient - gradient)
        x, value, gradient = trial, trial_value, trial_gradient
    return Descent(x, value, evaluations, B)


def _newton_step(B: Array, gradient: Array, held: Mask | None) -> Array | None:  # -> (p,)
    """-B^{-1} g on the variables that are not held; None if B is singular."""
    if held is None:
        return solve_small(B, -gradient)
    step, free = np.zeros(len(gradient)), np.flatnonzero(~held)
    moves = solve_small(B[np.ix_(free, free)], -gradient[free])
    if moves is None:
        return None
    step[free] = moves
    return step


def _updated(B: Array, moved: Array, turned: Array) -> Array:
    """The BFGS update, damped (Powell 1978) so that B stays positive definite."""
    along = B @ moved
    expected = float(moved @ along)
    seen = float(moved @ turned)
    if expected <= 0.0:
        return B
    if seen < 0.2 * expected:
        damping = 0.8 * expected / (expected - seen)
        turned = damping * turned + (1.0 - damping) * along
        seen = float(moved @ turned)
    updated = B - (along[:, None] * along) / expected
    updated += (turned[:, None] * turned) / seen
    return updated
