"""How results get into a study: told, failed, added from before, corrected, remarked upon.

What the user gives is checked here, all of it before anything is stored.
"""

from __future__ import annotations

import logging
import math
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from functools import partial

from pathmax.arguments import yes_or_no
from pathmax.errors import KnownConstraintWarning, OutcomeError, TrialError
from pathmax.logger import logger
from pathmax.scalars import Scalar, describe, plain
from pathmax.session.session import Session
from pathmax.space.any_space import AnySpace
from pathmax.storage import Ending, Entry
from pathmax.storage.records import Told
from pathmax.trials.outcomes import outcomes_told, read_noises, read_outcomes
from pathmax.trials.trial import Json, Trial, TrialState, check_remarks
from pathmax.trials.values import defect, failure
from pathmax.trials.wording import measured, outcome, to_be_typed

WHY_NO_RESULT = {TrialState.FAILED: "the experiment failed", TrialState.STOPPED: "stopped early"}
Noise = float | Mapping[str, float] | None  # a variance, or one for each of several outcomes


def tell(session: Session, trial: Trial | int, told: Ending) -> Trial:
    """`Study.tell`; so for the others."""
    number = session.number_of(trial)
    if session.problem.space.where and session.fits(asked := session.find(number)):
        warn_of_disobedience(session.problem.space, [asked])
    several = not session.problem.goals.is_single
    if several or session.earlier:  # it may have been told what was wanted before
        stored = session.storage.trial(session.key, number)
        if _completes(stored, told):
            return _completed(session, number, told)
        if several:
            _check_new(session, stored, told)
    try:
        return _logged(session, session.storage.finish(session.key, number, told), "told")
    except TrialError:  # another outcome of it may have been told just now
        if several and _completes(session.storage.trial(session.key, number), told):
            return _completed(session, number, told)
        raise


def _completed(session: Session, number: int, told: Ending) -> Trial:
    completed = session.storage.correct(session.key, number, _added(told))
    return _logged(session, completed, "told")


def fail(session: Session, trial: Trial | int, reason: str, correct: bool = False) -> Trial:
    number, replaces = session.number_of(trial), yes_or_no("correct", correct)
    if not isinstance(reason, str):
        raise TrialError(
            f"a reason is text, got {describe(reason)}; put it in words, or write str(error)"
        )
    failed = Ending(state=TrialState.FAILED, error=reason)
    store = session.storage.correct if replaces else session.storage.finish
    return _logged(session, store(session.key, number, failed), "told")


def correct(session: Session, trial: Trial | int, told: Ending) -> Trial:
    number = session.number_of(trial)
    if told.state is TrialState.COMPLETE:  # the outcomes that are not named stay
        if not session.problem.goals.is_single:
            told = replace(told, adds=True)
        elif session.earlier and _has_others(session, number):
            told = _added(told)
    return _logged(session, session.storage.correct(session.key, number, told), "corrected")


def _has_others(session: Session, number: int) -> bool:
    """Whether a trial has outcomes that were wanted before and are not now."""
    stored = session.storage.trial(session.key, number)
    return not stored.outcomes.keys() <= set(session.problem.goals.names)


def add(session: Session, params: Mapping[str, object], told: Ending) -> Trial:
    whole = entry(session, params, told)
    warn_of_disobedience(session.problem.space, [whole])
    return _logged(session, session.storage.insert(session.key, whole), "added")


def _logged(session: Session, trial: Trial, what: str) -> Trial:
    if logger.isEnabledFor(logging.INFO):  # words cost more than a glance
        logger.info("study %r: trial %d: %s: %s", session.name, trial.number, what, outcome(trial))
    return trial


def warn_of_disobedience(space: AnySpace, results: Iterable[Trial | Entry]) -> None:
    """Say which results break a known constraint of the space: they are kept."""
    broken: dict[str, list[Mapping[str, Scalar]]] = {}
    for result in results if space.where else ():
        for rule in space.where.broken_by_result(result.params):
            broken.setdefault(rule, []).append(result.params)
    for rule, found in broken.items():
        shown = ", ".join(f"{name}={value}" for name, value in found[0].items())
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        warnings.warn(
            f"the result at {shown}{more} does not obey the known constraint {rule!r}; it is kept "
            "and learnt from, and is never the best",
            KnownConstraintWarning,
            stacklevel=4,
        )


def annotate(
    session: Session,
    trial: Trial | int,
    note: str | None = None,
    attributes: Mapping[str, Json] | None = None,
) -> Trial:
    number = session.number_of(trial)
    check_remarks(note, attributes)
    return session.storage.annotate(session.key, number, note=note, attributes=attributes)


def ending(
    session: Session,
    value: object,
    noise: Noise = None,
    note: str | None = None,
    attributes: Mapping[str, Json] | None = None,
    cost: float | None = None,
) -> Ending:
    """How a trial with this result ends: complete, or failed when it is no data (`failure`)."""
    goals = session.problem.goals
    results, noises = read_outcomes(goals, value), read_noises(goals, noise)
    if lacking := [name for name in noises if name not in outcomes_told(goals, value)]:
        raise OutcomeError(
            f"a spread of {' and '.join(lacking)} is given, and no value of it; tell a spread "
            "together with its value"
        )
    check_remarks(note, attributes)
    remarked = partial(Ending, note=note, attributes=attributes or {}, cost=read_cost(cost))
    if (why := failure(results)) is not None:
        return remarked(state=TrialState.FAILED, error=why)
    if goals.is_single:
        return remarked(outcomes=results, noise=noises.get(goals[0].name))
    usable = {name: number for name, number in results.items() if defect(number) is None}
    kept = {name: variance for name, variance in noises.items() if name in usable}
    return remarked(outcomes=usable, noises=kept)


def read_cost(given: object) -> float | None:
    """What a trial cost, as a plain number, or an `OutcomeError`."""
    if given is None:
        return None
    cost = plain(given)
    if isinstance(cost, bool) or not isinstance(cost, int | float) or not 0.0 <= cost < math.inf:
        raise OutcomeError(
            f"a cost is a finite number, zero or more, got {describe(given)}; leave it out where "
            "it is not known"
        )
    return float(cost)


def entry(session: Session, params: Mapping[str, object], told: Ending) -> Entry:
    """A whole trial with params that were given, as it is stored."""
    parts = {part.name: getattr(told, part.name) for part in fields(Told)}
    return Entry(params=session.problem.space.validate(params), **parts)


def _completes(stored: Trial, told: Ending) -> bool:
    """Whether a result brings what was missing of a trial that was told before."""
    was_told = stored.state is TrialState.COMPLETE and told.state is TrialState.COMPLETE
    return was_told and not (stored.outcomes.keys() & told.outcomes.keys())


def _added(told: Ending) -> Ending:
    """A result that is added to what is there: its variance is that of its own outcomes."""
    own = {} if told.noise is None else dict.fromkeys(told.outcomes, told.noise)
    return replace(told, adds=True, noise=None, noises={**own, **told.noises})


def _check_new(session: Session, stored: Trial, told: Ending) -> None:
    """Refuse what was told before or is no number, and say which outcomes are still to come."""
    again = [name for name in told.outcomes if name in stored.outcomes]
    if stored.state is TrialState.COMPLETE and told.state is TrialState.FAILED:
        raise TrialError(
            f"trial {stored.number} of study {session.name!r} is already told "
            f"({measured(stored, session.problem.goals.names)}), and that stands: {told.error}, "
            "which adds nothing; tell an outcome once there is a number of it. To make a failure "
            f"of the trial: pathmax fail {stored.number} --correct, or "
            f"study.fail({stored.number}, correct=True)"
        )
    if stored.state is not TrialState.COMPLETE or not again:
        return
    number, lacking = stored.number, set(session.problem.goals.names) - stored.outcomes.keys()
    left = [name for name in session.problem.goals.names if name in lacking]
    typed, first = to_be_typed(again), f"{{{again[0]!r}: value}}"
    raise TrialError(
        f"{' and '.join(again)} of trial {number} of study {session.name!r} "
        f"{'is' if len(again) == 1 else 'are'} already told, and that stands"
        + (f"; tell {' and '.join(left)} alone. " if left else ". ")
        + f"To replace a mistyped value: pathmax tell {number} {typed} --correct, or "
        f"study.correct({number}, {first}). For a repeated measurement add a new trial with the "
        "same parameters"
    )
