"""A suggestion derived again from what was known when it was made."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import replace

import numpy as np

from pathmax.analysis.trial_card import Card, card
from pathmax.errors import TrialError
from pathmax.scalars import Scalar
from pathmax.session.session import Session
from pathmax.space.any_space import AnySpace
from pathmax.storage.damage import reading
from pathmax.suggestion.algorithm import suggest
from pathmax.suggestion.explanation import ENGINE
from pathmax.suggestion.problem import StudyProblem
from pathmax.suggestion.settings import Settings
from pathmax.trials.history import History
from pathmax.trials.info import Info
from pathmax.trials.past import corrected_since
from pathmax.trials.trial import Trial
from pathmax.trials.wording import show

PROCESSOR_ROUNDING = 1e-6  # of the range of a parameter: processors differ by less, engines by more

LEAVES_UNTOLD_OUT = 10  # the first engine without results that have none of the outcomes wanted


def replay(session: Session, trial: Trial | int) -> dict[str, Scalar]:
    """The params of a trial, derived again from what was known when it was suggested."""
    found = session.find(trial)
    with _reading(session, found):
        problem, past = as_suggested(session, found)
    derived = suggest(problem, past).params
    info = Info(found.info)
    if derived == found.params:
        return derived
    instead = f"({show(derived)} in place of {show(found.params)})"
    if info.settings is None:
        raise TrialError(
            f"trial {found.number} cannot be derived again: it was stored by an earlier version of "
            "pathmax, which did not keep its settings, and those of this study lead elsewhere "
            f"{instead}; load the study as it was then"
        )
    if same_point(session.problem_of(found).space, derived, found.params):
        return derived
    if info.engine != ENGINE:
        raise TrialError(
            f"trial {found.number} cannot be derived again: engine {info.engine} of pathmax "
            f"suggested it, and engine {ENGINE}, which is installed, leads elsewhere {instead}; "
            "install a version with that engine, and see the changelog for what changed"
        )
    raise TrialError(
        f"trial {found.number} cannot be derived again: the same engine leads elsewhere now "
        f"{instead}; a method or kernel of your own, what the study learns from, or the libraries "
        "for numbers have changed since"
    )


def same_point(space: AnySpace, one: Mapping[str, Scalar], other: Mapping[str, Scalar]) -> bool:
    """Whether two points are one but for rounding."""
    gap = np.abs(space.encode(one) - space.encode(other))
    return float(gap.max(initial=0.0)) <= PROCESSOR_ROUNDING


def explain(session: Session, trial: Trial | int) -> Card:
    """The card of a trial."""
    found = session.find(trial)
    info = Info(found.info)
    with _reading(session, found):
        if not info.is_suggestion:
            problem, past = session.problem_of(found), session.history_before(found)
            return card(problem, session.name, found, past)
        problem, past = as_suggested(session, found)
        since = corrected_since(session.trials(), found)
        known = info.settings is not None or suggest(problem, past).params == found.params
        return card(problem, session.name, found, past, since, settings_known=known)


def _reading(session: Session, trial: Trial) -> AbstractContextManager[None]:
    place, name = session.storage.place, session.name
    return reading(f"{place}: what is stored of trial {trial.number} of study {name!r}")


def as_suggested(session: Session, trial: Trial) -> tuple[StudyProblem, History]:
    """The problem and the history that a trial was suggested from."""
    info = Info(trial.info)
    if not info.is_suggestion:
        raise TrialError(
            f"trial {trial.number} was not suggested: its parameters were given, "
            "so there is nothing to derive again"
        )
    past = session.history_before(trial)
    if past.n != info.n_observations:
        raise TrialError(
            f"trial {trial.number} was suggested from {info.n_observations} results, but "
            f"{past.n} of the trials before it have one now: {_why_others(info, past)}; so it "
            "cannot be derived again"
        )
    settings = settings_of(trial, session.problem.settings)
    problem = session.problem_of(trial)
    if settings.method == "pims" and _searched_everywhere(info, problem):
        settings = replace(settings, options={"looks": 0, **settings.options})
    return replace(problem, settings=settings), past


def _why_others(info: Info, past: History) -> str:
    """Why a trial was suggested from another number of results than are known of its time."""
    if past.n > info.n_observations:
        return "a result came late, for a trial whose worker had been given up"
    if info.engine < LEAVES_UNTOLD_OUT:
        return (
            f"engine {info.engine} of pathmax suggested it, which counted results that have none "
            f"of the outcomes then wanted, and engine {ENGINE}, which is installed, leaves them out"
        )
    return "results that it came from are gone, or have become unreadable"


def _searched_everywhere(info: Info, problem: StudyProblem) -> bool:
    """Whether an earlier engine searched paths everywhere that today's sees at some points."""
    return info.engine < (6 if problem.goals.is_single else 5) and "looks" not in info


def settings_of(trial: Trial, present: Settings) -> Settings:
    """The settings that a trial was suggested with, whatever was given since.

    An earlier version kept only some of them; the present ones stand in for the others.
    """
    info = Info(trial.info)
    if info.settings is not None:
        return present if present.to_json() == info.settings else Settings.from_json(info.settings)
    method = present.method if info.method in (None, "design") else info.method
    then = replace(present, seed=info.seed[0], method=method, options=info.options)
    return then.with_own_options(warn=True)
