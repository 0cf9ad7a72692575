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

Life of a trial:

    start ──> RUNNING ──finish──> COMPLETE, STOPPED or FAILED (once; a second finish is refused)
                │ │
                │ └─report──> RUNNING, with one more point of its curve (once for each step)
                │
                └──reclaim──> FAILED ──finish──> COMPLETE     (its worker was only slow: once)

    any of its ends ──correct──> COMPLETE or FAILED           (what it was before is kept)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Self

from pathmax.storage.records import Ending, Entry, Goals, Name, Standing, StudyRecord
from pathmax.trials.curves import CurvePoint
from pathmax.trials.trial import Trial

Propose = Callable[[int, list[Trial]], tuple[Mapping[str, Any], Mapping[str, Any]]]
"""(revision, changed trials) -> (params, info)"""


class Storage(ABC):
    """Keeps studies. Safe to use from several threads, and in a process after a fork.

    Every method that takes the name of a study, or its key, raises `StudyNotFoundError` when there
    is none.
    """

    @property
    @abstractmethod
    def place(self) -> str:
        """What errors call it: "memory", a file, or a URL without its password."""

    @abstractmethod
    def create(self, record: StudyRecord) -> StudyRecord:
        """Store a new study and return it; when the name is taken, return the one that is there.

        Two processes may create the same study at once: both get the same record back.
        """

    @abstractmethod
    def begin(self, record: StudyRecord, entries: Sequence[Entry]) -> StudyRecord | None:
        """Store a new study together with its first trials: all of it or, on an error, nothing.

        Returns None, and stores nothing, when the name is taken.
        """

    @abstractmethod
    def load(self, name: Name) -> StudyRecord:
        """The record of a study."""

    @abstractmethod
    def studies(self) -> list[StudyRecord]:
        """The records of all studies, sorted by name; `DamageWarning` for those not readable."""

    @abstractmethod
    def update(
        self,
        name: Name,
        *,
        settings: Mapping[str, Any] | None = None,
        attributes: Mapping[str, Any] | None = None,
        goals: Goals | None = None,
    ) -> StudyRecord:
        """Replace the settings, the attributes or the goals of a study; what is None stays."""

    @abstractmethod
    def change(
        self,
        name: Name,
        *,
        space: Mapping[str, Any] | None = None,
        direction: str | None = None,
        goals: Goals | None = None,
    ) -> StudyRecord:
        """Go on with the same trials in another space, in another direction or for other goals.

        What is None stays; when nothing differs, nothing is written. What is replaced is added to
        `StudyRecord.earlier_spaces`. From then on `start` and `start_next` refuse a key from before
        with `SpaceChangedError`; results of trials that were started before are still taken.
        """

    @abstractmethod
    def delete(self, name: Name) -> None:
        """Remove a study and all its trials."""

    @abstractmethod
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
                reclaimed: an experiment on a bench may take a week and has no pulse.
            token: of this write, see `receipt`; so for the other methods.

        Returns:
            The trial, or None when the number is taken: read the changes and propose again.
        """

    @abstractmethod
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

    def insert(self, name: Name, entry: Entry, *, token: str | None = None) -> Trial:
        """Store a whole trial under the next free number."""
        return self.insert_many(name, [entry], token=token)[0]

    @abstractmethod
    def insert_many(
        self, name: Name, entries: Sequence[Entry], *, token: str | None = None
    ) -> list[Trial]:
        """Store whole trials under the next free numbers: all of them or, on an error, none."""

    @abstractmethod
    def finish(self, name: Name, number: int, ending: Ending, *, token: str | None = None) -> Trial:
        """Store how a RUNNING trial ended, once: all of it or, on an error, nothing.

        A trial that was reclaimed is finished like a running one, once: its worker was late, not
        dead. Raises `TrialError` for a trial that is already told or does not exist.
        """

    @abstractmethod
    def correct(
        self, name: Name, number: int, ending: Ending, *, token: str | None = None
    ) -> Trial:
        """Replace how a trial ended, any number of times; `Trial.earlier` keeps what was there.

        The noise stays when none is given, and so does the time of the result: the trial
        keeps its place among the results. Raises `TrialError` for a trial that is still running.
        """

    @abstractmethod
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
    def revisions(self) -> dict[str, Standing]:
        """Where every study stands, by name: one short look, to see what has changed."""

    @abstractmethod
    def turn(self, name: Name, patience: float = 10.0) -> AbstractContextManager[bool]:
        """Wait for one's turn to compute a suggestion, so that workers do not compute the same.

        A courtesy, not a lock: after `patience` seconds without a sign of the one before, the turn
        is taken anyway. Only `start` decides who gets a number. Pointless for suggestions that
        cost less than the turn itself (a few milliseconds). Yields whether the turn was free.
        """

    @abstractmethod
    def close(self) -> None:
        """Let go of files and connections. The storage opens them again when used again."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
