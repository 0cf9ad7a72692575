"""What a study knows beyond the next trial: predictions, a recommendation, a replay.

All of it in the user's units, from the same surrogate that suggestions come from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from pathmax import acquisition
from pathmax.choices import Choices
from pathmax.errors import ParamsError, TrialError
from pathmax.explain import Card, card
from pathmax.failures import avoid
from pathmax.gp import GaussianProcess
from pathmax.history import History, corrected_since
from pathmax.outcomes import Array, Outcomes
from pathmax.scalars import Scalar, describe
from pathmax.session import Session
from pathmax.settings import Settings
from pathmax.suggest import Problem, suggest
from pathmax.trial import Trial
from pathmax.wording import show


class Posterior(NamedTuple):
    """The model in standard units, where larger is better, and the way back to the user's units."""

    model: GaussianProcess
    outcomes: Outcomes


class Forecast(NamedTuple):
    """Expected values and their standard deviations; unpack it as `mean, std`."""

    mean: Array  # (m,)
    std: Array  # (m,)


def posterior(session: Session) -> Posterior:
    """The model of all results so far, kept away from what failed."""
    surrogate = session.surrogate()
    return Posterior(avoid(surrogate.model, surrogate.history.failed), surrogate.outcomes)


def predict(session: Session, params: Sequence[Mapping[str, object]]) -> Forecast:
    """The value to expect for each of the params."""
    if isinstance(params, Mapping | str) or not isinstance(params, Iterable):
        raise ParamsError(
            f"params must be a list of dicts, got {describe(params)}; for one point write [params]"
        )
    model, outcomes = posterior(session)
    mean, std = model.predict(session.problem.space.encode_many(list(params)))
    return Forecast(outcomes.outward(mean), outcomes.spread(mean, std))


def recommend(session: Session) -> dict[str, Scalar]:
    """The params with the largest posterior mean, over everything there is."""
    with session.lock:
        model = posterior(session).model
        past = session.history()
    space, seed = session.problem.space, session.problem.settings.seed
    everything = Choices(space, past.taken, past.rows, replicates=True)
    rng = np.random.default_rng([seed, past.number])
    # The posterior mean is the confidence bound of width 0.
    best = acquisition.choose("gp-ucb", model, everything.domain, rng, t=1, confidence=0.0)
    return everything.settle(best.u, best.index, rng)


def replay(session: Session, trial: Trial | int) -> dict[str, Scalar]:
    """The params of a trial, derived again from what was known when it was suggested."""
    found = session.find(trial)
    derived = suggest(*as_suggested(session, found)).params
    if "settings" not in found.info and derived != found.params:
        raise TrialError(
            f"trial {found.number} cannot be derived again: it was stored by an earlier version of "
            "pathmax, which did not keep its settings, and those of this study lead elsewhere "
            f"({show(derived)} in place of {show(found.params)}); load the study as it was then"
        )
    return derived


def explain(session: Session, trial: Trial | int) -> Card:
    """The card of a trial."""
    found = session.find(trial)
    if "seed" not in found.info:
        return card(session.problem, session.name, found, session.history_before(found))
    problem, past = as_suggested(session, found)
    since = corrected_since(session.trials(), found)
    known = "settings" in found.info or suggest(problem, past).params == found.params
    return card(problem, session.name, found, past, since, settings_known=known)


def as_suggested(session: Session, trial: Trial) -> tuple[Problem, History]:
    """The problem and the history that a trial was suggested from."""
    info = trial.info
    if "seed" not in info:
        raise TrialError(
            f"trial {trial.number} was not suggested: its parameters were given, "
            "so there is nothing to derive again"
        )
    past = session.history_before(trial)
    if past.n != info["n_observations"]:
        raise TrialError(
            f"trial {trial.number} was suggested from {info['n_observations']} results, but "
            f"{past.n} of the trials before it have one now: a result came late, for a trial whose "
            "worker had been given up; so it cannot be derived again"
        )
    return replace(session.problem, settings=settings_of(trial, session.problem.settings)), past


def settings_of(trial: Trial, present: Settings) -> Settings:
    """The settings that a trial was suggested with, whatever was given since.

    An earlier version kept only some of them; the present ones stand in for the others.
    """
    info = trial.info
    stored = info.get("settings")
    if stored is not None:
        return present if present.to_json() == stored else Settings.from_json(stored)
    method = present.method if info["method"] == "design" else info["method"]
    return replace(present, seed=info["seed"][0], method=method, options=info.get("options", {}))
