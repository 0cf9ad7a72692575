"""The handle that an objective with a second argument is given, wherever it runs.

    def train(params, run):
        for epoch in range(81):
            loss = ...
            run.report(epoch, loss)
            if run.should_stop():
                return
        return loss

In this process the handle speaks to the study itself. In another one it opens the storage of the
study there, if that can be reached from elsewhere; a study in memory answers through a
`LocalServer`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, final

from pathmax.analysis import early_stopping
from pathmax.analysis.stopping import Verdict
from pathmax.errors import TrialError
from pathmax.running.local_server import LocalClient, LocalServer
from pathmax.session import reporting
from pathmax.session.session import Session
from pathmax.storage import StudyKey


class Line(Protocol):
    """The way from a handle to its study."""

    def report(self, number: int, step: object, value: object) -> None: ...
    def should_stop(self, number: int) -> Verdict: ...


@final
class Direct:
    """The study is in this process, or its storage can be opened here."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def report(self, number: int, step: object, value: object) -> None:
        reporting.report(self.session, number, step, value)

    def should_stop(self, number: int) -> Verdict:
        return early_stopping.should_stop(self.session, number)

    def answer(self, what: str, *asked: Any) -> Verdict | None:
        """What a client asks of the server."""
        if what == "should_stop":
            return self.should_stop(*asked)
        self.report(*asked)
        return None


@final
class RunHandle:
    """One run of the objective: report how far it has come, and ask whether to go on.

    Attributes:
        number: of the trial.
    """

    def __init__(self, number: int, line: Line, server: LocalServer | None = None) -> None:
        self.number = number
        self._line, self._server = line, server
        self._verdict: Verdict | None = None

    def report(self, step: int, value: object) -> None:
        """What the run has come to at this step; the quantity that is returned in the end."""
        try:
            self._line.report(self.number, step, value)
        except TrialError:
            if not self.should_stop():  # else it was stopped elsewhere, and that is said there
                raise
            return
        self._verdict = None  # whoever goes on after a yes has decided otherwise

    def should_stop(self) -> bool:
        """Whether the run is better stopped now: then return, whatever you like."""
        self._verdict = self._line.should_stop(self.number)
        return bool(self._verdict)

    @property
    def stopped(self) -> str | None:
        """Why the run was stopped, if it was: the last answer was yes, and nothing came after."""
        return str(self._verdict) if self._verdict else None

    def __reduce__(self) -> tuple[Any, ...]:
        session = self._line.session if isinstance(self._line, Direct) else None
        if session is not None and session.shared:
            parts = session.storage, session.key, session.problem, session.earlier
            return _reopen, (self.number, *parts)
        if self._server is None:
            return RunHandle, (self.number, self._line)
        return _visit, (self.number, *self._server.open())


def takes_handle(objective: Callable[..., Any]) -> bool:
    """Whether an objective wants a handle: a second argument that it must be given, or `run`."""
    try:
        parameters = list(inspect.signature(objective).parameters.values())
    except (TypeError, ValueError):  # a builtin, say
        return False
    by_place = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    placed = [parameter for parameter in parameters if parameter.kind in by_place]
    if len(placed) < 2:
        return False
    return placed[1].default is inspect.Parameter.empty or placed[1].name == "run"


_opened: dict[tuple[str, StudyKey], Session] = {}  # in a worker: one for all its trials


def _reopen(
    number: int, storage: Any, key: StudyKey, problem: Any, earlier: Sequence[Mapping[str, Any]]
) -> RunHandle:
    found = _opened.get((storage.place, key))
    if found is None:
        found = _opened[storage.place, key] = Session(storage, key, problem, earlier)
    return RunHandle(number, Direct(found))


def _visit(number: int, address: Any, secret: bytes) -> RunHandle:
    return RunHandle(number, LocalClient(address, secret))
