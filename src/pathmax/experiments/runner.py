"""Executing runs, here or elsewhere, and keeping each as soon as it is finished.

Runs are independent, so any `concurrent.futures.Executor` will do. Only this process writes: on a
cluster nothing needs to be shared. A run that is kept already is not done again.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from typing import Any, Protocol

from pathmax.errors import MissingExtraError, PathmaxError
from pathmax.experiments.plan import PlannedRun
from pathmax.experiments.store import Store
from pathmax.experiments.trace import Trace, execute

AHEAD = 2  # runs handed out per worker: it is never idle, and little is lost when we are killed


class Watcher(Protocol):
    """Is told what happens."""

    def finished(self, run: PlannedRun, trace: Trace) -> None: ...


def perform(
    runs: Sequence[PlannedRun], store: Store, executor: Executor, *, workers: int, watcher: Watcher
) -> None:
    """Do the runs that are not in the store. Stopped at any moment, it can be called again.

    A run that fails is told at the end, when the others are done and kept.
    """
    missing = [run for run in runs if store.load(run) is None]
    waiting, failed = iter(missing), list[str]()
    pending: dict[Future[Trace], PlannedRun] = {}

    def hand_out() -> None:
        while len(pending) < AHEAD * workers and (run := next(waiting, None)) is not None:
            pending[executor.submit(execute, run)] = run

    hand_out()
    try:
        while pending:
            done, _ = wait(pending, return_when=FIRST_COMPLETED)
            # those that failed come last: what was finished beside them is kept
            for future in sorted(done, key=lambda future: future.exception() is not None):
                run = pending.pop(future)
                found = _result(run, future)
                if isinstance(found, str):
                    failed.append(found)
                else:
                    store.save(run, found)
                    watcher.finished(run, found)
            hand_out()
    finally:
        for future in pending:
            future.cancel()
    if failed:
        raise PathmaxError(
            f"{failed[0]}; {len(failed)} of {len(missing)} runs failed, the others are kept"
        )


def _result(run: PlannedRun, future: Future[Trace]) -> Trace | str:
    """What the run gave, or how it failed when that is no error of a user."""
    try:
        return future.result()
    except BrokenExecutor as error:
        raise PathmaxError(
            f"a worker died during {run.label} (killed, or out of memory?); finished runs are "
            "kept: give the same command again, with fewer --jobs if memory was short"
        ) from error
    except PathmaxError:
        raise
    except Exception as error:
        return f"{run.label} failed: {type(error).__name__}: {error}"


@contextmanager
def processes(jobs: int) -> Iterator[tuple[Executor, int]]:
    """Worker processes on this machine."""
    # spawn: a forked child would inherit the locks of the thread that draws the progress bar
    others = set(active_children())
    executor = ProcessPoolExecutor(
        jobs, mp_context=get_context("spawn"), initializer=end_with_parent
    )
    try:
        yield executor, jobs
    except BaseException:  # Ctrl-C among them: what is running can be run again
        executor.shutdown(wait=False, cancel_futures=True)
        for worker in set(active_children()) - others:
            worker.terminate()
        raise
    executor.shutdown()


def end_with_parent() -> None:
    """In a worker: end when the process that started it is gone, even if it was killed.

    Ctrl-C reaches all processes of a terminal; the parent hears it and ends the workers.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is None:
        return

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def dask_cluster(address: str) -> Iterator[tuple[Executor, int]]:
    """The workers of a Dask scheduler, such as tcp://10.0.0.1:8786."""
    try:
        from distributed import Client
    except ImportError as error:
        raise MissingExtraError(
            'a Dask cluster needs distributed; run: pip install "pathmax[dask]"'
        ) from error
    try:
        client: Any = Client(address, timeout=20)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise PathmaxError(
            f"no Dask scheduler answers at {address} ({error}); "
            "start one with `dask scheduler` and give the address it prints"
        ) from error
    with client:
        workers = sum(client.nthreads().values())
        if not workers:
            raise PathmaxError(
                f"the Dask scheduler at {address} has no workers; "
                f"start some with `dask worker {address}`"
            )
        yield client.get_executor(pure=False), workers
