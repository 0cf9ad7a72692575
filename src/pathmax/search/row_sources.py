"""Where rows come from that are too many for a table, and what is done with them.

A source gives its rows a block at a time to several workers, on this machine or on others. A work
says what is done with a block, and is a function of the rows alone.
"""

from __future__ import annotations

from typing import Protocol, TypeVar

from pathmax.arrays import Array, Index, Mask

R = TypeVar("R")


class BlockLike(Protocol):
    """Rows that follow each other."""

    @property
    def numbers(self) -> Index: ...  # (m,)

    @property
    def U(self) -> Array: ...  # (m, d)  # noqa: N802

    @property
    def free(self) -> Mask | None: ...  # (m,); None: all of them


class WorkLike(Protocol[R]):
    """What is done with rows, and how results are put together."""

    def start(self) -> R: ...

    def take(self, block: BlockLike, found: R, /) -> R: ...

    def merge(self, found: list[R], /) -> R: ...


class RowSource(Protocol):
    """Where rows come from. Taken rows are among them, and are not free."""

    @property
    def dimension(self) -> int: ...

    @property
    def cardinality(self) -> int: ...

    def run(self, work: WorkLike[R], /) -> R: ...

    def points(self, numbers: Index, /) -> Array: ...  # (m,) -> (m, d)

    def numbered(self, places: Index, /) -> Index: ...  # counted among those allowed -> numbers

    @property
    def n_left(self) -> int: ...  # rows that are not taken; twins of taken ones among them

    def left(self, place: int, /) -> int: ...  # counted among those -> its number

    def is_free(self, number: int, /) -> bool: ...

    def without_taken(self) -> RowSource: ...
