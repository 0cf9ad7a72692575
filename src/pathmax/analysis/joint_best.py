"""Which rows or regions may be on the front, or the best within the bounds.

    several objectives       the probability of a row to be on the front; of a region to hold a
                             part of it. They sum to more than 1
    one objective, bounds    the probability to be the best of those that keep every bound. What is
                             missing to 1 is the probability that nothing keeps them

The share of joint sample paths, as with one objective (`best`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pathmax.acquisition.targets import Targets
from pathmax.analysis.best import Ranking, alike_as_one, extent_of, near, regions, tried_of
from pathmax.analysis.joint_path_maxima import JointPathMaxima
from pathmax.analysis.joint_predictions import feasibility, spread_out
from pathmax.analysis.library_best import listed_rows
from pathmax.arrays import Array
from pathmax.search.row_sources import RowSource
from pathmax.session.session import Session
from pathmax.suggestion.available_points import everything
from pathmax.suggestion.beliefs import mixture

MOST_FRONT_POINTS = 2000  # of all fronts together that are gathered into regions


def joint_best_probabilities(session: Session, n_paths: int) -> Ranking:
    """`Study.best_probabilities` with several outcomes."""
    scene = JointPathMaxima.of(session)
    drawn = list(scene.draws(n_paths))
    if (source := scene.scene.domain.row_source) is not None:
        return _of_library(session, scene, source, drawn)
    if scene.scene.domain.is_numbered:
        return _of_rows(session, scene, drawn)
    return _of_regions(session, scene, drawn)


def _of_rows(session: Session, scene: JointPathMaxima, drawn: Sequence[Targets]) -> Ranking:
    domain, choices = scene.scene.domain.rows(), everything(session.problem.space.at_target)
    assert domain is not None, "only points of finite domains have numbers"
    tried = tried_of(choices, domain, session.history())
    fronts = []
    for found in drawn:
        assert found.rows is not None, "a draw on numbered points has the numbers of its front"
        fronts.append(found.rows if scene.several else found.rows[:1])
    seen = np.unique(np.concatenate(fronts))
    one = alike_as_one(domain, seen, tried)  # which of them is better, rounding would decide
    count = np.zeros(domain.cardinality)
    for rows in fronts:
        count[np.unique(one[np.searchsorted(seen, rows)])] += 1.0
    points = domain.points(np.arange(domain.cardinality))
    return Ranking(
        probability=count / len(drawn), tried=tried, n_paths=len(drawn), exact=scene.exact,
        params=lambda row: choices.params(points[row], row), **_expected(scene, points),
    )  # fmt: skip


def _of_library(
    session: Session, scene: JointPathMaxima, source: RowSource, drawn: Sequence[Targets]
) -> Ranking:
    """The rows that are on the front of a draw, or best within the bounds; others are not."""
    choices, history = everything(session.problem.space), session.history()
    fronts = [found.rows for found in drawn if found.rows is not None and found.feasible]
    tops = np.concatenate([*(f if scene.several else f[:1] for f in fronts), np.arange(0)])
    first = scene.landscape.problem.goals.first.name
    rows = listed_rows(source, scene.scene.outcomes[first].model, tops)
    count = np.bincount(np.searchsorted(rows, tops), minlength=len(rows))
    points = source.points(rows)
    return Ranking(
        probability=count / len(drawn),
        tried=np.isin(rows, history.rows[: history.n]),
        n_paths=len(drawn),
        exact=scene.exact,
        params=lambda i: choices.params(points[i], int(rows[i])),
        total=source.cardinality,
        **_expected(scene, points),
    )


def _of_regions(session: Session, scene: JointPathMaxima, drawn: Sequence[Targets]) -> Ranking:
    space, choices = session.problem.space, everything(session.problem.space)
    each = max(2, MOST_FRONT_POINTS // len(drawn))
    parts = [found.points[spread_out(found.front, each)] for found in drawn if found.feasible]
    owner = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    points = np.concatenate(parts) if parts else np.empty((0, space.dimension))
    scales = scene.scene.scales
    label = regions(near(points, points, scales, space.axes))
    members = [np.flatnonzero(label == region) for region in range(int(label.max(initial=-1)) + 1)]
    best = np.array([_middle(points[inside], scales) for inside in members], dtype=np.intp)
    chosen = np.array([inside[i] for inside, i in zip(members, best, strict=True)], dtype=np.intp)
    measured = scene.scene.data
    tried = [bool(near(measured, points[one], scales, space.axes).any()) for one in members]
    return Ranking(
        probability=np.array([len(np.unique(owner[inside])) / len(drawn) for inside in members]),
        tried=np.array(tried, dtype=bool),
        n_paths=len(drawn),
        exact=scene.exact,
        params=lambda i: choices.params(points[chosen[i]], None),
        extents=[extent_of(choices, points[inside]) for inside in members],
        **_expected(scene, points[chosen]),
    )


def _middle(points: Array, scales: Array) -> int:  # (m, d), (d,)
    """The point that is nearest to all others."""
    gaps = ((points[:, None] - points[None]) / scales) ** 2
    return int(np.argmin(gaps.sum(axis=(1, 2))))


def _expected(scene: JointPathMaxima, points: Array) -> dict[str, Any]:
    """What is expected of every outcome at some points, as a ranking has it."""
    landscape, goals = scene.landscape, scene.landscape.problem.goals
    found: dict[str, tuple[Array, Array]] = {}
    for name in landscape.surrogates:
        transform = landscape.surrogates[name].transform
        mean, std = mixture(scene.beliefs, name).predict(points)
        found[name] = transform.outward(mean), transform.spread(mean, std)
    kept = None
    if goals.constraints and not scene.unknown:
        kept = feasibility(scene.beliefs, points)
    mean, std = found[goals.first.name]
    return {
        "mean": mean, "std": std, "sign": goals.first.sign, "outcomes": found,
        "feasibility": kept, "front": scene.several,
    }  # fmt: skip
