"""What may be tried, asked without knowing of which kind it is.

A `Space`, a pool of `Candidates` and a `Grid` differ in how points are made and found. Whoever
shows a space, writes it down or reads values for it asks the questions below, not for its type.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar, Self

from pathmax.arrays import Array
from pathmax.scalars import Scalar
from pathmax.space.activity import Activity
from pathmax.space.expert_prior import Likely
from pathmax.space.fidelity import Fidelity
from pathmax.space.known_constraints import Known
from pathmax.space.mixtures import Mixture
from pathmax.space.ranges import NumberRange

__all__ = ["ParameterSpace"]


class ParameterSpace(ABC):
    """Named parameters, axes or columns, and what each of them may be."""

    _where: Known
    _context: tuple[str, ...]
    _held: dict[int, float]  # the coordinates of parameters that are given
    _whole: Self | None  # the same with none given

    is_pool: ClassVar[bool] = False  # rows, with nothing between them
    is_numbered: ClassVar[bool] = True  # whether points are rows with numbers
    skipped: int = 0  # rows that were left out because they are incomplete

    @property
    def id(self) -> str | None:
        """The column that names a row, if there is one."""
        return None

    @property
    def key(self) -> str | None:
        """The column that says alone which row it is: the id, or molecules that all differ."""
        return self.id

    @property
    def rows_given(self) -> int:
        """How many rows a pool was made from, incomplete ones too."""
        return 0

    @property
    def mixtures(self) -> tuple[Mixture, ...]:
        """The mixtures whose components are parameters."""
        return ()

    @property
    def blended_names(self) -> tuple[str, ...]:
        """The components of mixtures."""
        return tuple(name for mixture in self.mixtures for name in mixture.names)

    @property
    def where(self) -> Known:
        """What is known about what can be tried."""
        return self._where

    @property
    def context_names(self) -> tuple[str, ...]:
        """The parameters that are given and not chosen."""
        return self._context

    def _stated(self) -> dict[str, Any]:
        """What is stated beside the rows or axes: known constraints and contexts."""
        where = {"where": self.where.to_json()} if self.where else {}
        return where | ({"context": list(self._context)} if self._context else {})

    def counts(self, params: Mapping[str, Scalar]) -> bool:
        """Whether a result there may be the best: it obeys what is known, at the target."""
        name, fidelity = self.fidelity or ("", None)
        if fidelity is not None and not fidelity.is_target(params.get(name)):
            return False
        return self.where.are_obeyed(params)

    @property
    def fidelity(self) -> tuple[str, Fidelity] | None:
        """The parameter that says how closely a trial approximates what is wanted, if any."""
        return None

    @property
    def likely(self) -> Likely | None:
        """Where an expert expects the best; None without a guess."""
        return None

    @property
    def target_words(self) -> str:
        """The target fidelity as people say it; empty where there is none."""
        name, fidelity = self.fidelity or ("", None)
        return "" if fidelity is None else f"{name} = {fidelity.target!r}"

    def aimed(self, params: Mapping[str, object]) -> Mapping[str, object]:
        """Params at the target fidelity, unless they say another one."""
        name, fidelity = self.fidelity or ("", None)
        if fidelity is None or not isinstance(params, Mapping) or name in params:
            return params
        return {**params, name: fidelity.target}

    @cached_property
    def at_target(self) -> Self:
        """What may be chosen at the target fidelity; the space itself where there is none."""
        name, fidelity = self.fidelity or ("", None)
        return self if fidelity is None else self.given({name: fidelity.target})

    def rows_at_target(self, rows: Sequence[int]) -> Sequence[int]:
        """The rows that are the same as some but for the fidelity, which is the target."""
        return rows

    @abstractmethod
    def given(self, values: Mapping[str, object]) -> Self:
        """The same coordinates, of which some are held at the value that is given."""

    @property
    def activity(self) -> Activity | None:
        """Which coordinates count where; None when all do, since there are no conditions."""
        return None

    @property
    def held(self) -> Mapping[int, float]:
        """The coordinates that have one value only, since their parameters are given."""
        return MappingProxyType(self._held)

    @property
    def unheld(self) -> Self:
        """The same with nothing given."""
        return self if self._whole is None else self._whole

    @abstractmethod
    def choices(self, name: str) -> tuple[Scalar, ...] | None:
        """The values that a text may stand for; None where it stands for itself."""

    def range_of(self, name: str) -> NumberRange | None:
        """The range of a number; None where values are listed."""
        return None

    @abstractmethod
    def describe(self, name: str, show: Callable[[Scalar], str] = str) -> str:
        """What a parameter may be, in words; `show` writes a value of it."""

    @abstractmethod
    def outline(self) -> dict[str, Any]:
        """A dict for `json.dumps` that says what the parameters are, without rows of a pool."""

    @abstractmethod
    def entries(self) -> dict[str, dict[str, Any]] | None:
        """What a space file says of each parameter; None for a pool, which has its own file."""

    def sampled(self, most: int) -> list[dict[str, Scalar]] | None:
        """Rows that stand for a pool, at most so many; None where there is something in between."""
        return None

    def changed(self, params: Mapping[str, Scalar], name: str, value: Scalar) -> dict[str, Scalar]:
        """Params with another value of one parameter."""
        return {**params, name: value}

    def settle(self, points: Array) -> Array:  # (m, d) -> (m, d)
        """The same points, with coordinates that do not count marked as absent."""
        return points

    @property
    def is_held(self) -> bool:
        """Whether all of it is in memory, and not in the files of a library."""
        return True

    def holds_all(self, rows: Sequence[Mapping[str, object]]) -> bool:
        """Whether every one of the params is certain to be in the space; False where it takes long.

        `locate` then says it of each.
        """
        return False

    def remember(self, many: Iterable[Mapping[str, object]]) -> None:
        """Find many params at once: only worth it where rows are not held."""
        return None

    @abstractmethod
    def locate(self, params: Mapping[str, object]) -> tuple[Array, int | None]:
        """The point (d,) of params, and the number of its row where rows are numbered."""

    @property
    @abstractmethod
    def size_words(self) -> str:
        """What it is and how large, in words."""

    @abstractmethod
    def changes_to(self, other: Self) -> list[str]:
        """What changed from this one to another of its kind, a sentence each."""

    def difference(self, other: object) -> list[str]:
        """What changed from this one to `other`, a sentence each; empty when nothing did."""
        if isinstance(other, type(self)):
            return self.changes_to(other)
        return [f"{self.size_words} became a {type(other).__name__}"]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and not self.changes_to(other)

    @abstractmethod
    def __hash__(self) -> int: ...

    def __getstate__(self) -> dict[str, Any]:
        # limits have functions of their own inside, which no other process could read
        return {name: part for name, part in vars(self).items() if name != "limits"}
