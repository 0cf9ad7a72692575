"""How trials stand: which are allowed, which is best, and which nothing else beats.

feasible    every constraint was measured and is met
best        the best objective among the feasible, the earliest of equals
front       with several objectives: the feasible trials that no other feasible one dominates,
            that is, is at least as good in every objective and better in one
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from pathmax.arrays import Array
from pathmax.errors import TrialError
from pathmax.trials.goals import Goals
from pathmax.trials.pareto import pareto_mask
from pathmax.trials.trial import Trial, TrialState
from pathmax.trials.wording import first_line, plural


def is_told(trial: Trial, goals: Goals) -> bool:
    """Whether every objective of a trial was measured."""
    return trial.state is TrialState.COMPLETE and all(
        goal.name in trial.outcomes for goal in goals if goal.is_objective
    )


def is_feasible(trial: Trial, goals: Goals) -> bool:
    """Whether a trial counts: its objectives were measured and it keeps to every bound."""
    return is_told(trial, goals) and goals.are_met(trial.outcomes)


def breaks_a_bound(trial: Trial, goals: Goals) -> bool:
    """Whether something that was measured is outside its bounds."""
    outcomes = trial.outcomes
    return any(g.name in outcomes and not g.met(outcomes[g.name]) for g in goals.constraints)


def is_undecided(trial: Trial, goals: Goals) -> bool:
    """Whether a trial may count yet: a bounded outcome is still to come, and no bound is broken."""
    lacking = any(goal.name not in trial.outcomes for goal in goals.constraints)
    return lacking and not breaks_a_bound(trial, goals) and is_told(trial, goals)


def feasible_of(trials: Iterable[Trial], goals: Goals) -> list[Trial]:
    """Those that count. Of many trials this is most of what it takes to name the best."""
    needed = {goal.name for goal in goals if goal.is_objective}
    bounded = bool(goals.constraints)
    return [
        trial
        for trial in trials
        if trial.state is TrialState.COMPLETE
        and needed <= trial.outcomes.keys()
        and (not bounded or goals.are_met(trial.outcomes))
    ]


def best_of(trials: Iterable[Trial], goals: Goals, target: str = "", others: int = 0) -> Trial:
    """The best feasible trial; `TrialError` when there is none, or several objectives.

    target: the fidelity that all of them have, where there is one.
    others: how many results there are that do not count.
    """
    if len(goals.objectives) > 1:
        raise TrialError(
            f"with several objectives ({', '.join(g.name for g in goals.objectives)}) no single "
            "trial is the best; study.front has those that nothing else beats"
        )
    trials = list(trials)
    allowed = feasible_of(trials, goals)
    if not allowed:
        raise _none_yet(trials, goals, target, others)
    goal = goals.first
    best = allowed[0]
    for trial in allowed[1:]:
        if goal.better(trial.outcomes[goal.name], best.outcomes[goal.name]):
            best = trial
    return best


def front_of(trials: Iterable[Trial], goals: Goals) -> list[Trial]:
    """The feasible trials that none dominates, by number; one of those that are equal."""
    allowed = sorted(feasible_of(trials, goals), key=lambda t: t.number)
    if not allowed:
        return []
    values = objective_values(allowed, goals)
    first: dict[tuple[float, ...], Trial] = {}
    for i in np.flatnonzero(pareto_mask(values)).tolist():
        first.setdefault(tuple(values[i]), allowed[i])
    return list(first.values())


def objective_values(trials: Sequence[Trial], goals: Goals) -> Array:  # -> (n, k), larger is better
    """What each trial reached in each objective."""
    return np.array([[g.sign * t.outcomes[g.name] for g in goals.objectives] for t in trials])


def least_violating(trials: Iterable[Trial], goals: Goals) -> Trial | None:
    """Of the trials that break a bound, the one that breaks it least, by the scale of each."""
    told = [trial for trial in trials if is_told(trial, goals)]
    told = [t for t in told if all(g.name in t.outcomes for g in goals.constraints)]
    if not told:
        return None
    total = np.zeros(len(told))
    for goal in goals.constraints:
        values = np.array([trial.outcomes[goal.name] for trial in told])
        scale = float(np.std(values)) or 1.0
        total += [goal.violation(value) / scale for value in values]
    return told[int(np.argmin(total))]


def _none_yet(trials: Sequence[Trial], goals: Goals, target: str, others: int) -> TrialError:
    told = [trial for trial in trials if is_told(trial, goals)]
    if told:
        near = least_violating(trials, goals)
        wanted = ", ".join(f"{goal.name} ({goal.words})" for goal in goals.constraints)
        nearest = f"; nearest is trial {near.number}" if near is not None else ""
        waiting = sum(is_undecided(trial, goals) for trial in told)
        lacking = f"; {plural(waiting, 'trial')} may be: outcomes are still to come"
        said = f"no trial is within all bounds yet: {wanted}{lacking if waiting else ''}{nearest}"
        return TrialError(said)
    if half := [trial for trial in trials if trial.state is TrialState.COMPLETE]:
        name = goals.first.name
        return TrialError(
            f"no trial has a value of {name} yet; {plural(len(half), 'trial')} had other outcomes: "
            f"tell it as well, with study.tell({half[0].number}, {{{name!r}: value}})"
        )
    failed = [trial for trial in trials if trial.state is TrialState.FAILED]
    if target and not failed:
        return TrialError(
            f"no trial at the target fidelity, {target}, has a result yet; study.recommend() says "
            "what is expected to be best there, and study.add(params, value) takes what you measure"
        )
    if not failed and others:
        return TrialError(
            f"of {plural(others, 'result')} none is in the present space and obeys its known "
            f"constraints, with {goals.first.name} measured; run what study.ask() suggests"
        )
    if not failed:
        return TrialError("no trial has a value yet; tell one with study.tell(trial, value)")
    there = f" at the target fidelity, {target}," if target else ""
    return TrialError(
        f"no trial{there} has succeeded; the last one to fail was {failed[-1].number}: "
        f"{first_line(failed[-1].error)}"
    )
