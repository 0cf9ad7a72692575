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

    start ──> RUNNING ──finish──> COMPLETE or FAILED          (once; a second finish is refused)
                 │
                 └──reclaim──> FAILED ──finish──> COMPLETE    (its worker was only slow: once)

    COMPLETE or FAILED ──correct──> COMPLETE or FAILED        (what it was before is kept)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Self

from pathmax.errors import SettingsError
from pathmax.trials.trial import Trial, TrialState

DIRECTIONS = ("maximize", "minimize")

Propose = Callable[[int, list[Trial]], tuple[Mapping[str, Any], Mapping[str, Any]]]
"""(revision, changed trials) -> (params, info)"""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyRecord:
    """What is stored about a study besides its trials. Everything in it is plain JSON."""

    name: str
    space: Mapping[str, Any]
    direction: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    """How the study suggests: method, seed, kernel, noise, initial, refit_every, replicates."""
    attributes: Mapping[str, Any] = field(default_factory=dict)
    """Whatever the user wants to keep with the study."""
    created_at: float | None = None
    """Unix time in seconds; None lets the storage look at its clock."""

    def __post_init__(self) -> None:
        check_name(self.name)
        if self.direction not in DIRECTIONS:
            raise SettingsError(
                f"direction must be 'maximize' or 'minimize', got {self.direction!r}"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A trial that arrives as a whole, such as a result from before: all but its number."""

    params: Mapping[str, Any]
    state: TrialState = TrialState.COMPLETE
    outcomes: Mapping[str, float] = field(default_factory=dict)
    noise: float | None = None
    error: str | None = None
    info: Mapping[str, Any] = field(default_factory=dict)
    attributes: Mapping[str, Any] = field(default_factory=dict)
    note: str | None = None
    worker: str | None = None
    asked_at: float | None = None
    """Unix time in seconds; None lets the storage look at its clock. So for `told_at`."""
    told_at: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a trial ended, and what was remarked on it; stored together."""

    state: TrialState = TrialState.COMPLETE
    outcomes: Mapping[str, float] = field(default_factory=dict)
    noise: float | None = None
    error: str | None = None
    note: str | None = None
    """Replaces the one that is there; None leaves it."""
    attributes: Mapping[str, Any] = field(default_factory=dict)
    """Merged into those that are there."""


class Storage(ABC):
    """Keeps studies. Safe to use from several threads, and in a process after a fork.

    Every method that takes the name of a study raises `StudyNotFoundError` when there is none.
    """

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
    def load(self, name: str) -> StudyRecord:
        """The record of a study."""

    @abstractmethod
    def studies(self) -> list[StudyRecord]:
        """The records of all studies, sorted by name."""

    @abstractmethod
    def update(
        self,
        name: str,
        *,
        settings: Mapping[str, Any] | None = None,
        attributes: Mapping[str, Any] | None = None,
    ) -> StudyRecord:
        """Replace the settings or the attributes of a study; what is None stays."""

    @abstractmethod
    def delete(self, name: str) -> None:
        """Remove a study and all its trials."""

    @abstractmethod
    def start(
        self,
        name: str,
        number: int,
        params: Mapping[str, Any],
        info: Mapping[str, Any] | None = None,
        worker: str | None = None,
        *,
        heartbeat: bool = False,
    ) -> Trial | None:
        """Store a RUNNING trial under the number the caller has in mind: the count of trials.

        Args:
            number: the next free number, as the caller believes.
            params: the point to try, in user units.
            info: what explains the suggestion.
            worker: who runs the trial.
            heartbeat: True when the caller will call `beat` from now on. Only such trials can be
                reclaimed: an experiment on a bench may take a week and has no pulse.

        Returns:
            The trial, or None when the number is taken: read the changes and propose again.
        """

    @abstractmethod
    def start_next(
        self,
        name: str,
        since: int,
        propose: Propose,
        worker: str | None = None,
        *,
        heartbeat: bool = False,
    ) -> Trial:
        """Store a RUNNING trial under the next free number, proposed while all others wait.

        For suggestions that take a few milliseconds: nobody can be faster, so nothing is computed
        in vain. Slower ones use `turn` and `start`, which keep nobody from telling.

        Args:
            since: the revision up to which the caller has read.
            propose: given the present revision and the trials written after `since`, returns params
                and info. It must not use the storage, and may be called again if storing fails.
        """

    def insert(self, name: str, entry: Entry) -> Trial:
        """Store a whole trial under the next free number."""
        return self.insert_many(name, [entry])[0]

    @abstractmethod
    def insert_many(self, name: str, entries: Sequence[Entry]) -> list[Trial]:
        """Store whole trials under the next free numbers: all of them or, on an error, none."""

    @abstractmethod
    def finish(self, name: str, number: int, ending: Ending) -> Trial:
        """Store how a RUNNING trial ended, once: all of it or, on an error, nothing.

        A trial that was reclaimed is finished like a running one, once: its worker was late, not
        dead. Raises `TrialError` for a trial that is already told or does not exist.
        """

    @abstractmethod
    def correct(self, name: str, number: int, ending: Ending) -> Trial:
        """Replace how a trial ended, any number of times; `Trial.earlier` keeps what was there.

        The noise stays when none is given, and so does the time of the result: the trial
        keeps its place among the results. Raises `TrialError` for a trial that is still running.
        """

    @abstractmethod
    def annotate(
        self,
        name: str,
        number: int,
        *,
        note: str | None = None,
        attributes: Mapping[str, Any] | None = None,
    ) -> Trial:
        """Replace the note, and merge attributes into those of the trial; in any state."""

    @abstractmethod
    def beat(self, name: str, numbers: Sequence[int]) -> list[int]:
        """Say that these trials are still being worked on. Returns those that are RUNNING."""

    @abstractmethod
    def reclaim(self, name: str, grace: float) -> list[Trial]:
        """Turn RUNNING trials without a heartbeat for `grace` seconds into FAILED ones.

        Returns the trials that this call took back. A heartbeat that lies more than `grace` in the
        future counts as missing too: the clock was set back since.
        """

    @abstractmethod
    def trial(self, name: str, number: int) -> Trial:
        """One trial. Raises `TrialError` when there is none with this number."""

    @abstractmethod
    def changes(self, name: str, since: int = 0) -> tuple[int, list[Trial]]:
        """The present revision, and the trials written after revision `since`, by number."""

    @abstractmethod
    def turn(self, name: str, patience: float = 10.0) -> AbstractContextManager[bool]:
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


def check_name(name: object) -> None:
    """Refuse names that a database, a shell or a person cannot tell apart or print."""
    if not isinstance(name, str) or not name.strip() or name != name.strip():
        raise SettingsError(
            f"the name of a study must be text without spaces around it, got {name!r}"
        )
    if len(name) > 200 or not name.isprintable():
        raise SettingsError(
            f"the name of a study must be at most 200 printable characters, got {name[:50]!r}"
            f" ({len(name)} characters); choose a shorter one, such as 'suzuki'"
        )
