"""What a place that keeps studies promises: the contract every storage fulfils.

A storage holds studies; a study holds trials, numbered 0, 1, 2, ... without gaps. Three promises:

* What a method returned from is kept. For a database that means: it is on disk.
* A trial number is given out once. `start` takes the number the caller wants and answers None when
  somebody else was faster; the caller then reads on and proposes again. `start_next` cannot miss,
  but lets everybody else wait while it calls back for the proposal.
* Every write to a trial raises the *revision* of its study, and revisions become visible in order.
  So `changes(name, since)` returns everything that happened after `since`, and nothing is missed.

    revision, trials = storage.changes("suzuki", 0)
    trial = storage.start("suzuki", len(trials), {"temperature": 80.0})
    storage.finish("suzuki", trial.number, Ending(outcomes={"value": 71.3}))

What a trial goes through is drawn in `pathmax.storage.trial_lifecycle`. Methods that take many
arguments, or a token, are public once, here; what a storage does with them has a `_` before it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

from pathmax.storage.records import Ending, Entry, Name, Remark, Start
from pathmax.storage.study_records import StudyRecords
from pathmax.storage.write_tokens import counted
from pathmax.trials.curves import CurvePoint
from pathmax.trials.trial import Trial

Propose = Callable[[int, list[Trial]], tuple[Mapping[str, Any], Mapping[str, Any]]]
"""(revision, changed trials) -> (params, info)"""

Beginning = Callable[[int, list[Trial]], Start]
"""The same, with who is to run it."""


class Storage(StudyRecords):
    """Keeps studies. Safe to use from several threads, and in a process after a fork."""

    def start(
        self,
        name: Name,
        number: int,
        params: Mapping[str, Any],
        info: Mapping[str, Any] | None = None,
        worker: str | None = None,
        *,
        heartbeat: bool = False,
        token: str | None = None,
    ) -> Trial | None:
        """Store a RUNNING trial under the number the caller has in mind: the count of trials.

        Args:
            number: the next free number, as the caller believes.
            params: the point to try, in user units.
            info: what explains the suggestion.
            worker: who runs the trial.
            heartbeat: True when the caller will call `beat` from now on. Only such trials can be
                reclaimed: an experiment on a bench may take a week and sends no heartbeats.
            token: of this write, see `receipt`; so for the other methods.

        Returns:
            The trial, or None when the number is taken: read the changes and propose again.
        """
        with counted(token) as own:
            start = Start(params, info or {}, worker, heartbeat)
            started = self._start(name, number, start, own.token)
            own.written = started is not None
            return started

    @abstractmethod
    def _start(self, name: Name, number: int, start: Start, token: str | None) -> Trial | None: ...

    def start_next(
        self,
        name: Name,
        since: int,
        propose: Propose,
        worker: str | None = None,
        *,
        heartbeat: bool = False,
        token: str | None = None,
    ) -> Trial:
        """Store a RUNNING trial under the next free number, proposed while all others wait.

        For suggestions that take a few milliseconds: nobody can be faster, so nothing is computed
        in vain. Slower ones use `turn` and `start`, which keep nobody from telling.

        Args:
            since: the revision up to which the caller has read.
            propose: given the present revision and the trials written after `since`, returns params
                and info. It must not use the storage, and may be called again if storing fails.
        """

        def start(revision: int, changed: list[Trial]) -> Start:
            return Start(*propose(revision, changed), worker, heartbeat)

        with counted(token) as own:
            return self._start_next(name, since, start, own.token)

    @abstractmethod
    def _start_next(
        self, name: Name, since: int, propose: Beginning, token: str | None
    ) -> Trial: ...

    def insert(self, name: Name, entry: Entry, *, token: str | None = None) -> Trial:
        """Store a whole trial under the next free number."""
        return self.insert_many(name, [entry], token=token)[0]

    def insert_many(
        self, name: Name, entries: Sequence[Entry], *, token: str | None = None
    ) -> list[Trial]:
        """Store whole trials under the next free numbers: all of them or, on an error, none."""
        with counted(token) as own:
            return self._insert_many(name, entries, own.token)

    @abstractmethod
    def _insert_many(
        self, name: Name, entries: Sequence[Entry], token: str | None
    ) -> list[Trial]: ...

    def finish(self, name: Name, number: int, ending: Ending, *, token: str | None = None) -> Trial:
        """Store how a RUNNING trial ended, once: all of it or, on an error, nothing.

        A trial that was reclaimed is finished like a running one, once: its worker was late, not
        dead. Raises `TrialError` for a trial that is already told or does not exist.
        """
        with counted(token) as own:
            return self._finish(name, number, ending, own.token)

    @abstractmethod
    def _finish(self, name: Name, number: int, ending: Ending, token: str | None) -> Trial: ...

    def correct(
        self, name: Name, number: int, ending: Ending, *, token: str | None = None
    ) -> Trial:
        """Replace how a trial ended, any number of times; `Trial.earlier` keeps what was there.

        The noise stays when none is given, and so does the time of the result: the trial
        keeps its place among the results. Raises `TrialError` for a trial that is still running.
        """
        with counted(token) as own:
            return self._correct(name, number, ending, own.token)

    @abstractmethod
    def _correct(self, name: Name, number: int, ending: Ending, token: str | None) -> Trial: ...

    def annotate(
        self,
        name: Name,
        number: int,
        *,
        note: str | None = None,
        attributes: Mapping[str, Any] | None = None,
        token: str | None = None,
    ) -> Trial:
        """Replace the note, and merge attributes into those of the trial; in any state."""
        with counted(token) as own:
            return self._annotate(name, number, Remark(note, attributes or {}), own.token)

    @abstractmethod
    def _annotate(self, name: Name, number: int, remark: Remark, token: str | None) -> Trial: ...

    @abstractmethod
    def report(
        self, name: Name, number: int, step: int, outcomes: Mapping[str, float]
    ) -> CurvePoint:
        """Store what a running trial has come to at a step; the point that is stored then.

        What was reported first for a step stands: a repeated report changes nothing, and returns
        the first. NaN and infinities are kept as they are. Raises `TrialError` for a trial that has
        ended, unless it was reclaimed.
        """

    @abstractmethod
    def reports(self, name: Name, since: int = 0) -> tuple[int, list[CurvePoint]]:
        """The present revision, and what was reported after revision `since`, by trial and step."""

    @abstractmethod
    def beat(self, name: Name, numbers: Sequence[int]) -> list[int]:
        """Say that these trials are still being worked on. Returns those that are RUNNING."""

    @abstractmethod
    def reclaim(self, name: Name, grace: float) -> list[Trial]:
        """Turn RUNNING trials without a heartbeat for `grace` seconds into FAILED ones.

        Returns the trials that this call took back. A heartbeat that lies more than `grace` in the
        future counts as missing too: the clock was set back since.
        """

    @abstractmethod
    def trial(self, name: Name, number: int) -> Trial:
        """One trial. Raises `TrialError` when there is none with this number."""

    @abstractmethod
    def changes(
        self, name: Name, since: int = 0, *, brief: bool = False
    ) -> tuple[int, list[Trial]]:
        """The present revision, and the trials written after revision `since`, by number.

        With `brief` they come without `info`, for whoever looks at results and not at models: it is
        most of what is stored of a trial, and most of what reading costs. `infos` has it.

        `Trial.damage` says what could not be read of one. Since 0, what a damaged database has lost
        of its trials is there too, as failed trials without params.
        """

    @abstractmethod
    def infos(self, name: Name, numbers: Sequence[int]) -> dict[int, dict[str, Any]]:
        """`Trial.info` of those of these trials that are there; what is damaged is empty."""

    @abstractmethod
    def receipt(self, name: Name, token: str) -> list[Trial] | None:
        """The trials that a write with this token stored, as they are now; None: there was none.

        Whoever does not know whether a write arrived, because the answer was lost, repeats it with
        the same token: then it changes nothing, and returns the trials of the first time. Receipts
        are kept for a week at least, with the trials.
        """

    @abstractmethod
    def turn(self, name: Name, patience: float = 10.0) -> AbstractContextManager[bool]:
        """Wait for one's turn to compute a suggestion, so that workers do not compute the same.

        Advisory, not a lock: after `patience` seconds without a sign of the one before, the turn
        is taken anyway. Only `start` decides who gets a number. Pointless for suggestions that
        cost less than the turn itself (a few milliseconds). Yields whether the turn was free.
        """
