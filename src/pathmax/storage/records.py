"""What is kept of a study and of a trial, as values that every storage takes and returns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pathmax.errors import SettingsError
from pathmax.trials.goals import DIRECTIONS
from pathmax.trials.trial import TrialState

Goals = Sequence[Mapping[str, Any]]
"""What is wanted of each outcome: {"name", "direction"}, or {"name", "low", "high"} for a bound."""


@dataclass(frozen=True, slots=True)
class StudyKey:
    """One study and no later one of the same name: what an open study speaks to its storage with.

    A storage that is given a key instead of a name refuses when the study was deleted and another
    one was made under its name, and starts no trial when the space was changed since.
    """

    name: str
    identity: str
    edition: int
    """How often the space was changed: `len(StudyRecord.earlier_spaces)`."""


class Standing(NamedTuple):
    """Where a study stands: whoever has seen the same has missed nothing."""

    identity: str
    edition: int
    revision: int
    trials: int


Name = str | StudyKey
"""The name of a study, whichever it is now; or the key of a certain one."""


def name_of(name: Name) -> str:
    """The name alone."""
    return name if isinstance(name, str) else name.name


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
    goals: Goals | None = None
    """None: one objective, "value", with the direction of the study."""
    earlier_spaces: Sequence[Mapping[str, Any]] = ()
    """What `Storage.change` replaced, oldest first: space, direction, goals, and "until", the
    number of the first trial that came after."""
    identity: str | None = None
    """Random, made by the storage: a study made again under the same name has another."""

    def __post_init__(self) -> None:
        check_name(self.name)
        check_direction(self.direction)
        check_goals(self.goals)

    @property
    def key(self) -> StudyKey:
        """What tells this study from another of its name; a record that was stored has one."""
        return StudyKey(self.name, self.identity or "", len(self.earlier_spaces))


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What is told of a trial: how it ended, and remarks."""

    state: TrialState = TrialState.COMPLETE
    outcomes: Mapping[str, float] = field(default_factory=dict)
    noise: float | None = None
    noises: Mapping[str, float] = field(default_factory=dict)
    """Variances by outcome, where there are several."""
    cost: float | None = None
    """What it cost, when that was told."""
    error: str | None = None
    note: str | None = None
    """Of a trial that is there, replaces its note; None leaves it."""
    attributes: Mapping[str, Any] = field(default_factory=dict)
    """Of a trial that is there, merged into those that it has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry(Told):
    """A trial that arrives as a whole, such as a result from before: all but its number."""

    params: Mapping[str, Any]
    info: Mapping[str, Any] = field(default_factory=dict)
    worker: str | None = None
    asked_at: float | None = None
    """Unix time in seconds; None lets the storage look at its clock. So for `told_at`."""
    told_at: float | None = None
    reports: Sequence[tuple[int, Mapping[str, float]]] = ()
    """Its curve: steps, each with what was seen there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending(Told):
    """How a trial ended, and what was remarked on it; stored together."""

    adds: bool = False
    """For `correct`: outcomes that were missing are added, and those that are there stay."""

    @property
    def remark(self) -> Remark:
        """What is remarked on the trial."""
        return Remark(self.note, self.attributes)


@dataclass(frozen=True, slots=True)
class Start:
    """A trial that is about to run: where, why, by whom, and whether with heartbeats."""

    params: Mapping[str, Any]
    info: Mapping[str, Any]
    worker: str | None
    heartbeat: bool


@dataclass(frozen=True, slots=True)
class Remark:
    """What is remarked on a trial: a note that replaces its own, attributes that are merged."""

    note: str | None
    attributes: Mapping[str, Any]


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


def check_direction(direction: object) -> None:
    """Refuse what is no direction."""
    if direction not in DIRECTIONS:
        raise SettingsError(f"direction must be 'maximize' or 'minimize', got {direction!r}")


def check_goals(goals: object) -> None:
    """Refuse goals without a name of their own, or that do not say what is wanted."""
    if goals is None:
        return
    if not isinstance(goals, Sequence) or not goals:
        raise SettingsError(
            "goals must be None or a list such as [{'name': 'yield', 'direction': 'maximize'}],"
            f" got {goals!r:.80}"
        )
    names = set()
    for goal in goals:
        name = goal.get("name") if isinstance(goal, Mapping) else None
        if not isinstance(name, str) or not name or name in names:
            raise SettingsError(f"each goal needs a 'name' of its own, got {goal!r:.80}")
        names.add(name)
        if goal.get("direction") is not None:
            check_direction(goal["direction"])
        elif goal.get("low") is None and goal.get("high") is None:
            raise SettingsError(
                f"goal {name!r} needs a 'direction', or a bound 'low' or 'high', got {goal!r:.80}"
            )
