"""The spaces that a study has had: each trial is understood in the space of its time.

A study whose space was changed goes on with the same trials. Results that do not fit the present
space stay in the study and are left out of its model; a trial is derived again in the space, and
from the results, that it was suggested with.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pathmax.errors import ParamsError, SpaceError
from pathmax.space import any_space
from pathmax.space.any_space import AnySpace
from pathmax.trials.goals import Goals
from pathmax.trials.history import Place
from pathmax.trials.trial import Trial

MANY_TRIALS = 100  # trials that are placed faster together than one by one


class Edition:
    """A space that a study had, and what was wanted of it, from trial `first` on."""

    def __init__(self, space: AnySpace | Mapping[str, Any], goals: Goals, first: int) -> None:
        self._space, self.goals, self.first = space, goals, first
        self._places: dict[int, Place | None] = {}

    @cached_property
    def domain(self) -> AnySpace:
        """The space; an earlier one is read when a trial of its time is asked about."""
        if not isinstance(self._space, Mapping):
            return self._space
        if not any_space.is_stored_whole(self._space):
            raise SpaceError(
                f"it was suggested from a pool of {self._space['length']} rows, too many to be "
                "stored with the study, whose space has been changed since; so it is neither "
                "explained nor derived again. What was told of it is kept"
            )
        return any_space.from_json(self._space)

    def place(self, trial: Trial) -> Place | None:
        """Where a trial lies, computed once, or None when it does not fit this space."""
        if trial.number not in self._places:
            self._places[trial.number] = self._locate(trial)
        return self._places[trial.number]

    def places_of(self, trials: Iterable[Trial]) -> dict[int, Place]:
        """Where the trials that fit this space lie, by their numbers."""
        placed = [(trial.number, self.place(trial)) for trial in trials]
        return {number: place for number, place in placed if place is not None}

    def remember(self, trials: Iterable[Trial]) -> None:
        """Find many trials at once in a pool whose rows are not held."""
        self.domain.remember(t.params for t in trials if t.number not in self._places)

    def place_all(self, trials: Sequence[Trial]) -> None:
        """Find many at once where rows are not numbered; what does not fit is left to `place`."""
        new = [trial for trial in trials if trial.number not in self._places]
        if len(new) < MANY_TRIALS or (first := self.place(new[0])) is None or first.row is not None:
            return
        try:
            points = self.domain.encode_many([trial.params for trial in new])
        except ParamsError:
            return
        self._places.update((trial.number, Place(u)) for trial, u in zip(new, points, strict=True))

    def _locate(self, trial: Trial) -> Place | None:
        try:
            return Place(*self.domain.locate(trial.params))
        except ParamsError:
            return None


@dataclass(frozen=True, slots=True)
class Editions:
    """All the spaces of a study, oldest first; the last is the present one."""

    editions: tuple[Edition, ...]

    @classmethod
    def of(cls, earlier: Sequence[Mapping[str, Any]], space: AnySpace, goals: Goals) -> Editions:
        """From what a storage keeps of the earlier ones, and the present one."""
        starts = [0, *(int(was["until"]) for was in earlier)]
        before = [
            Edition(was["space"], Goals.from_json(was.get("goals"), was["direction"]), first)
            for was, first in zip(earlier, starts, strict=False)
        ]
        return cls((*before, Edition(space, goals, starts[-1])))

    @property
    def present(self) -> Edition:
        return self.editions[-1]

    @property
    def unchanged(self) -> bool:
        """Whether the study has had one space only."""
        return len(self.editions) == 1

    def when(self, number: int) -> Edition:
        """The edition in which the trial of that number was made."""
        return next(e for e in reversed(self.editions) if e.first <= max(number, 0))
