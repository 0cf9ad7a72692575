"""Whether a running trial should be stopped, and what is known of one that was.

The rule of our own, "posterior": a trial is stopped when its chance to end better than everything
that is complete is less than `SMALL_CHANCE`, given its curve and how other curves went on.
With bounds it has to end within them too, with several objectives on the front:

    chance = P(within all bounds, and no complete trial dominates it | curves)

A trial competes with those of the same fidelity and context: results of others are no measure of
it, and whoever is given a bad day still wants the best of that day. How curves go on is learnt from
those of the same fidelity.

Whatever rule stops a trial, what its curve alone says about its end is stored with it, as a value
and a variance, and that is what the model learns from: never from a value on the way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from pathmax.analysis.curve_model import CurveModel, last_step_of, learn_curves
from pathmax.analysis.end_of_trial import chance, posterior_ends
from pathmax.analysis.halving import bracket_of, falls_behind
from pathmax.analysis.stopping import Verdict
from pathmax.errors import TrialError
from pathmax.gp.blas_threads import small_blas
from pathmax.scalars import describe
from pathmax.session.session import Session
from pathmax.storage import Ending
from pathmax.suggestion.stopping_rule import StoppingRule
from pathmax.trials.best_trials import is_feasible
from pathmax.trials.curves import Curves, TrialCurve
from pathmax.trials.trial import BY_HAND, EXPECTED, PART_RUN, Trial, TrialState

SMALL_CHANCE = 0.05  # below it a trial is stopped: benchmarks/early_stopping.md
# Of a curve or two it is not known whether others go on alike: one that falls fast and ends badly
# would have all others stopped at their first step, for ever. So one of three trials goes on.
FEW_COMPLETE = 3  # complete trials with a curve
STOPPED_EACH = 2  # stopped ones for each complete one, while those are fewer

LearntCurves = dict[tuple[Any, ...], Mapping[str, CurveModel]]  # by the results learnt from
_learnt: WeakKeyDictionary[Session, LearntCurves] = WeakKeyDictionary()  # saves time, no more
MOST_LEARNT = 16  # of them are kept: fidelities take turns


def should_stop(session: Session, trial: Trial | int) -> Verdict:
    """`Study.should_stop`, where it is described."""
    number = session.number_of(trial)
    there = session.find(number)
    if there.state in (TrialState.STOPPED, TrialState.FAILED):  # somebody else ended it meanwhile
        return Verdict(True, there.error or f"it is {there.state} already")
    with session.lock:
        rule, curves = session.problem.settings.stopping, session.curves()
        curve = curves.get(number)
        if rule.name == "never" or curve is None:
            return Verdict(False, "")
        defect = curve.defect(session.problem.goals.names)
        if defect is not None:
            return Verdict(True, defect)
        curves = _alike(session, curves, there, _fidelity_name(session))
        if rule.name == "posterior":
            with small_blas(len(curve)):  # two threads took ten times as long on a busy machine
                return _by_posterior(session, rule, curves, there)
        rivals = _alike(session, curves, there, session.problem.space.context_names)
        return _by_halving(session, rule, rivals, number)


def stop(session: Session, trial: Trial | int, reason: str = BY_HAND) -> Trial:
    """`Study.stop`, where it is described."""
    if not isinstance(reason, str):
        raise TrialError(f"a reason is text, got {describe(reason)}; put it in words")
    number = session.number_of(trial)
    curves = _alike(session, session.curves(), session.find(number), _fidelity_name(session))
    curve = curves.get(number, TrialCurve())
    defect = curve.defect(session.problem.goals.names)
    if defect is not None:  # it diverged: nothing is known of its end, and that is a failure
        failed = Ending(state=TrialState.FAILED, error=defect)
        return session.storage.finish(session.key, number, failed)
    with small_blas(len(curve)):
        ends = expected_ends(session, curves, curve)
    attributes: dict[str, Any] = (
        {EXPECTED: {n: list(end) for n, end in ends.items()}} if ends else {}
    )
    steps = session.problem.settings.stopping.steps or last_step_of(session.trials(), curves)
    if steps is not None and len(curve):
        attributes[PART_RUN] = curve.part_of(steps)
    ending = Ending(state=TrialState.STOPPED, error=reason, attributes=attributes)
    return session.storage.finish(session.key, number, ending)


def expected_ends(
    session: Session, curves: Curves, curve: TrialCurve
) -> dict[str, tuple[float, float]]:
    """Mean and variance of each outcome at the end of a curve, in the user's units."""
    if not len(curve):
        return {}
    models = curve_models(session, curves)
    ends = {name: model.expected_end(curve, name) for name, model in models.items()}
    return {name: end for name, end in ends.items() if end is not None}


def curve_models(session: Session, curves: Curves) -> Mapping[str, CurveModel]:
    """How the curves of each outcome go on, learnt anew when one has ended or was corrected."""
    trials, steps = session.trials(), session.problem.settings.stopping.steps
    over = [t for t in trials if t.state is not TrialState.RUNNING and t.number in curves]
    results = tuple((trial.number, *trial.outcomes.items()) for trial in over)
    kept = _learnt.setdefault(session, {})
    models = kept.get(results)
    if models is None:
        known = {trial.number: curves[trial.number] for trial in over}
        found = {g.name: learn_curves(trials, known, g, steps) for g in session.problem.goals}
        models = {name: model for name, model in found.items() if model is not None}
        if len(kept) >= MOST_LEARNT:
            kept.pop(next(iter(kept)), None)  # another thread may have: `stop` holds no lock
        kept[results] = models
    return models


def _fidelity_name(session: Session) -> tuple[str, ...]:
    """The name of the fidelity, if there is one."""
    fidelity = session.problem.space.fidelity
    return () if fidelity is None else fidelity[:1]


def _alike(session: Session, curves: Curves, trial: Trial, names: Sequence[str]) -> Curves:
    """The curves of trials that have the same values of some parameters as a trial has."""
    if not names:
        return curves
    there = {t.number for t in session.trials() if _same(t, trial, names)}
    return {number: curve for number, curve in curves.items() if number in there}


def _same(one: Trial, other: Trial, names: Sequence[str]) -> bool:
    return all(one.params.get(name) == other.params.get(name) for name in names)


def _by_halving(session: Session, rule: StoppingRule, curves: Curves, number: int) -> Verdict:
    first, rivals = 0, curves
    if rule.name == "hyperband":
        steps = rule.steps or last_step_of(session.trials(), curves)
        if steps is None:
            return Verdict(False, "no trial is complete, so nothing is known of how long they are")
        seed = session.problem.settings.seed
        own = {n: bracket_of(rule, steps, f"{seed}_{n}") for n in curves}
        first = own[number]
        rivals = {n: curve for n, curve in curves.items() if own[n] == first}
    rung = falls_behind(rule, rivals, number, session.problem.goals, first=first)
    if rung is None:
        return Verdict(False, "")
    return Verdict(True, f"not among the best 1 in {rule.reduction} at step {rung}")


def _by_posterior(session: Session, rule: StoppingRule, curves: Curves, trial: Trial) -> Verdict:
    space, goals = session.problem.space, session.problem.goals
    obeys = space.where.are_obeyed
    trials = [one for one in session.trials() if session.fits(one) and obeys(one.params)]
    number, curve = trial.number, curves[trial.number]
    models = curve_models(session, curves)
    states = [one.state for one in trials if one.number in curves]
    told = states.count(TrialState.COMPLETE)
    if not told:
        return Verdict(False, "no trial is complete, so nothing is known of how curves go on")
    for name in goals.names:
        if name not in models:
            words = f"no complete trial has both {name} and its curve"
            return Verdict(False, f"{words}, so nothing is known of how it goes on")
    if told < FEW_COMPLETE and states.count(TrialState.STOPPED) >= STOPPED_EACH * told:
        return Verdict(False, "too few trials are complete to know how curves go on")
    last_step = models[goals.first.name].last_step
    step = curve.last_step or 0
    if step >= last_step:
        return Verdict(False, "")
    ends = posterior_ends(models, curve)
    if ends is None:
        return Verdict(False, "")
    given = (*_fidelity_name(session), *space.context_names)
    rivals = [one for one in trials if is_feasible(one, goals) and _same(one, trial, given)]
    rng = np.random.default_rng([session.problem.settings.seed, number, step])
    found = chance(ends, rivals, goals, rng)
    best = "among the best" if goals.is_single else "on the front"
    if len(goals.objectives) == 1 and not goals.is_single:
        best = "as the best within all bounds"
    words = f"a chance of {found:.1%} to end {best}, at step {step} of {last_step}"
    return Verdict(found < SMALL_CHANCE, words)
