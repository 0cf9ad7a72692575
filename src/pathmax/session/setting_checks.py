"""Which settings go with the goals, the space and the older results of a study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pathmax.errors import SettingsError
from pathmax.space.any_space import AnySpace
from pathmax.suggestion.older_results import OlderResults
from pathmax.suggestion.settings import AUTO, RefitEvery, Settings, checked
from pathmax.trials.goals import Goals
from pathmax.trials.outcomes import check_outcome

GUIDED = ("pims", "ts")  # the methods that an expert's guess guides


def check_method(goals: Goals | None, given: Mapping[str, Any]) -> None:
    """Refuse a method that is made for one objective where there are several outcomes."""
    if goals is None or goals.is_single:
        return
    from pathmax.acquisition.hypervolume import MOST_OBJECTIVES
    from pathmax.acquisition.joint_choice import JOINT_METHODS, JOINT_OPTIONS

    chosen = checked({name: given.get(name) for name in ("method", "options")})
    name = chosen.get("method", "pims")
    if name not in JOINT_METHODS:
        raise SettingsError(
            f"{name} is for one objective without constraints, and this study wants "
            f"{goals.words}; use one of {', '.join(JOINT_METHODS)}"
        )
    if name == "ei" and len(goals.objectives) > MOST_OBJECTIVES:
        raise SettingsError(
            f"ei measures hypervolumes of 2 to {MOST_OBJECTIVES} objectives, and this study has "
            f"{len(goals.objectives)}; use pims"
        )
    for option in chosen.get("options", {}):
        if option not in JOINT_OPTIONS:
            raise SettingsError(
                f"with several outcomes {name} takes the options {', '.join(JOINT_OPTIONS)}, got "
                f"{option!r}; leave it out"
            )


def check_variances(goals: Goals, given: Mapping[str, Any]) -> None:
    """Refuse variances of what is no outcome, and where all are needed, too few."""
    noise = given.get("noise")
    if not isinstance(noise, Mapping):
        return
    for name in noise:
        check_outcome(goals, name)
    check_kept_model(goals, noise, given.get("refit_every", AUTO))


def check_kept_model(goals: Goals, noise: object, refit_every: RefitEvery) -> None:
    """Refuse a model that is kept as it is given where it says nothing of some outcome's noise."""
    if refit_every is not None or not isinstance(noise, Mapping):
        return
    if lacking := [name for name in goals.names if name not in noise]:
        raise SettingsError(
            "refit_every=None keeps the model as it is given, so noise= needs a variance of every "
            f"outcome; {' and '.join(lacking)} has none: make a study with one of each, or with "
            "one number for all"
        )


def check_guess(domain: AnySpace, method: str) -> None:
    """Refuse a method that has no use for what an expert expects."""
    if domain.likely is not None and method not in GUIDED:
        raise SettingsError(
            f"{method} has no sample path whose maximum a guess could weigh; with likely= use "
            f"{' or '.join(GUIDED)}, or leave likely out"
        )


def check_borrowing(older: Sequence[OlderResults], settings: Settings) -> None:
    """Refuse older results where the model cannot learn how much of them to borrow."""
    if older and (settings.fixed or settings.model == "paper"):
        which = "refit_every=None" if settings.fixed else 'model="paper"'
        raise SettingsError(
            f"learn_from learns how much older results say about this study, and {which} keeps the "
            "model from learning that; leave one of them out"
        )
