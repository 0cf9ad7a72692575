"""How a trial of `study.optimize` ends, also when somebody else has ended it meanwhile.

A trial that runs here may be told by hand, by another process, or by a worker that was taken for
dead. What was told first stands; what comes second is kept with the trial, and the run goes on.
"""

from __future__ import annotations

import math

from pathmax.analysis import early_stopping
from pathmax.errors import OutcomeError, TrialError
from pathmax.running.evaluation import Measured
from pathmax.session import recording
from pathmax.session.session import Session
from pathmax.trials.info import Info
from pathmax.trials.trial import INTERRUPTED, Json, Trial, TrialState


def end(
    session: Session,
    trial: Trial,
    *,
    value: Measured | None = None,
    error: str = "",
    stopped: str | None = None,
) -> Trial:
    """Tell the value, or fail the trial when there is none; the trial as it is stored then.

    `stopped` says why the trial was stopped early, if it was. A value that is no result of this
    study is an `OutcomeError`, and the trial is freed.
    """
    try:
        if stopped is not None:
            return early_stopping.stop(session, trial, stopped)
        if value is None:
            return recording.fail(session, trial, error)
        return recording.tell(session, trial, recording.ending(session, value))
    except OutcomeError:  # no fault of the point: the objective returned other outcomes
        recording.fail(session, trial, INTERRUPTED)
        raise
    except TrialError:
        there = session.storage.trial(session.key, trial.number)
        if there.state is TrialState.RUNNING:
            raise
        if value is None and (stopped is not None or error == INTERRUPTED):
            return there
        unused = {"unused_error": error} if value is None else {"unused_value": _storable(value)}
        return recording.annotate(session, trial, attributes=unused)


def _storable(value: Measured) -> Json:
    if isinstance(value, dict):
        return {name: None if v is None else _storable(v) for name, v in value.items()}
    return value if math.isfinite(value) else str(value)


def remark_on(ended: Trial) -> str:
    """What the user should know about how a trial ended, if anything."""
    if ended.attributes.keys() & {"unused_value", "unused_error"}:
        return f"trial {ended.number} was told elsewhere first; what came out here is kept with it"
    return Info(ended.info).remark
