"""An Optuna study as a study of ours: its space, its goals and what its trials came to.

    study, remarks = import_study("tuning", optuna_storage="sqlite:///optuna.db", storage="lab.db")

What has no counterpart here is said in the remarks, and nothing is changed in Optuna's storage:

    COMPLETE            a result; failed if no value of it is finite, or one is infinite
    FAIL                failed
    PRUNED              stopped, and avoided: see `pathmax.integrations.optuna.trials` for why
    intermediate values the curve of the trial
    RUNNING, WAITING    left out: they belong to Optuna's workers
    parameters          those of every complete trial; a range that changed, at its widest
    conditional ones    if another parameter tells which trials have them: with that as condition
    constraints         outcomes that must be at most 0
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

import optuna
from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution
from optuna.trial import FrozenTrial, TrialState

from pathmax.errors import ParamsError, SettingsError, SpaceError
from pathmax.integrations.optuna.distributions import outward
from pathmax.integrations.optuna.tree import Tree
from pathmax.integrations.optuna.trials import goals_of, results_of
from pathmax.session import opening
from pathmax.session.opening import SpaceLike, StorageLike
from pathmax.space.any_space import AnySpace
from pathmax.space.parameters import Categorical, Float, Int
from pathmax.space.space import Space
from pathmax.storage import Entry
from pathmax.study import Study
from pathmax.trials import trial as ours
from pathmax.trials.goals import Goals
from pathmax.trials.values import defect, failure
from pathmax.trials.wording import plural

FAILED = {TrialState.FAIL: "failed in Optuna", TrialState.PRUNED: "pruned in Optuna"}


class Imported(NamedTuple):
    """A study with the trials of an Optuna study, and what its user should know about them."""

    study: Study
    remarks: tuple[str, ...]


def import_study(
    study: optuna.Study | str,
    *,
    optuna_storage: Any = None,
    space: SpaceLike | None = None,
    name: str | None = None,
    storage: StorageLike = None,
    **settings: Any,
) -> Imported:
    """Begin a study of ours with the trials of an Optuna study.

    Args:
        study: the Optuna study, or its name in `optuna_storage`.
        optuna_storage: whatever `optuna.load_study` takes as a storage.
        space: what may be tried; read from the trials when left out. Trials that do not fit it are
            left out, so give one where parameters depend on others in ways that trials do not tell.
        name: of the new study; that of the Optuna study by default.
        storage: where to keep it, as for `pathmax.Study`.
        settings: those of `pathmax.Study`: seed, method, initial, ...
    """
    if isinstance(study, str):
        study = optuna.load_study(study_name=study, storage=optuna_storage)
    elif not isinstance(study, optuna.Study):
        raise SettingsError(f"expected an Optuna study or its name, got {type(study).__name__}")
    trials = study.get_trials(deepcopy=False)
    remarks: list[str] = []
    domain = _space(trials, remarks) if space is None else opening.as_domain(space)
    goals = goals_of(study.directions, trials)
    entries = _entries(trials, domain, goals, remarks)
    name = study.study_name if name is None else name
    begun = Study(domain, name=name, storage=storage, **goals.stated, **settings)
    if begun.trials:
        raise SettingsError(
            f"the study {name!r} has trials already; go on with it by Study.load, or give another "
            "name"
        )
    begun.storage.insert_many(name, entries)
    return Imported(begun, tuple(remarks))


def _entries(
    trials: Sequence[FrozenTrial], domain: AnySpace, goals: Goals, remarks: list[str]
) -> list[Entry]:
    entries, skipped, running = [], [], Counter[str]()
    for trial in trials:
        if not trial.state.is_finished():
            running[trial.state.name.lower()] += 1
            continue
        known = {name: value for name, value in trial.params.items() if name in domain.names}
        try:
            params = domain.validate(known)
        except ParamsError:
            skipped.append(trial.number)
            continue
        entries.append(_entry(trial, params, goals))
    for state, count in running.items():
        remarks.append(f"{plural(count, 'trial')} {state} in Optuna: left out, they end there")
    if skipped:
        listed = ", ".join(map(str, skipped[:8])) + (", ..." if len(skipped) > 8 else "")
        remarks.append(
            f"{plural(len(skipped), 'finished trial')} without a place in the space (Optuna's "
            f"{listed}): left out"
        )
    pruned = sum(trial.state == TrialState.PRUNED for trial in trials)
    if pruned:
        remarks.append(f"{plural(pruned, 'trial')} pruned in Optuna: kept as stopped")
    return entries


def _entry(trial: FrozenTrial, params: Mapping[str, Any], goals: Goals) -> Entry:
    outcomes = results_of(trial, goals) if trial.state == TrialState.COMPLETE else {}
    usable = {name: value for name, value in outcomes.items() if defect(value) is None}
    error = FAILED.get(trial.state)
    if error is None:
        error = failure(outcomes) if outcomes else "it has no value"
    attributes: dict[str, Any] = {"optuna_number": trial.number}
    if trial.user_attrs:
        attributes["optuna_user_attrs"] = _plain(trial.user_attrs)
    state = ours.TrialState.COMPLETE if error is None else ours.TrialState.FAILED
    if trial.state == TrialState.PRUNED:
        state = ours.TrialState.STOPPED
    first = goals.first.name  # Optuna takes reports of one objective only
    curve = sorted((step, v) for step, v in trial.intermediate_values.items() if step >= 0)
    return Entry(
        params=params,
        state=state,
        reports=[(int(step), {first: float(value)}) for step, value in curve],
        outcomes=usable if error is None else {},
        error=error,
        attributes=attributes,
        asked_at=_seconds(trial.datetime_start),
        told_at=_seconds(trial.datetime_complete),
    )


def _plain(attributes: Mapping[str, Any]) -> Any:
    """Attributes as JSON; what JSON cannot hold as text."""
    return json.loads(json.dumps(attributes, default=str), parse_constant=str)


def _seconds(moment: datetime | None) -> float | None:
    return None if moment is None else moment.timestamp()


def _space(trials: Sequence[FrozenTrial], remarks: list[str]) -> Space:
    """The parameters that every complete trial has, or every finished one if none is complete."""
    finished = [trial for trial in trials if trial.state.is_finished() and trial.params]
    telling = [trial for trial in finished if trial.state == TrialState.COMPLETE] or finished
    if not telling:
        raise SpaceError(
            "no finished trial of the Optuna study says what may vary; give space= as for a new "
            "study"
        )
    found: dict[str, list[BaseDistribution]] = {}
    for trial in telling:
        for name, distribution in trial.distributions.items():
            found.setdefault(name, []).append(distribution)
    everywhere = {name: each for name, each in found.items() if len(each) == len(telling)}
    conditions = _conditions(telling, everywhere, remarks)
    unknown = [name for name in found if name not in everywhere and name not in conditions]
    if unknown:
        remarks.append(
            f"{', '.join(unknown)}: only some trials have a value, so the model does not know "
            "of them; to learn from them give space= with what each depends on"
        )
    parameters = {name: _parameter(name, each, remarks) for name, each in everywhere.items()}
    for name, when in conditions.items():
        parameters[name] = replace(_parameter(name, found[name], remarks), when=when)
    return Space(parameters)


def _conditions(
    trials: Sequence[FrozenTrial],
    everywhere: Mapping[str, Sequence[BaseDistribution]],
    remarks: list[str],
) -> dict[str, str]:
    """The sentence of each parameter that depends on another one, as far as the trials tell."""
    tree = Tree()
    tree.see(trials)
    shared = {name: each[0] for name, each in everywhere.items() if len(set(each)) == 1}
    shared = {name: each for name, each in shared.items() if not each.single()}
    found, branches = tree.branches(shared)
    kinds = shared | found
    sentences = {}
    for name, branch in branches.items():
        show = partial(_written, kinds[branch.decider])
        sentences[name] = branch.sentence(show)
        remarks.append(f"{name}: asked for where {sentences[name]}, as far as the trials tell")
    return sentences


def _written(kind: BaseDistribution, value: float) -> str:
    """A value of a sentence in Optuna's terms."""
    if isinstance(kind, FloatDistribution) and kind.step is None:
        return repr(value)
    return repr(outward(kind, int(value)))


def _parameter(name: str, given: Sequence[BaseDistribution], remarks: list[str]) -> Any:
    """The parameter of all these distributions: a range that changed is as wide as it ever was."""
    first: Any = given[0]
    if len({type(each) for each in given}) > 1:
        raise SpaceError(f"{name}: it had several types in Optuna; give space= to say what it is")
    if isinstance(first, CategoricalDistribution):
        return Categorical(first.choices) if len(first.choices) > 1 else first.choices[0]
    ranges: Any = given
    low, high = min(each.low for each in ranges), max(each.high for each in ranges)
    log, step = any(each.log for each in ranges), first.step
    if any((each.low, each.high, each.step) != (low, high, step) for each in ranges):
        remarks.append(f"{name}: its range changed in Optuna; it is taken from {low} to {high}")
        step = None if isinstance(first, FloatDistribution) else 1
    if low == high:
        return low
    if isinstance(first, FloatDistribution):
        return Float(low, high, log and low > 0, step)
    return Int(low, high, log and low > 0, 1 if log else step)
