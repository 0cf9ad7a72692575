"""PIMS: the probability of improvement from the maximum of a sample path (Algorithm 2).

    g ~ posterior,   g* = max g,   x_t = argmin (g* - mean) / std,   xi_t = the minimum

The same point (Lemma A.1) as MES with the one sample g*, as GP-UCB with beta^(1/2) = xi_t, and as
GP-EST with g* for its estimate; mean + xi_t std = g* there.
"""

from __future__ import annotations

from pathmax.acquisition.improvement import ProbabilityOfImprovement
from pathmax.acquisition.step import Choice, Step


def pims(step: Step) -> Choice:
    (path,) = step.surface.samples(1)
    g_star = path.peak()
    best = step.surface.top(ProbabilityOfImprovement(g_star.value), hints=g_star.u[None])
    choice = step.choose(best, g_star=g_star.value, x_star=g_star.u, x_star_index=g_star.index)
    choice.info["xi"] = (g_star.value - choice.info["mean"]) / choice.info["std"]  # Lemma 4.1
    return choice
