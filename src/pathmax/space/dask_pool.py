"""A Dask data frame as a pool: its partitions stay with the workers that have them.

Every partition is a part of a library. What is asked of it goes to the worker that holds it, and
the answer, a row or a few numbers, comes back. When a worker is lost, Dask computes its partitions
again on another one, and does the work there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, final

from pathmax.errors import MissingExtraError, SpaceError
from pathmax.scalars import describe, type_of
from pathmax.space.library import Library
from pathmax.space.library_columns import Batch, Kind, kind_of
from pathmax.space.library_workers import OnExecutor, Workers
from pathmax.space.pool_reading import PoolReading, refuse_place

__all__ = ["read_dask"]

R = TypeVar("R")
A = TypeVar("A")


@final
@dataclass(frozen=True, eq=False)
class Partition:
    """A partition of a data frame, as it is known where the work is given out."""

    place: str
    future: Any
    first: int = 0


@final
@dataclass(frozen=True, eq=False)
class FramePart:
    """The rows of a partition where they are."""

    frame: Any
    place: str
    first: int = 0

    def batches(self, columns: Sequence[str], size: int) -> Iterator[Batch]:
        from pyarrow import Table

        for start in range(0, len(self.frame), size):
            some = self.frame[list(columns)].iloc[start : start + size]
            yield Batch(Table.from_pandas(some, preserve_index=False).combine_chunks())


@final
class OnDask(Workers):
    """The workers that hold the partitions."""

    def __init__(self, client: Any) -> None:
        self.client = OnExecutor(client)

    def each(
        self, function: Callable[[Any, A], R], parts: Sequence[Any], args: Sequence[A]
    ) -> list[R]:
        asked = [(function, part.place, arg) for part, arg in zip(parts, args, strict=True)]
        return self.client.each(on_frame, [part.future for part in parts], asked)


def on_frame(frame: Any, asked: tuple[Callable[[Any, Any], R], str, Any]) -> R:
    """What is asked of a partition, done where it is."""
    function, place, arg = asked
    return function(FramePart(frame, place), arg)


def kinds_there(frame: Any, wanted: PoolReading) -> dict[str, Kind | None]:
    """What the columns of a partition hold; None for those that are not read."""
    from pyarrow import Schema

    read = [name for name in frame.columns if wanted.reads(name)]
    schema = Schema.from_pandas(frame[read], preserve_index=False)
    kinds = {name: kind_of(name, schema.field(name).type, refuse_place) for name in read}
    return {name: kinds.get(name) for name in frame.columns if wanted.may_read(name)}


def read_dask(wanted: PoolReading, frame: Any, client: Any) -> tuple[Library, int]:
    """The rows of a data frame that workers hold, and how many were left out."""
    wanted.check()
    is_table = hasattr(frame, "columns") and frame.ndim == 2  # an array has none, a column is 1-D
    if not (hasattr(frame, "to_delayed") and is_table):
        raise SpaceError(
            f"from_dask takes a dask.dataframe, got {type_of(frame)}; for files use "
            "from_parquet(..., executor=client)"
        )
    wanted.refuse_molecules("bring them here, Candidates(frame.compute(), ...)")
    unnamed = [name for name in frame.columns if not isinstance(name, str)]
    if unnamed:
        raise SpaceError(
            f"the columns of a library have names that are text, got {unnamed[0]!r}; rename them: "
            "frame.rename(columns=str)"
        )
    client = default_client() if client is None else client
    futures = computed(client, frame.to_delayed())
    parts = [Partition(f"partition {i}", future) for i, future in enumerate(futures)]
    workers = OnDask(client)
    kinds = same_kinds(workers.client.each(kinds_there, futures, [wanted] * len(parts)))
    names = wanted.used(list(kinds), refuse_place)
    used = {name: kind for name in names if (kind := kinds[name]) is not None}
    return wanted.left_in_place(parts, used, refuse_place, workers)


def computed(client: Any, partitions: Sequence[Any]) -> list[Any]:
    """The partitions, to be computed and kept by the workers of a client."""
    if not (hasattr(client, "compute") and hasattr(client, "scheduler_info")):
        raise SpaceError(
            f"client must be a Dask client, distributed.Client(...), got {describe(client)}"
        )
    try:
        return list(client.compute(partitions))
    except Exception as error:
        raise SpaceError(
            f"{client!r} takes no work: {error}; give a client that is connected, and use it "
            "before it is closed (inside its `with`)"
        ) from error


def same_kinds(found: Sequence[dict[str, Kind | None]]) -> dict[str, Kind | None]:
    """What the columns hold in all partitions: whole numbers with gaps are real ones in some."""
    kinds = dict(found[0])
    for number, other in enumerate(found):
        if [*other] != [*kinds]:
            raise SpaceError(
                f"partition {number} has the columns {', '.join(other)}, and partition 0 "
                f"{', '.join(kinds)}; give all partitions the same columns"
            )
        for name, kind in other.items():
            if {kind, kinds[name]} == {"whole", "real"}:
                kinds[name] = "real"
            elif kind != kinds[name]:
                raise SpaceError(
                    f"column {name!r} holds numbers in some partitions and text in others; give "
                    "it one type"
                )
    return kinds


def default_client() -> Any:
    """The Dask client that was made last in this process."""
    try:
        from distributed import default_client as current
    except ImportError as error:
        raise MissingExtraError(
            'Dask is not installed; run: pip install "pathmax[dask]"'
        ) from error
    try:
        return current()  # type: ignore[no-untyped-call]
    except ValueError as error:
        raise SpaceError(
            "there is no Dask client; make one, client = distributed.Client(...), or give "
            "from_dask(frame, client=client)"
        ) from error
