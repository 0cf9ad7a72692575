"""Goals: what is wanted of each outcome. Everything that has to know which way is better asks here.

    Goal("yield", "maximize")                an objective
    Goal("impurity", high=0.5)               a constraint: at most 0.5
    Goal("purity", "maximize", low=90)       both

A study has one objective called "value" unless it names others. `Goals` keeps the order in which
they were given: objectives first, then constraints.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from pathmax.errors import SettingsError

VALUE = "value"  # the name of the objective of a study that gives it none
SIGNS = {"maximize": 1.0, "minimize": -1.0}
DIRECTIONS = tuple(SIGNS)
USUAL_DIRECTION = "maximize"  # of an objective that says none
BRITISH = {"maximise": "maximize", "minimise": "minimize"}


@dataclass(frozen=True, slots=True)
class Goal:
    """What is wanted of one outcome: as much or as little as possible, or to stay in bounds."""

    name: str
    direction: str | None = None
    low: float = -math.inf
    high: float = math.inf
    reference: float | None = None  # with several objectives: what is worth nothing yet

    def __post_init__(self) -> None:
        if self.direction is not None:
            object.__setattr__(self, "direction", direction_of(self.direction))

    @property
    def is_objective(self) -> bool:
        return self.direction is not None

    @property
    def is_constraint(self) -> bool:
        return math.isfinite(self.low) or math.isfinite(self.high)

    @property
    def sign(self) -> float:
        """+1 when the model sees the outcome as it is, -1 when flipped: larger is better there."""
        if self.direction is not None:
            return SIGNS[self.direction]
        return -1.0 if math.isfinite(self.high) and not math.isfinite(self.low) else 1.0

    @property
    def only_bound(self) -> float | None:
        """The bound of an outcome that has one bound and no direction; else None."""
        bounds = [bound for bound in (self.low, self.high) if math.isfinite(bound)]
        return bounds[0] if len(bounds) == 1 and not self.is_objective else None

    def met(self, value: float) -> bool:
        """Whether a value is within the bounds."""
        return self.low <= value <= self.high

    def violation(self, value: float) -> float:
        """By how much a value is outside the bounds, 0 within them."""
        return max(self.low - value, value - self.high, 0.0)

    def better(self, one: float, other: float) -> bool:
        """Whether one value of the objective is better than another."""
        return self.sign * one > self.sign * other

    def best(self, values: Iterable[float]) -> float:
        """The best of some values of the objective."""
        return max(values, key=lambda value: self.sign * value)

    def best_so_far(self, values: Iterable[float]) -> list[float]:
        """For each value of the objective the best of those up to it."""
        return list(accumulate(values, lambda one, other: self.best((one, other))))

    @property
    def extreme(self) -> str:
        """What the best of a function is called: "maximum" or "minimum"."""
        return "maximum" if self.sign > 0 else "minimum"

    @property
    def bound_words(self) -> str:
        """The bounds alone: "impurity <= 0.5"; empty where there are none."""
        if math.isfinite(self.low) and math.isfinite(self.high):
            return f"{self.low:g} <= {self.name} <= {self.high:g}"
        if not self.is_constraint:
            return ""
        low = math.isfinite(self.low)
        return f"{self.name} {'>=' if low else '<='} {self.low if low else self.high:g}"

    @property
    def words(self) -> str:
        """As people say it: "maximize yield", "impurity <= 0.5"."""
        if self.name == VALUE and not self.is_constraint:
            return str(self.direction)
        wanted = f"{self.direction} {self.name}" if self.direction else ""
        return " with ".join(part for part in (wanted, self.bound_words) if part)

    def to_json(self) -> dict[str, Any]:
        bounds = {"low": self.low, "high": self.high}
        stored = {key: bound for key, bound in bounds.items() if math.isfinite(bound)}
        if self.reference is not None:
            stored["reference"] = self.reference
        return {"name": self.name, "direction": self.direction, **stored}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Goal:
        low, high = stored.get("low"), stored.get("high")
        return cls(
            str(stored["name"]),
            stored.get("direction"),
            -math.inf if low is None else float(low),
            math.inf if high is None else float(high),
            stored.get("reference"),
        )


class Goals(tuple[Goal, ...]):
    """The goals of a study, by order and by name."""

    __slots__ = ()

    def __new__(cls, goals: Iterable[Goal]) -> Goals:
        made = super().__new__(cls, goals)
        names = [goal.name for goal in made]
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise SettingsError(f"the outcome {twice!r} has two goals; state it once")
        if not made.objectives:
            raise SettingsError(
                "a study needs an objective, such as objectives={'yield': 'maximize'}"
            )
        return made

    @classmethod
    def single(cls, direction: str = USUAL_DIRECTION) -> Goals:
        """The one objective of a study that names none."""
        return cls([Goal(VALUE, direction)])

    def __iter__(self) -> Iterator[Goal]:
        return super().__iter__()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(goal.name for goal in self)

    @property
    def objectives(self) -> tuple[Goal, ...]:
        return tuple(goal for goal in self if goal.is_objective)

    @property
    def constraints(self) -> tuple[Goal, ...]:
        return tuple(goal for goal in self if goal.is_constraint)

    @property
    def is_single(self) -> bool:
        """Whether there is one outcome and it only has a direction: the setting of the paper."""
        return len(self) == 1 and not self[0].is_constraint

    @property
    def first(self) -> Goal:
        """The objective, or the first of several."""
        return self.objectives[0]

    def named(self, name: str) -> Goal:
        """The goal of an outcome."""
        for goal in self:
            if goal.name == name:
                return goal
        raise SettingsError(f"there is no outcome {name!r}; this study has {', '.join(self.names)}")

    def are_told_by(self, outcomes: Iterable[str]) -> bool:
        """Whether any of them was measured; after a change of goals it may be none."""
        return not set(self.names).isdisjoint(outcomes)

    def are_met(self, outcomes: Mapping[str, float]) -> bool:
        """Whether everything that is bounded was measured and is within its bounds."""
        return all(g.name in outcomes and g.met(outcomes[g.name]) for g in self if g.is_constraint)

    @property
    def words(self) -> str:
        if len(self) == 1:
            return self[0].words
        unnamed = {goal: f"{goal.direction} {VALUE}" for goal in self if goal.words in DIRECTIONS}
        return ", ".join(unnamed.get(goal, goal.words) for goal in self)

    def to_json(self) -> list[dict[str, Any]] | None:
        """As a study stores them; None for the one objective whose direction it stores anyway."""
        if self.is_single and self.first.name == VALUE:
            return None
        return [goal.to_json() for goal in self]

    @property
    def stated(self) -> dict[str, Any]:
        """The same as `Study` takes them: objectives, constraints and reference."""
        bounds = {goal.name: (goal.low, goal.high) for goal in self.constraints}
        points = {goal.name: goal.reference for goal in self.objectives}
        given = len(points) > 1 and any(point is not None for point in points.values())
        return {
            "objectives": {goal.name: goal.direction for goal in self.objectives},
            "constraints": bounds or None,
            "reference": points if given else None,
        }

    @classmethod
    def from_json(cls, stored: Iterable[Mapping[str, Any]] | None, direction: str) -> Goals:
        if stored is None:
            return cls.single(direction)
        return cls(Goal.from_json(goal) for goal in stored)


def direction_of(word: object) -> str:
    """ "maximize" or "minimize"; written as the British do as well."""
    direction = BRITISH.get(word, word) if isinstance(word, str) else None
    if isinstance(word, list | tuple):
        raise SettingsError(
            f"direction is for one objective, got {word!r}; name several: "
            'objectives={"yield": "maximize", "cost": "minimize"}'
        )
    if direction not in SIGNS:
        raise SettingsError(
            f'direction must be "maximize" or "minimize", got {word!r}; choose which way is better'
        )
    return str(direction)


def opposite(direction: str) -> str:
    """The other direction."""
    return next(other for other in DIRECTIONS if other != direction_of(direction))


def sign_of(direction: str) -> float:
    """+1 when larger is better, -1 when smaller is."""
    return SIGNS[direction_of(direction)]
