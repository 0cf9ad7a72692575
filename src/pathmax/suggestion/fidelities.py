"""Which fidelity the next trial has: the one that tells most about the target for its cost.

The point was chosen at the target, as if there were no other fidelity. There the fidelity s is

    argmax  gain(s) / cost(s)

with the gain of `acquisition.fidelity_gain`. Where all fidelities tell nothing it is the target.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pathmax.acquisition import Choice, Domain
from pathmax.acquisition.fidelity_gain import Wanted, gains
from pathmax.acquisition.outcome_posteriors import Outcome
from pathmax.acquisition.step import Step
from pathmax.arrays import Array
from pathmax.errors import SpaceError
from pathmax.gp import GaussianProcess
from pathmax.space.any_space import AnySpace
from pathmax.space.axes import Axis
from pathmax.suggestion.available_points import among, available
from pathmax.suggestion.choices import RESOLUTION, Choices
from pathmax.suggestion.costs import Costs
from pathmax.suggestion.problem import StudyProblem
from pathmax.trials.history import History

LOOKS = 33  # fidelities of a range that are compared, its ends among them
LEAST = 1e-12  # nats: less than this is nothing


def at_best_fidelity(
    problem: StudyProblem, history: History, choice: Choice, wanted: Sequence[Wanted]
) -> tuple[Choice, Choices]:
    """A choice that was made at the target, with the best fidelity, and what it settles among."""
    space, replicates = problem.space, problem.settings.replicates
    assert space.fidelity is not None, "without a fidelity there is none to choose"
    name, fidelity = space.fidelity
    column = space.searched_names.index(name)
    coordinates = compared(space.axes[column])
    U = np.repeat(choice.u[None], len(coordinates), axis=0)
    U[:, column] = coordinates
    if not replicates:
        gaps = np.abs(U[:, None] - history.taken[None]).max(axis=2)
        free = (gaps >= RESOLUTION).all(axis=1)
        free[-1] = True  # the target, which was free when the point was chosen
        U = U[free]
    parameter: Any = fidelity.parameter
    values = [parameter.decode(s) for s in U[:, column].tolist()]
    costs = known_costs(space, history)
    prices = np.array([costs.of(value) for value in values])
    told = gains(wanted, U, U[-1])
    best = int(np.argmax(told / prices)) if told.max() > LEAST else len(values) - 1
    facts = {"fidelity": values[best], "cost": float(prices[best]), "told": float(told[best])}
    choices = available(space.given({name: values[best]}), history.taken, (), replicates)
    # rows of a pool have the same number among those of each fidelity
    return Choice(U[best], choice.index, choice.info | facts), choices


def wanted_alone(
    model: GaussianProcess, domain: Domain, choice: Choice, rng: np.random.Generator
) -> list[Wanted]:
    """What one objective should reach: the maxima that the method drew, or that of a path."""
    info = choice.info
    if "g_stars" in info:
        return [Wanted(model, [float(g) for g in info["g_stars"]])]
    if "g_star" in info:
        return [Wanted(model, [float(info["g_star"])])]
    (path,) = Step(model, domain, rng).surface().samples(1)
    return [Wanted(model, [path.peak().value])]


def wanted_jointly(outcomes: Mapping[str, Outcome], choice: Choice) -> list[Wanted]:
    """What each of several outcomes should reach: the targets of the choice, and its bounds."""
    found = []
    for name, outcome in outcomes.items():
        target = choice.info.get("outcomes", {}).get(name, {}).get("target")
        levels = [] if target is None else [float(target)]
        levels += [outcome.high] if math.isfinite(outcome.high) else []
        floors = [outcome.low] if math.isfinite(outcome.low) else []
        found += [Wanted(outcome.model, levels, floors)] if levels or floors else []
    return found


def compared(axis: Axis) -> Array:  # -> (m,)
    """The coordinates of the fidelities that are compared, the target last."""
    assert axis.target is not None, "only the axis of a fidelity has a target"
    if axis.values is None or len(axis.values) > LOOKS:
        first, last = (0.0, 1.0) if axis.values is None else axis.values[[0, -1]]
        some = np.unique(axis.project(np.linspace(first, last, LOOKS)))
    else:
        some = axis.values
    return np.append(some[np.abs(some - axis.target) > RESOLUTION], axis.target)


def points_at_target(problem: StudyProblem, history: History) -> Array:  # -> (k, d)
    """The points with a result at the target, told or to come: without a fidelity all of them.

    Running trials count: the gap that one of them fills by the joint draw needs no second one.
    Without them most batches of a front were four times nearly the same (benchmarks/choices.md).
    """
    space, tried = problem.space, np.concatenate([history.X, history.pending])
    return tried if space.fidelity is None else among(tried, space.at_target.held)


def available_at_target(problem: StudyProblem, history: History) -> Choices:
    """What may be chosen at the target, and is not running at another fidelity.

    A quick look at a point that is under way comes before a closer one, unless nothing else is
    left.
    """
    space, replicates = problem.space, problem.settings.replicates
    free = available(space.at_target, history.taken, history.rows, replicates)
    running = len(history.pending)
    if space.fidelity is None or replicates or not running:
        return free
    points = np.concatenate([history.taken, running_at_target(problem, history)])
    rows = (*history.rows, *space.rows_at_target(history.rows[-running:]))
    others = available(space.at_target, points, rows)
    return free if others.left == 0 else others


def available_at_first(problem: StudyProblem, history: History) -> Choices:
    """What a first design is made of: points at the cheapest fidelity, as long as some are left.

    While nothing is known, looking closely is not worth its price. With all fidelities in the
    design it took longer to the same regret: benchmarks/fidelities.md.
    """
    space, replicates = problem.space, problem.settings.replicates
    everywhere = available(space, history.taken, history.rows, replicates)
    if space.fidelity is None:
        return everywhere
    name, fidelity = space.fidelity
    parameter: Any = fidelity.parameter
    u = compared(space.axes[space.searched_names.index(name)])
    values = [parameter.decode(s) for s in u[::-1].tolist()]  # the target first, if all cost alike
    costs = known_costs(space, history)
    cheapest = space.given({name: min(values, key=costs.of)})
    there = available(cheapest, history.taken, history.rows, replicates)
    return everywhere if there.left == 0 else there


def running_at_target(problem: StudyProblem, history: History) -> Array:  # -> (p, d)
    """The points that are running, at the target."""
    running, space = history.pending, problem.space
    if space.fidelity is None:
        return running
    name, fidelity = space.fidelity
    moved = running.copy()
    moved[:, space.searched_names.index(name)] = fidelity.coordinate
    return moved


def price_of(
    problem: StudyProblem, history: History, params: Mapping[str, Any]
) -> dict[str, float]:
    """What a trial that no model chose is expected to cost, as a fact that explains it.

    Nothing where there is no fidelity, or where its cost is a function that has not been given.
    """
    if problem.space.fidelity is None:
        return {}
    name, _ = problem.space.fidelity
    try:
        return {"cost": known_costs(problem.space, history).of(params[name])}
    except SpaceError:
        return {}


def known_costs(space: AnySpace, history: History) -> Costs:
    """What a history says about costs."""
    assert space.fidelity is not None
    name, fidelity = space.fidelity
    parameter: Any = fidelity.parameter
    column = space.searched_names.index(name)
    values = [parameter.decode(u) for u in history.X[:, column].tolist()]
    learnt = history.durations if fidelity.cost_is_learnt else np.full(len(values), np.nan)
    told = history.costs
    return Costs.learnt(fidelity, values, np.where(np.isnan(told), learnt, told))
