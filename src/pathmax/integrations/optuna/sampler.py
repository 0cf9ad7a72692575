"""PathmaxSampler: when Optuna asks for parameters, and what it is given.

    infer_relative_search_space     what every complete trial had, always with the same range, and
                                    what some had, where others tell which (`tree`)
    sample_relative                 suggest(problem, history), as `Study.ask` does
    sample_independent              numbers whose range moves: the place in it that was suggested;
                                    all other parameters: at random

A suggestion depends on the trials in Optuna's storage, the settings and the number of the trial.
What the sampler keeps in memory (where trials are, the last surrogate) only saves time.
"""

from __future__ import annotations

import threading
import zlib
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any

import numpy as np
from optuna.distributions import BaseDistribution, CategoricalDistribution
from optuna.logging import get_logger
from optuna.samplers import BaseSampler, RandomSampler
from optuna.search_space import IntersectionSearchSpace
from optuna.study import Study
from optuna.trial import FrozenTrial, TrialState

from pathmax.acquisition import Method
from pathmax.errors import ExhaustedError, SettingsError
from pathmax.integrations.optuna.distributions import SearchSpace, value_at
from pathmax.integrations.optuna.tree import Tree
from pathmax.integrations.optuna.trials import (
    ATTRIBUTE,
    CONSTRAINTS,
    TrialReader,
    checked_constraints,
    goals_of,
    place_suggested,
)
from pathmax.session.setting_checks import check_method
from pathmax.suggestion.algorithm import Suggestion, suggest
from pathmax.suggestion.problem import StudyProblem, Surrogates
from pathmax.suggestion.settings import complete_settings
from pathmax.trials.goals import Goal, Goals
from pathmax.trials.history import History

__all__ = ["PathmaxSampler"]

_logger = get_logger("optuna.pathmax")  # below Optuna's own, whose verbosity it heeds


class PathmaxSampler(BaseSampler):
    """Suggests as a `pathmax.Study` does, in a study of Optuna.

        study = optuna.create_study(direction="maximize", sampler=PathmaxSampler(seed=0))

    The parameters that every complete trial had are modelled together, and so are those that depend
    on a choice among them or on a bound of a number, as in `trial.suggest_float("momentum", 0, 1)
    if optimizer == "sgd" else None`. Where the range of a number depends on others, its place in
    the range is modelled. What remains is drawn at random. The first trial is therefore random, the
    next ones fill the space, and from then on the model chooses. Failed and pruned trials are
    avoided, running and enqueued ones are taken into account. Once a finite space has been tried in
    full, points are suggested again. Safe to use from several threads; it can be pickled.

    Studies with several directions have a front (`study.best_trials`), and constraints are learnt:
    a trial is feasible where all of them are at most 0. With either the method is "pims", "ts",
    "ei" or "random".

    A suggestion takes as long as in a `pathmax.Study`, and is the same given the same results and
    numbers.

    Args:
        method: "pims" (default), "ts", "gp-ucb", "irgp-ucb", "ei", "pi", "mes", "jes", "eims",
            "gp-est" or "random"; or an object, such as `acquisition.Pims(resolution=0.0)`.
        seed: makes the suggestions reproducible; drawn when left out. Workers that share a storage
            should be given the same: each trial has its own random stream, made from the seed and
            its number.
        initial: how many trials are spread over the space before the model chooses.
        noise: variance of the noise in your units squared; learnt when left out.
        replicates: whether a point may be suggested again, to average out noise; left out, only
            where trials have other parameters too, which are not modelled and vary.
        options: those of the method of that name, such as {"confidence": 2.0} for "gp-ucb".
        independent_sampler: draws the parameters that are not modelled, at random by default.
        constraints_func: a function of a finished trial that returns a list of numbers, each at
            most 0 where a constraint is kept; or call `trial.set_constraint` in the objective,
            where Optuna has it.
    """

    def __init__(
        self,
        *,
        method: str | Method | None = None,
        seed: int | None = None,
        initial: int | None = None,
        noise: float | None = None,
        replicates: bool | None = None,
        options: Mapping[str, Any] | None = None,
        independent_sampler: BaseSampler | None = None,
        constraints_func: Callable[[FrozenTrial], Sequence[float]] | None = None,
    ) -> None:
        if constraints_func is not None and not callable(constraints_func):
            raise SettingsError(
                "constraints_func must be a function of a trial that returns a list of numbers, "
                f"got {constraints_func!r}"
            )
        given = dict(
            method=method, seed=seed, initial=initial, noise=noise, replicates=replicates,
            options=options,
        )  # fmt: skip
        settings = complete_settings(given, dimension=1)  # refuse what would fail later
        self._given: dict[str, Any] = given | {"seed": settings.seed}
        self._independent_sampler = independent_sampler
        self._constraints_func = constraints_func
        self._lock = threading.RLock()
        self._forget(None, 0)

    def _forget(self, storage: object, study_id: int) -> None:
        """Keep nothing but the study that comes next."""
        self._storage, self._study_id = storage, study_id
        self._intersection = IntersectionSearchSpace()
        self._tree = Tree()
        self._reader: TrialReader | None = None
        self._kept: Surrogates | None = None
        self._warned: set[str] = set()

    def __getstate__(self) -> dict[str, Any]:
        kept = ("_given", "_independent_sampler", "_constraints_func")
        return {name: self.__dict__[name] for name in kept}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._lock = threading.RLock()
        self._forget(None, 0)

    def reseed_rng(self) -> None:
        """Nothing to do: trials do not share a random stream, so a seed holds with n_jobs too."""
        if self._independent_sampler is not None:
            self._independent_sampler.reseed_rng()

    def before_trial(self, study: Study, trial: FrozenTrial) -> None:
        """Refuses a method for one objective in the first trial, where there are several outcomes.

        Passed on to the independent sampler, and so is `after_trial`.
        """
        goals = goals_of(study.directions, ())
        if self._constraints_func is not None:
            goals = Goals([*goals, Goal("constraints", high=0.0)])
        check_method(goals, self._given)
        if self._independent_sampler is not None:
            self._independent_sampler.before_trial(study, trial)

    def after_trial(
        self, study: Study, trial: FrozenTrial, state: TrialState, values: Sequence[float] | None
    ) -> None:
        if self._constraints_func is not None and state in (TrialState.COMPLETE, TrialState.PRUNED):
            found = self._constraints_func(trial)
            study._storage.set_trial_system_attr(
                trial._trial_id, CONSTRAINTS, checked_constraints(found, trial)
            )
        if self._independent_sampler is not None:
            self._independent_sampler.after_trial(study, trial, state, values)

    def infer_relative_search_space(
        self, study: Study, trial: FrozenTrial
    ) -> dict[str, BaseDistribution]:
        """The parameters that all complete trials share, less those with a single value.

        And those that some have, if it can be told from the others which: see `tree`.
        """
        with self._lock:
            self._turn_to(study)
            found, moving = self._search_space(study)[0], self._tree.moving
            return {name: d for name, d in found.items() if name not in moving}

    def _search_space(self, study: Study) -> tuple[dict[str, BaseDistribution], dict[str, str]]:
        """The parameters that are modelled, and the conditions of those not all trials have."""
        shared = self._intersection.calculate(study)
        self._tree.see(study._storage.get_all_trials(study._study_id, deepcopy=False))
        shared = {**shared, **self._tree.changed_everywhere()}
        varying = {name: d for name, d in shared.items() if not d.single()}
        conditional, sentences = self._tree.conditional(varying)
        return {**varying, **conditional}, sentences

    def sample_relative(
        self, study: Study, trial: FrozenTrial, search_space: dict[str, BaseDistribution]
    ) -> dict[str, Any]:
        """The next point of that space, given all trials of the study."""
        with self._lock:  # threads take turns, so that each knows where the one before will be
            self._turn_to(study)
            found, sentences = self._search_space(study)
            moving = (self._tree.moving & found.keys()) - search_space.keys()
            search_space = search_space | {name: found[name] for name in sorted(moving)}
            if not search_space:
                return {}
            reader = self._reading(search_space, sentences, moving)
            space = reader.search_space.space
            # All trials, also under a Hyperband pruner: complete ones compare across its brackets.
            trials = study._storage.get_all_trials(study._study_id, deepcopy=False)
            settings = complete_settings(self._given, space.dimension)
            others = [one for one in trials if one.number != trial.number]
            if self._given["replicates"] is None and _vary_besides(others, search_space):
                settings = replace(settings, replicates=True)  # the rest makes another trial of it
            goals = goals_of(study.directions, others)
            problem = StudyProblem(space, goals, settings)
            past = reader.history(trials, trial.number, goals)
            suggestion = _suggest(problem, past, self._kept)
            self._kept = suggestion.surrogates
            kept: dict[str, Any] = {"params": suggestion.params, "info": suggestion.info}
            if moving:
                kept["moving"] = sorted(moving)
            kept["info"].pop("x_star", None)  # another point, in terms that only the space knows
            study._storage.set_trial_system_attr(trial._trial_id, ATTRIBUTE, kept)
        return reader.search_space.outward(suggestion.params)

    def sample_independent(
        self,
        study: Study,
        trial: FrozenTrial,
        param_name: str,
        param_distribution: BaseDistribution,
    ) -> Any:
        """A value for a parameter that is not modelled, or whose range moves."""
        place = place_suggested(trial, param_name)
        if place is not None and not isinstance(param_distribution, CategoricalDistribution):
            return value_at(param_distribution, place)
        self._warn_once(study, trial, param_name)
        sampler = self._independent_sampler
        if sampler is None:
            stream = [self._given["seed"], trial.number, zlib.crc32(param_name.encode())]
            sampler = RandomSampler(int(np.random.SeedSequence(stream).generate_state(1)[0]))
        return sampler.sample_independent(study, trial, param_name, param_distribution)

    def _turn_to(self, study: Study) -> None:
        if self._storage is not study._storage or self._study_id != study._study_id:
            self._forget(study._storage, study._study_id)

    def _reading(
        self,
        distributions: dict[str, BaseDistribution],
        conditions: dict[str, str],
        moving: Set[str],
    ) -> TrialReader:
        """What reads trials in this space: as long as it is the same, the one from before."""
        own = {name: when for name, when in conditions.items() if name in distributions}
        known = None if self._reader is None else self._reader.search_space
        wanted = (distributions, own, moving)
        if known is None or (known.distributions, known.conditions, known.moving) != wanted:
            self._reader, self._kept = TrialReader(SearchSpace(distributions, own, moving)), None
        assert self._reader is not None, "made above, if there was none"
        return self._reader

    def _warn_once(self, study: Study, trial: FrozenTrial, name: str) -> None:
        """Say that a parameter is not modelled, if that will not change by itself."""
        with self._lock:
            self._turn_to(study)
            if name in self._warned or name in self._search_space(study)[0]:
                return
            if not self._tree.asked(name) or name in self._tree.changed_everywhere():
                return  # it, or its range, is new: from the next trial on it may be modelled
            if not study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,)):
                return
            self._warned.add(name)
        _logger.warning(
            f"The parameter {name!r} of trial {trial.number} is not modelled by PathmaxSampler, "
            "because not every complete trial has it, or it is not always of the same kind, and no "
            "choice or bound of another one tells which do; it is sampled independently. Ask for "
            "it in every trial, or depending on one other parameter, always in the same way."
        )


def _suggest(problem: StudyProblem, history: History, kept: Surrogates | None) -> Suggestion:
    """The next trial; when a finite space has been tried in full, one that was tried before."""
    try:
        return suggest(problem, history, kept)
    except ExhaustedError:
        again = replace(problem.settings, replicates=True)
        return suggest(replace(problem, settings=again), history, kept)


def _vary_besides(trials: Sequence[FrozenTrial], modelled: Mapping[str, Any]) -> bool:
    """Whether trials have parameters that vary and are not modelled."""
    return any(
        name not in modelled and not distribution.single()
        for one in trials
        if one.state == TrialState.COMPLETE
        for name, distribution in one.distributions.items()
    )
