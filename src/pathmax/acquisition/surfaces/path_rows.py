"""Several sample paths searched at once: each row is a point and the number of its path.

    row = (u_1, ..., u_d, i)        path i at u; the number is a coordinate that is held

Paths that share their random features share their looks, and all climb in the same rounds. That
takes a fraction of the time of one search each, for whoever wants the tops of many paths. A
suggestion wants that of one, and searches it more thoroughly.
"""

from __future__ import annotations

from typing import final

import numpy as np

from pathmax.acquisition.surfaces.path_score import glance
from pathmax.arrays import Array
from pathmax.gp.features import TURN, Features
from pathmax.gp.paths import Paths
from pathmax.gp.prior_draw import PriorDraw
from pathmax.gp.trigonometry import cosines_and_sines
from pathmax.search.box import BOX_LOOKS, Box
from pathmax.search.quasi_newton import ascend
from pathmax.search.scores import Score
from pathmax.search.screening import pick_apart

PATH_STARTS = 16  # ascents of each path
FURTHER_LOOKS = 64  # about the starts of each path
# Rounds, and how many starts of each path go on after them. On 288 paths in 2, 4 and 6 dimensions
# two tops were missed by more than 1e-3, and one by a search of each, in a third of the time.
STAGES = ((4, 3), (60, 1))
FEWEST_TOGETHER = 3  # paths, below which one search each is as quick


def searchable(paths: Paths, domain: object, d: int) -> bool:
    """Whether these paths can be searched at once: on a box, and made of plain waves."""
    if not isinstance(domain, Box) or domain.is_slice or len(paths) < FEWEST_TOGETHER:
        return False
    features = paths.features.at(d)
    return isinstance(features, Features) and features.factor(np.zeros((1, d))) is None


def climb_paths(
    paths: Paths, box: Box, hints: Array, scales: Array, rng: np.random.Generator
) -> tuple[Array, Array]:  # -> (p, d), (p,)
    """The highest point of each path, and how high it is."""
    d, p = box.dimension, len(paths)
    U = np.concatenate([box.spread(BOX_LOOKS, rng), box.project(hints)])
    seen = glance(paths, U)  # (m, p)
    unit = float(np.median(seen.max(axis=0) - np.median(seen, axis=0)))

    def highest(i: int) -> Array:  # -> (PATH_STARTS, d)
        return U[pick_apart(U, seen[:, i], PATH_STARTS, scales)]

    near = [box.neighbours(highest(i), FURTHER_LOOKS, scales, rng) for i in range(p)]
    U, seen = np.concatenate([U, *near]), np.concatenate([seen, glance(paths, np.vstack(near))])
    score, numbers = PathRows(paths, d), np.arange(p)[:, None]
    numbered = Box(d + 1, np.append(box.low, 0.0), np.append(box.high, float(p)))
    rows = np.concatenate([np.insert(highest(i), d, i, axis=1) for i in range(p)])
    for rounds, kept in STAGES:
        ascent = ascend(
            score, rows, numbered, scales=np.append(scales, 0.0), unit=unit, rounds=rounds
        )
        best = np.argsort(-ascent.values.reshape(p, -1), axis=1, kind="stable")[:, :kept]
        rows = ascent.U.reshape(p, -1, d + 1)[numbers, best].reshape(-1, d + 1)
    return rows[:, :d], ascent.values.reshape(p, -1)[numbers, best][:, 0]


@final
class PathRows(Score):
    """Paths of plain waves as one score of rows."""

    def __init__(self, paths: Paths, d: int) -> None:
        features = paths.features.at(d)
        assert isinstance(features, Features), "see `searchable`"
        draws = [PriorDraw.of(features, weights) for weights in paths.weights.T]
        self.turns, self.shift = draws[0].turns, paths.shift
        self.phases = np.stack([draw.phases for draw in draws])  # (p, F)
        self.amplitudes = np.stack([draw.amplitudes for draw in draws])
        self.v = np.ascontiguousarray(paths.shift.update.v.T)  # (p, n)

    def __call__(self, U: Array) -> Array:  # (m, d + 1) -> (m,)
        return self.value_and_gradient(U)[0]

    def value_and_gradient(self, U: Array) -> tuple[Array, Array]:  # -> (m,), (m, d + 1)
        points, number = np.ascontiguousarray(U[:, :-1]), U[:, -1].astype(np.intp)
        turns = points @ self.turns
        turns += self.phases[number]
        cos, sin = cosines_and_sines(turns)
        amplitudes = self.amplitudes[number]
        value = np.einsum("mf,mf->m", cos, amplitudes)
        sin *= amplitudes
        gradient = sin @ self.turns.T
        gradient *= -TURN
        self.shift.mean.add_to(value, points)
        self.shift.mean.add_gradient_to(gradient, points)
        update = self.shift.update
        if update.n:
            link, v = update.link(points), self.v[number]
            value += update.unit * np.einsum("mn,mn->m", link.value, v)
            gradient += update.unit * link.pull(v)
        return value, np.column_stack([gradient, np.zeros(len(U))])
