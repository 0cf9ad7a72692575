"""How a trial of `study.optimize` ends, also when somebody else has ended it meanwhile.

A trial that runs here may be told by hand, by another process, or by a worker that was taken for
dead. What was told first stands; what comes second is kept with the trial, and the run goes on.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from pathmax.errors import TrialError
from pathmax.failures import INTERRUPTED
from pathmax.trial import Json, Trial, TrialState

if TYPE_CHECKING:
    from pathmax.study import Study


def end(study: Study, trial: Trial, *, value: float | None = None, error: str = "") -> Trial:
    """Tell the value, or fail the trial when there is none; the trial as it is stored then."""
    try:
        return study.fail(trial, error) if value is None else study.tell(trial, value)
    except TrialError:
        there = study.storage.trial(study.name, trial.number)
        if there.state is TrialState.RUNNING:
            raise
        if value is None and error == INTERRUPTED:
            return there
        unused = {"unused_error": error} if value is None else {"unused_value": _storable(value)}
        return study.annotate(trial, attributes=unused)


def _storable(value: float) -> Json:
    return value if math.isfinite(value) else str(value)


def remark_on(ended: Trial) -> str:
    """What the user should know about how a trial ended, if anything."""
    if ended.attributes.keys() & {"unused_value", "unused_error"}:
        return f"trial {ended.number} was told elsewhere first; what came out here is kept with it"
    return str(ended.info.get("remark", ""))
