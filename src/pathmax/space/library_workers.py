"""Who goes through a library: threads of this process, or the workers of an executor.

Each part is done by whoever is free. Nothing depends on who that is or in which order parts end, so
that work of a worker that was lost is done again by another one.
"""

from __future__ import annotations

import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from itertools import chain
from typing import Any, TypeVar, final

from pathmax.errors import PathmaxError, SpaceError
from pathmax.scalars import type_of
from pathmax.space.library_blocks import Block, LibraryReading, Work, run_piece, work_through
from pathmax.space.library_files import Part

__all__ = ["OnExecutor", "Threads", "Workers"]

R = TypeVar("R")
A = TypeVar("A")
LIBRARY_THREADS = min(4, os.cpu_count() or 1)  # NumPy and Arrow release the interpreter lock


class Workers(ABC):
    """Who does the work on the parts of a library."""

    @abstractmethod
    def each(
        self, function: Callable[[Any, A], R], parts: Sequence[Any], args: Sequence[A]
    ) -> list[R]:
        """function(part, arg) for every part, in order."""

    def run(
        self, work: Work[R], reading: LibraryReading, parts: Sequence[Part], starts: Sequence[int]
    ) -> R:
        """The work on all rows."""
        pieces = [(reading, start, work) for start in starts]
        return work.merge(self.each(run_piece, parts, pieces))


@final
class Threads(Workers):
    """Threads of this process; the blocks of a part are shared out too."""

    def each(
        self, function: Callable[[Any, A], R], parts: Sequence[Any], args: Sequence[A]
    ) -> list[R]:
        with ThreadPoolExecutor(LIBRARY_THREADS) as threads:
            return list(threads.map(function, parts, args))

    def run(
        self, work: Work[R], reading: LibraryReading, parts: Sequence[Part], starts: Sequence[int]
    ) -> R:
        blocks = Shared(
            chain.from_iterable(reading.blocks(p, s) for p, s in zip(parts, starts, strict=True))
        )
        with ThreadPoolExecutor(LIBRARY_THREADS) as threads:
            each = [threads.submit(work_through, work, blocks) for _ in range(LIBRARY_THREADS)]
            return work.merge([one.result() for one in each])


@final
class Shared(Iterator[Block]):
    """Blocks that several threads take turns in asking for."""

    def __init__(self, blocks: Iterator[Block]) -> None:
        self._blocks, self._lock = blocks, threading.Lock()

    def __next__(self) -> Block:
        with self._lock:
            return next(self._blocks)


@final
class OnExecutor(Workers):
    """The workers of a `concurrent.futures.Executor` or of a Dask client."""

    def __init__(self, executor: Executor | Any) -> None:
        if not callable(getattr(executor, "submit", None)):
            raise SpaceError(
                "executor must have a method submit, as concurrent.futures.ProcessPoolExecutor and "
                f"a Dask client have, got {type_of(executor)}"
            )
        self.executor = executor

    def each(
        self, function: Callable[[Any, A], R], parts: Sequence[Any], args: Sequence[A]
    ) -> list[R]:
        # a Dask client would take a second call with equal arguments for the first
        options = {"pure": False} if hasattr(self.executor, "scheduler_info") else {}
        futures: list[Any] = []
        try:
            for part, arg in zip(parts, args, strict=True):
                futures.append(self.executor.submit(function, part, arg, **options))
        except Exception as error:
            raise SpaceError(
                f"{self.executor!r} takes no more work: {error}; open the library again with an "
                "executor that is running, and use it before that is closed (inside its `with`)"
            ) from error
        try:
            return [future.result() for future in futures]
        except PathmaxError:
            raise
        except Exception as error:
            if "pickle" in str(error):
                raise SpaceError(
                    f"work on the library cannot be sent to {self.executor!r}: {error}; define "
                    "functions of where= at the top level of a module, or write them as sentences"
                ) from error
            raise SpaceError(
                f"a part of the library could not be gone through on {self.executor!r}: {error!r}; "
                "look at the workers' logs and ask again: nothing is lost"
            ) from error
        finally:
            for future in futures:
                if not future.done():
                    future.cancel()
