"""One call of the objective, wherever it runs: what comes back is a value or a sentence.

This module is what a worker imports, so it is small. The objective's result is turned into a number
and its error into text right there, because neither an exotic number nor an exception is sure to
survive the way back from another process.
"""

from __future__ import annotations

import pickle
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from pathmax.errors import OutcomeError
from pathmax.trials.values import read_value

Measured = float | dict[str, float | None]  # of one outcome, or of several by name

Objective = Callable[..., Any]  # of params, and of a handle of the run if it takes one

LONGEST_ERROR = 4000  # characters that are kept: the last lines of a traceback tell the most


@dataclass(frozen=True, slots=True)
class Report:
    """How a call of the objective ended: with a value, with an error and what raised it, or early.

    `stopped` says why, if it was stopped; whatever it returned then is no result.
    """

    value: Measured | None = None
    error: str | None = None
    cause: Exception | None = None
    stopped: str | None = None


class Handle(Protocol):
    """What an objective with a second argument is given, as far as this module knows it."""

    @property
    def stopped(self) -> str | None: ...


def evaluate(
    objective: Objective, params: Mapping[str, Any], call: str = "", handle: Handle | None = None
) -> Report:
    """Call the objective. Only Ctrl-C gets through.

    `call` names the call. Dask takes two calls with equal arguments for one, and a replicate would
    not be measured again.
    """
    try:
        given = () if handle is None else (handle,)
        returned = objective(dict(params), *given)
    except (Exception, SystemExit) as error:
        return Report(error=describe_error(error), cause=_sendable(error))
    if handle is not None and handle.stopped is not None:
        return Report(stopped=handle.stopped)
    try:
        return Report(value=_read(returned))
    except OutcomeError as error:
        said = f"the objective returned no number: {error}"
        if isinstance(returned, tuple | list):
            said += "; several outcomes are returned by name, as {'yield': 71.3, 'cost': 3.2}"
        return Report(error=said, cause=error)


def _read(returned: object) -> Measured:
    """What the objective returned as plain numbers."""
    if isinstance(returned, Mapping):
        return {str(n): None if v is None else read_value(v) for n, v in returned.items()}
    return read_value(returned)


def describe_error(error: BaseException) -> str:
    """The error in one line, then where it came from."""
    lines = traceback.format_exception_only(error)
    trace = "".join(traceback.format_exception(error))
    return f"{''.join(lines).strip()}\n\n{trace[-LONGEST_ERROR:].strip()}"


def _sendable(error: BaseException) -> Exception | None:
    """The exception itself, when it can be sent to another process."""
    if not isinstance(error, Exception):
        return None
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return None
    return error
