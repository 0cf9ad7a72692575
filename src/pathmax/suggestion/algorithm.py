"""The algorithm on one page: what to try next, as a function of what is known.

    model = fit(U, y)                          the surrogate, learnt or extended
    model = avoid(model, failed)               pessimistic values where trials failed
    model = believe(model, pending, rng)       a joint draw where trials are running
    path  = draw_path(model, rng)              PIMS, Algorithm 2 of the paper:
    g*    = max path
    u     = argmin (g* - mean(u)) / std(u)     drawn again if that is known, or running already

The last three lines are `acquisition.choose`, with another rule for another method. All randomness
comes from `default_rng([seed, number])`, so that a trial can be derived again from its history.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pathmax import acquisition
from pathmax.acquisition.joint_choice import choose_jointly
from pathmax.acquisition.methods import Method, make
from pathmax.gp.blas_threads import small_blas
from pathmax.scalars import Scalar
from pathmax.suggestion import explanation
from pathmax.suggestion.available_points import available
from pathmax.suggestion.choices import Choices
from pathmax.suggestion.fidelities import (
    at_best_fidelity,
    available_at_first,
    available_at_target,
    points_at_target,
    price_of,
    running_at_target,
    wanted_alone,
    wanted_jointly,
)
from pathmax.suggestion.landscape import Landscape
from pathmax.suggestion.problem import StudyProblem, Surrogates
from pathmax.suggestion.settings import INITIAL
from pathmax.trials.history import History

# How often running trials and a path are drawn, until the choice is no experiment that is running.
# With one draw 6 of 30 batches held an experiment twice, with five none (benchmarks/searches.md).
MOST_DRAWS = 5
# A standard deviation, where that of the results as the model sees them is 1: a point that is known
# better is not tried again while a sample path sees something better. On 124 runs this ranks level
# with one path only, and finds a much higher hill in one to three (benchmarks/surrogate.md).
KNOWN_STD = 1e-3
PATH_LOOKS = 1024  # at most so many points show a path's maximum: benchmarks/surrogate.md
JOINT_LOOKS = 2048  # the same for the paths of several outcomes


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What to try, why, and the surrogates, which make the next suggestion cheaper."""

    params: dict[str, Scalar]
    info: dict[str, Any]
    surrogates: Surrogates | None


def suggest(problem: StudyProblem, history: History, kept: Surrogates | None = None) -> Suggestion:
    """The next trial. `kept` are the surrogates of an earlier suggestion: they only save time."""
    settings, method = problem.settings, method_of(problem)
    free = settings.replicates
    choices = available_at_target(problem, history)
    choices.check()
    if problem.space.fidelity is not None and settings.method == "random":
        choices = available(problem.space, history.taken, history.rows, free)
    if starts(problem, history):
        choices = available_at_first(problem, history)
        params = choices.start(history.number, settings.initial, settings.seed)
        price = price_of(problem, history, params)
        return Suggestion(params, explanation.of_design("design", settings, history, price), kept)
    rng = np.random.default_rng([settings.seed, history.number])
    if settings.method == "random":
        choice = acquisition.choose(method, None, choices.domain, rng)
        params = choices.settle(choice.u, choice.index, rng)
        price = price_of(problem, history, params)
        return Suggestion(params, explanation.of_design("random", settings, history, price), kept)
    with small_blas(history.n):
        landscape = Landscape(problem, history, problem.surrogates(history, kept))
        if lacks_design(landscape):
            design = available_at_first(problem, history)
            params = design.start(history.number, INITIAL, settings.seed, history.taken)
            price = price_of(problem, history, params)
            info = explanation.of_design("design", settings, history, price)
            return Suggestion(params, info, landscape.surrogates)
        seen_as = landscape.drawn(rng) if settings.model == "drawn" else landscape
        if not problem.goals.is_single:
            return suggest_jointly(landscape, seen_as, choices, rng)
        outcome = problem.goals.first.name
        seen = seen_as.model(outcome)
        for _ in range(MOST_DRAWS):
            model = acquisition.believe(seen, history.pending, rng)
            choice = acquisition.choose(
                method,
                seen_as.held(outcome, model),
                choices.domain,
                rng,
                t=history.n + 1,
                likely=problem.likely,
            )
            if not choices.is_running(choice.u, running_at_target(problem, history)):
                break
        if problem.space.fidelity is not None:
            wanted = wanted_alone(model, choices.domain, choice, rng)
            choice, choices = at_best_fidelity(problem, history, choice, wanted)
        params = choices.settle(choice.u, choice.index, rng)
        info = explanation.of_choice(landscape, choice, model.jitter)
    return Suggestion(params, info, landscape.surrogates)


def lacks_design(landscape: Landscape) -> bool:
    """Whether older results say nothing, and there are too few own ones to do without a design.

    Such a study goes on as one without older results. Until there is an own result the first trial
    alone is where older ones expect the best.
    """
    history = landscape.history
    if not landscape.problem.older or history.number >= INITIAL:
        return False
    unknown = history.n == 0 and history.number > 0
    return unknown or not any(one.fit.borrows for one in landscape.surrogates.values())


def method_of(problem: StudyProblem) -> Method:
    """The method of a study; `SettingsError` if it is not known in this process."""
    settings = problem.settings
    ours = settings.method == "pims" and problem.chooses_model
    usual = {"resolution": KNOWN_STD, "looks": PATH_LOOKS} if ours else {}
    return make(settings.method, usual | dict(settings.options))


def suggest_jointly(
    landscape: Landscape, seen_as: Landscape, choices: Choices, rng: np.random.Generator
) -> Suggestion:
    """The next trial when several outcomes count; `seen_as` may have other parameters."""
    problem, history = landscape.problem, landscape.history
    usual: dict[str, Any] = {"resolution": KNOWN_STD} if problem.chooses_model else {}
    if problem.chooses_model and problem.settings.method in ("pims", "ei"):
        usual["looks"] = JOINT_LOOKS
    for _ in range(MOST_DRAWS):
        outcomes = {name: seen_as.outcome(name, rng) for name in seen_as.surrogates}
        choice = choose_jointly(
            problem.settings.method,
            outcomes,
            choices.domain,
            rng,
            data=points_at_target(problem, history),
            likely=problem.likely,
            **usual | dict(problem.settings.options),
        )
        if not choices.is_running(choice.u, running_at_target(problem, history)):
            break
    if problem.space.fidelity is not None:
        wanted = wanted_jointly(outcomes, choice)
        choice, choices = at_best_fidelity(problem, history, choice, wanted)
    params = choices.settle(choice.u, choice.index, rng)
    info = explanation.of_joint_choice(landscape, choice)
    return Suggestion(params, info, landscape.surrogates)


def starts(problem: StudyProblem, history: History) -> bool:
    """Whether the trial belongs to the first design; it goes on until there is a model."""
    if history.number < problem.settings.initial:
        return True
    if problem.settings.method == "random" or problem.knows_beforehand:
        return False
    return not any(history.of(goal.name).n for goal in problem.goals.objectives)
