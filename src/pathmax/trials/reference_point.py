"""The reference of several objectives in words: where it is, and whether anything reaches it.

A reference is the worst that still counts: the hypervolume above it is what grows. One that no
result beats in every objective says nothing about how to improve, and the search then goes where
results may still be better by chance. Often an aim was meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pathmax.trials.goals import Goals
from pathmax.trials.wording import number


def reference_words(goals: Goals) -> str:
    """As it follows the goals: ", counted from yield 20, cost 10"; empty where there is none."""
    given = [g for g in goals.objectives if g.reference is not None]
    points = ", ".join(f"{goal.name} {number(goal.reference, 6)}" for goal in given)
    return f", counted from {points}" if points else ""


def beyond_results(goals: Goals, results: Iterable[Mapping[str, float]]) -> str:
    """What to say where results within the bounds all fall short of the reference; else nothing."""
    objectives = goals.objectives
    needed = {goal.name for goal in objectives}
    counted = [each for each in results if needed <= each.keys() and goals.are_met(each)]
    if not counted or any(goal.reference is None for goal in objectives):
        return ""
    for each in counted:
        if all(goal.better(each[goal.name], goal.reference or 0.0) for goal in objectives):
            return ""
    wanted = ", ".join(
        f"{goal.name} {'above' if goal.sign > 0 else 'below'} {number(goal.reference, 6)}"
        for goal in objectives
    )
    best = ", ".join(
        f"{goal.name} {number(goal.best(each[goal.name] for each in counted), 6)}"
        for goal in objectives
    )
    return (
        f"no result is better than the reference in every objective ({wanted}); the best of each "
        f"so far: {best}. A reference is the worst that still counts, not the aim: unless results "
        "can become so good, state one that some of them beat (reference = ... in space.toml, or "
        "study.change_space(reference=...))"
    )
