"""One call of `Study.optimize`: terms checked, a run made, and its result, whatever ended it."""

from __future__ import annotations

from pathmax.logger import logger
from pathmax.running.budget import Budget
from pathmax.running.evaluation import Objective
from pathmax.running.loop import Run
from pathmax.running.progress import open_progress
from pathmax.running.result import Result
from pathmax.running.run_options import Terms
from pathmax.running.workers import count_workers
from pathmax.session.session import Session
from pathmax.suggestion.costs import has_costs, spent_or_none


def optimize(session: Session, objective: Objective, given: Terms, *, facade: object) -> Result:
    """`Study.optimize`, where the terms are described; `facade` is what the stop rule is given."""
    terms = given.checked(objective, session.problem.space)
    shown = open_progress(terms.progress, terms.n_trials)
    run = Run(
        session=session,
        facade=facade,
        objective=objective,
        terms=terms,
        workers=count_workers(terms.executor, terms.workers),
        budget=Budget(session, terms.budget),
        progress=shown,
    )
    ending = "ended by an error"
    limit = "trials without a limit" if terms.n_trials is None else f"{terms.n_trials} trials"
    logger.info("study %r: optimize: %s, %d at once", session.name, limit, run.workers)
    try:
        ending = run.go()
    finally:
        trials = tuple(session.trials())
        counted = {trial.number for trial in session.fitting()}
        outside = frozenset(trial.number for trial in trials if trial.number not in counted)
        space, goals = session.problem.space, session.problem.goals
        paid = spent_or_none(space, trials) if has_costs(space, trials) else None
        result = Result(trials, goals, session.name, ending, outside, paid, space.target_words)
        shown.close(f"{ending}: {result.summary}")
        logger.info("study %r: optimize: %s: %s", session.name, ending, result.summary)
    return result
