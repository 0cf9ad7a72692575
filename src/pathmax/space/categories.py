"""Parameters without an order: one of a list of choices, or a fixed value.

    Categorical      u = 0, 1, ..., k - 1, the position of the choice
    Fixed            no coordinate

A definition is checked when a space is built from it, not before: then the error can name it.
"""

from __future__ import annotations

import dataclasses
import math
import os
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any, ClassVar, TypeAlias, final

import numpy as np

from pathmax.arrays import Array
from pathmax.errors import ParamsError, SpaceError
from pathmax.scalars import Scalar, describe, plain
from pathmax.space.axes import Axis
from pathmax.space.checks import (
    checked_context,
    checked_when,
    equal_pairs,
    no_choice,
    storable_choice,
)
from pathmax.space.descriptors import Descriptors, read_descriptors
from pathmax.space.expert_prior import GUESSED_CONTEXT, ChoiceWeights, checked_weights
from pathmax.space.parameter_words import listed, terms_of
from pathmax.space.refused_keywords import refusing
from pathmax.space.sentence_columns import ListedColumn

__all__ = ["Categorical", "Fixed"]

Described: TypeAlias = Mapping[Scalar, Mapping[str, float]] | str | os.PathLike[str] | Descriptors


@final
@refusing("Categorical")
@dataclasses.dataclass(frozen=True)
class Categorical:
    """One of a list of choices without an order: text, numbers, True/False or None.

    Choices that Python holds to be equal (1, 1.0 and True) are refused, since no file or database
    keeps them apart. The values themselves are told apart: True is not the choice 1, "1" is not 1.

    `descriptors`, a dict of numbers for each choice or a CSV file, tell which choices are alike.
    `when` and `context` are as for `Float`; `likely` is the choice that you expect to be the best,
    or a weight for each.
    """

    choices: tuple[Scalar, ...]
    descriptors: Described | None = None
    when: str | None = None
    context: bool = False
    likely: Any = None
    whole: ClassVar[bool] = False

    def __init__(
        self,
        choices: Iterable[Scalar],
        *,
        descriptors: Described | None = None,
        when: str | None = None,
        context: bool = False,
        likely: Any = None,
    ) -> None:
        object.__setattr__(self, "likely", likely)
        object.__setattr__(self, "when", when)
        object.__setattr__(self, "context", context)
        object.__setattr__(self, "descriptors", descriptors)
        unordered = isinstance(choices, str | bytes | set | frozenset | dict)
        listed = isinstance(choices, Iterable) and not unordered
        object.__setattr__(self, "choices", tuple(choices) if listed else choices)

    def checked(self, name: str) -> Categorical:
        """The same with plain Python scalars, or a `SpaceError` that names the parameter."""
        if not isinstance(self.choices, tuple):
            raise SpaceError(
                f"{name}: choices must be a list such as ['a', 'b'], got {describe(self.choices)}; "
                "put them in a list, in the order you like"
            )
        if not self.choices:
            raise SpaceError(f"{name}: no choices given; list at least one")
        choices = tuple(storable_choice(name, value) for value in self.choices)
        for one, other in equal_pairs(choices):
            raise SpaceError(
                f"{name}: the choices {one!r} and {other!r} are equal; "
                "remove one, or write them as different text"
            )
        when, described = checked_when(name, self.when), self.descriptors
        found = None if described is None else read_descriptors(name, described, choices)
        context = checked_context(name, self.context, when)
        likely = checked_weights(name, self.likely, choices)
        if context and likely is not None:
            raise SpaceError(GUESSED_CONTEXT.format(name=name))
        return Categorical(choices, descriptors=found, when=when, context=context, likely=likely)

    @property
    def guess(self) -> ChoiceWeights | None:
        """Which of its choices are likely the best, when it is checked."""
        if self.likely is None:
            return None
        return ChoiceWeights(tuple(w / max(self.likely) for w in self.likely))

    @property
    def properties(self) -> Array | None:  # (k, q)
        """What the descriptors of a checked parameter say, standardised."""
        found = self.descriptors
        return found.standardised if isinstance(found, Descriptors) else None

    @cached_property
    def _codes(self) -> dict[tuple[bool, Scalar], int]:
        return {(isinstance(c, bool), c): code for code, c in enumerate(self.choices)}

    def clean(self, name: str, value: object) -> Scalar:
        """The choice that `value` is, or a `ParamsError`."""
        choice = plain(value)
        try:
            return self.choices[self._codes[isinstance(choice, bool), choice]]  # type: ignore[index]
        except (KeyError, TypeError):
            raise no_choice(name, choice, self.choices) from None

    def encode(self, value: Scalar) -> float:
        """The position of a clean value among the choices."""
        return float(self._codes[isinstance(value, bool), value])

    def decode(self, u: float) -> Scalar:
        """The choice at position u, rounded to the nearest."""
        return self.choices[min(max(math.floor(u + 0.5), 0), len(self.choices) - 1)]

    @property
    def cardinality(self) -> int:
        """How many choices there are."""
        return len(self.choices)

    @property
    def axis(self) -> Axis:
        """What its coordinate may be."""
        codes = np.arange(len(self.choices), dtype=np.float64)
        return Axis("categorical", codes, self.properties)

    def smooth(self, u: Array) -> ListedColumn:  # (m,)
        """The column of choices at u, rounded to the nearest: between choices there is nothing."""
        places = np.clip(np.floor(u + 0.5), 0, len(self.choices) - 1).astype(np.intp)
        return ListedColumn(self.choices, places)

    def steepness(self, numbers: Array) -> float:
        """0: between choices there is nothing."""
        return 0.0

    @property
    def line(self) -> None:
        """None: a choice is no number that grows with u."""

    @property
    def largest(self) -> float:
        """The largest absolute value of a choice, where all are numbers."""
        return max(abs(float(choice or 0.0)) for choice in self.choices)

    @property
    def start(self) -> Scalar:
        """A value to begin with where nothing is known: the first choice."""
        return self.choices[0]

    def describe(self, show: Callable[[Scalar], str]) -> str:
        """What it may be, in words."""
        known = self.descriptors
        alike = f", alike by {', '.join(known.names)}" if isinstance(known, Descriptors) else ""
        return listed(self.choices, show) + alike + terms_of(self)

    def entries(self) -> dict[str, Any]:
        """What a space file says of it."""
        entries: dict[str, Any] = {"choices": list(self.choices)}
        if isinstance(self.descriptors, Descriptors):
            entries["descriptors"] = self.descriptors.of(self.choices)
        return entries | ({} if self.likely is None else {"likely": list(self.likely)})

    def to_json(self) -> dict[str, Any]:
        """Its fields; those that say nothing are left out."""
        fields: dict[str, Any] = {"choices": list(self.choices)}
        if isinstance(self.descriptors, Descriptors):
            fields["descriptors"] = self.descriptors.to_json()
        if self.when is not None:
            fields["when"] = self.when
        if self.likely is not None:
            fields["likely"] = list(self.likely)
        return fields | ({"context": True} if self.context else {})

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Categorical:
        """The parameter that `to_json` wrote."""
        described = stored.get("descriptors")
        found = None if described is None else Descriptors.from_json(described)
        more = {name: stored[name] for name in ("when", "context", "likely") if name in stored}
        return cls(stored["choices"], descriptors=found, **more)

    def __hash__(self) -> int:
        return hash(self.choices)

    def __repr__(self) -> str:
        more = ""
        if isinstance(self.descriptors, Descriptors):
            more = f", descriptors={self.descriptors.of(self.choices)!r}"
        elif self.descriptors is not None:
            more = f", descriptors={self.descriptors!r}"
        if self.when is not None:
            more += f", when={self.when!r}"
        if self.context:
            more += ", context=True"
        if self.likely is not None:
            shown = self.likely if not isinstance(self.likely, tuple) else list(self.likely)
            more += f", likely={shown!r}"
        listed = isinstance(self.choices, tuple)
        return f"Categorical({list(self.choices) if listed else self.choices!r}{more})"


@final
@dataclasses.dataclass(frozen=True, repr=False)
class Fixed:
    """A value that never changes and takes no part in the search. In a space, write it plainly."""

    value: Scalar
    when: ClassVar[None] = None
    context: ClassVar[bool] = False
    whole: ClassVar[bool] = False

    @property
    def choices(self) -> tuple[Scalar]:
        """The one value that there is."""
        return (self.value,)

    def checked(self, name: str) -> Fixed:
        """The same with a plain Python scalar, or a `SpaceError` that names the parameter."""
        return Fixed(storable_choice(name, self.value))

    def clean(self, name: str, value: object) -> Scalar:
        """The fixed value if `value` is that, else a `ParamsError`."""
        given = plain(value)
        if isinstance(given, bool) == isinstance(self.value, bool) and given == self.value:
            return self.value
        raise ParamsError(
            f"{name}: is fixed at {self.value!r} in this space, got {describe(given)}; "
            f"leave {name} out, or make it a Categorical, Int or Float"
        )

    @property
    def cardinality(self) -> int:
        """One."""
        return 1

    def describe(self, show: Callable[[Scalar], str]) -> str:
        """What it is, in words."""
        return f"always {show(self.value)}"

    def entries(self) -> dict[str, Any]:
        """What a space file says of it."""
        return {"value": self.value}

    def to_json(self) -> dict[str, Any]:
        """The value."""
        return {"value": self.value}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Fixed:
        """What `to_json` wrote."""
        return cls(stored["value"])

    def __repr__(self) -> str:  # as it is written in a space
        return repr(self.value)
