"""Executors: how many workers one has, whether it can take the objective, and what if one dies.

Any `concurrent.futures.Executor` will do. Three things about them are not alike:

* how many workers there are, which is how many trials may run at once;
* whether the objective must be pickled to reach them, which is better found out before the first
  trial than in each of them;
* what a dying worker takes along. A ProcessPoolExecutor is broken as a whole: it ends its other
  workers and never says whose fault it was. It is then replaced by `Separate`, a pool per worker,
  where the trials that were running are started again. A worker that dies there ends no other.
"""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from typing import TYPE_CHECKING, Any, final

from pathmax.arguments import whole_number
from pathmax.errors import ObjectiveError, SettingsError
from pathmax.running.evaluation import Objective
from pathmax.scalars import describe

if TYPE_CHECKING:  # it loads multiprocessing, which only those need who have such a pool
    from concurrent.futures import ProcessPoolExecutor


@final
class Inline(Executor):
    """No workers at all: a call is done when `submit` returns. Ctrl-C comes through."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


@final
class Separate(Executor):
    """A process pool of one worker for every call that runs: one death breaks one call.

    `like` gives the way to start processes and their initializer. Pools are used again.
    """

    def __init__(self, like: ProcessPoolExecutor) -> None:
        # Not public, but the same since Python 3.7; without them the defaults have to do.
        self._settings = {
            name: getattr(like, f"_{name}")
            for name in ("mp_context", "initializer", "initargs")
            if hasattr(like, f"_{name}")
        }
        self._idle: list[ProcessPoolExecutor] = []
        self._all: list[ProcessPoolExecutor] = []
        self._lock = threading.Lock()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        from concurrent.futures import ProcessPoolExecutor

        with self._lock:
            pool = self._idle.pop() if self._idle else None
        if pool is None:
            pool = ProcessPoolExecutor(1, **self._settings)
            self._all.append(pool)
        future = pool.submit(fn, *args, **kwargs)
        future.add_done_callback(lambda done: self._release(pool, done))
        return future

    def _release(self, pool: ProcessPoolExecutor, done: Future[Any]) -> None:
        if not done.cancelled() and isinstance(done.exception(), BrokenExecutor):
            return
        with self._lock:
            self._idle.append(pool)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        for pool in self._all:
            pool.shutdown(wait, cancel_futures=cancel_futures)


def count_workers(executor: Executor | None, workers: object = None) -> int:
    """How many trials may run at once."""
    if workers is not None:
        asked = whole_number("workers", workers, least=1)
        if executor is None and asked > 1:
            raise SettingsError(
                f"workers={asked} needs an executor to run them, such as "
                f"executor=ThreadPoolExecutor({asked}); without one trials run one after another"
            )
        return asked
    if executor is None:
        return 1
    if not isinstance(executor, Executor):
        raise SettingsError(
            "executor must be a concurrent.futures.Executor, such as ProcessPoolExecutor(8) or "
            f"Dask's client.get_executor(), got {describe(executor)}"
        )
    client = getattr(executor, "_client", None)  # Dask
    if client is not None and callable(getattr(client, "nthreads", None)):
        return max(1, sum(map(int, client.nthreads().values())))
    for name in ("_max_workers", "num_workers", "max_workers"):
        number = getattr(executor, name, None)
        if isinstance(number, int) and number > 0:
            return number
    raise SettingsError(
        f"cannot tell how many workers this {type(executor).__name__} has; pass workers=N as well"
    )


def is_process_pool(executor: object) -> bool:
    """Whether an executor has processes of this machine, which can be started again."""
    from concurrent.futures import ProcessPoolExecutor

    return isinstance(executor, Separate | ProcessPoolExecutor)


def check_sendable(objective: Objective, executor: Executor | None) -> None:
    """Refuse an objective that a process pool cannot take, before any trial is spent on it."""
    if not callable(objective):
        raise ObjectiveError(
            "the objective must be a function of params that returns a number, "
            f"got {describe(objective)}"
        )
    if not is_process_pool(executor):
        return
    try:
        pickle.dumps(objective)
    except Exception as error:
        raise cannot_pickle(objective, error) from error


def cannot_pickle(objective: Objective, error: BaseException) -> ObjectiveError:
    name = getattr(objective, "__qualname__", None) or type(objective).__name__
    return ObjectiveError(
        f"the objective {name} cannot be pickled, so it cannot be sent to another process "
        f"({type(error).__name__}: {error}); define it with `def` at the top level of a module "
        "(no lambda, no function inside a function, no open files or locks in it), or use a "
        "ThreadPoolExecutor"
    )


def is_pickling_problem(error: BaseException) -> bool:
    """Whether an executor failed to send the objective, rather than the objective itself."""
    words = str(error).lower()
    return isinstance(error, pickle.PicklingError) or (
        isinstance(error, TypeError | AttributeError)
        and ("pickle" in words or "serialize" in words)
    )
