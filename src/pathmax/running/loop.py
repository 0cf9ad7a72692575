"""The loop of `study.optimize`: ask, evaluate, tell, with a trial running on every worker.

One loop serves no executor, threads, processes and clusters. Results are told as they arrive, so
that no worker waits for another; with `ordered=True` they are told in the order they were asked,
which costs waiting and makes a parallel run with a seed come out the same every time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    wait,
)
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field

from pathmax.analysis.stopping import Verdict
from pathmax.errors import ExhaustedError, ObjectiveError, OutcomeError, StorageError, TrialError
from pathmax.logger import logger
from pathmax.running.budget import Budget
from pathmax.running.evaluation import Objective, Report, evaluate
from pathmax.running.failure_limits import FailureLimits
from pathmax.running.finishing import end, remark_on
from pathmax.running.heartbeat import Heartbeat
from pathmax.running.interrupts import Shield
from pathmax.running.local_server import LocalServer
from pathmax.running.progress_base import Progress
from pathmax.running.run_handle import Direct, RunHandle, takes_handle
from pathmax.running.run_options import Terms
from pathmax.running.workers import (
    Inline,
    Separate,
    cannot_pickle,
    is_pickling_problem,
    is_process_pool,
)
from pathmax.session.session import Session
from pathmax.trials.best_trials import best_of
from pathmax.trials.trial import INTERRUPTED, Trial
from pathmax.trials.wording import first_line

Watch = Callable[[Iterable[int]], None]
"""Takes the numbers of the trials whose worker is alive."""


@dataclass(slots=True, kw_only=True)
class Run:
    """One call of `optimize`."""

    session: Session
    facade: object  # what the stop rule is given: the study
    objective: Objective
    terms: Terms
    workers: int
    progress: Progress

    budget: Budget
    shield: Shield = field(default_factory=Shield)
    running: dict[Future[Report], Trial] = field(default_factory=dict)
    ready: Trial | None = None  # asked ahead of the worker that will run it
    restarted: set[int] = field(default_factory=set)
    asked: int = 0
    finished: int = 0
    line: Direct | None = None  # if the objective takes a handle
    server: LocalServer | None = None
    failures: FailureLimits = field(default_factory=FailureLimits)
    ending: str = ""  # why no further trial is started, once that is so
    remark: str = ""

    def go(self) -> str:
        """Run until the end, and say what ended it."""
        timeout = self.terms.timeout
        deadline = None if timeout is None else time.monotonic() + timeout
        with ExitStack() as stack:
            self._open_line(stack)
            pool: Executor = self.terms.executor or Inline()
            watch: Watch | None = None
            if self.session.shared:
                watch = stack.enter_context(Heartbeat(self._beat)).watch
            stack.enter_context(self.shield)
            try:
                while True:
                    self._fill(pool, deadline, watch)
                    if not self.running:
                        self._release()
                        return self.ending
                    if self.terms.prefetch:
                        self._look_ahead(deadline, watch)
                    for future in self._next():
                        if self._restart(future, pool):
                            if not isinstance(pool, Separate):
                                pool = stack.enter_context(Separate(pool))  # type: ignore[arg-type]
                            self._submit(pool, future)
                        else:
                            self._settle(future)
            except KeyboardInterrupt:
                self._abandon()
                return "stopped by Ctrl-C"
            except BaseException:
                with suppress(StorageError):
                    self._abandon()
                raise

    def _open_line(self, stack: ExitStack) -> None:
        """Have handles ready for an objective that takes one."""
        if takes_handle(self.objective):
            self.line = Direct(self.session)
            self.server = LocalServer(self.line.answer)
            stack.callback(self.server.close)

    def _fill(self, pool: Executor, deadline: float | None, watch: Watch | None) -> None:
        """Start trials while there are workers without one."""
        while len(self.running) < self.workers and not self.ending:
            if self.ready is None and not self._goes_on(deadline):
                return
            planned: Future[Report] = Future()
            with self.shield.hold():
                trial = self.ready or self._start()
                if trial is None:
                    return
                self.running[planned], self.ready = trial, None
            self._watch(watch)
            self._submit(pool, planned)

    def _look_ahead(self, deadline: float | None, watch: Watch | None) -> None:
        """While all workers are busy, ask for the trial of the first that will be free."""
        if self.ready is None and self._goes_on(deadline):
            with self.shield.hold():
                self.ready = self._start()
            self._watch(watch)

    def _goes_on(self, deadline: float | None) -> bool:
        """Whether a further trial is to be started; if not, `ending` says why."""
        if self.ending:
            return False
        if self.terms.n_trials is not None and self.asked >= self.terms.n_trials:
            self.ending = "done"
        elif deadline is not None and time.monotonic() >= deadline:
            self.ending = f"stopped after {self.terms.timeout:g} seconds"
        elif self.budget.is_spent:
            self.ending = f"the budget of {self.terms.budget:g} is spent"
        return not self.ending

    def _start(self) -> Trial | None:
        """Another trial, or None when a finite space has no more."""
        try:
            trial = self.session.at(self.terms.context_now()).start(watched=True)
        except ExhaustedError as exhausted:
            self.ending = f"nothing left to try: {exhausted}"
            return None
        self.asked += 1
        self.budget.count(trial)
        return trial

    def _watch(self, watch: Watch | None) -> None:
        if watch is not None:
            ahead = [] if self.ready is None else [self.ready.number]
            watch([*ahead, *(trial.number for trial in self.running.values())])

    def _release(self) -> None:
        """Free a trial that was asked ahead and will not be run."""
        if self.ready is not None:
            end(self.session, self.ready, error=INTERRUPTED)
            self.ready = None

    def _submit(self, pool: Executor, planned: Future[Report]) -> None:
        """Have a trial evaluated; `planned` holds its place until then."""
        trial = self.running[planned]
        try:
            call = f"{self.session.name} {trial.number} {trial.asked_at}"
            arguments = (self.objective, trial.params, call, self._handle(trial))
            future: Future[Report] = pool.submit(evaluate, *arguments)
        except BrokenExecutor as error:
            if not is_process_pool(pool):  # which can be replaced
                raise ObjectiveError(
                    f"the {type(pool).__name__} is broken ({first_line(str(error))}) and takes no "
                    "more trials; make a new one and call optimize again, all results are kept"
                ) from error
            future = Future()
            future.set_exception(error)
        except Exception as error:
            future = Future()
            future.set_exception(error)
        with self.shield.hold():
            del self.running[planned]
            self.running[future] = trial

    def _handle(self, trial: Trial) -> RunHandle | None:
        """What an objective with a second argument is given."""
        return None if self.line is None else RunHandle(trial.number, self.line, self.server)

    def _next(self) -> list[Future[Report]]:
        """Wait for a result; those that are there, oldest trial first."""
        oldest = min(self.running, key=lambda future: self.running[future].number)
        awaited = [oldest] if self.terms.ordered else self.running
        done = wait(awaited, return_when=FIRST_COMPLETED).done
        return sorted(done, key=lambda future: self.running[future].number)

    def _restart(self, future: Future[Report], pool: Executor) -> bool:
        """Whether a process pool broke under this trial, and it has not had its second chance."""
        if future.cancelled() or not isinstance(future.exception(), BrokenExecutor):
            return False
        number = self.running[future].number
        if not is_process_pool(pool) or number in self.restarted:
            return False
        self.restarted.add(number)
        logger.warning(
            "study %r: trial %d: its pool broke, it runs again", self.session.name, number
        )
        return True

    def _settle(self, future: Future[Report]) -> None:
        """Take in how a trial ended."""
        with self.shield.hold():
            ended = self._tell(future)
        for callback in self.terms.callbacks:
            callback(self.facade, ended)
        stop = self.terms.stop
        verdict = stop(self.facade) if stop is not None and not self.ending else False
        words = str(verdict) if isinstance(verdict, str | Verdict) else ""
        self._show(ended, words)
        if verdict:
            self.ending = words or "stopped by the rule given"

    def _tell(self, future: Future[Report]) -> Trial:
        """Tell the study what came back for a trial."""
        trial = self.running.pop(future)
        try:
            report = future.result()
        except CancelledError:
            return end(self.session, trial, error=INTERRUPTED)
        except Exception as error:
            return self._worker_failed(trial, error)
        self.failures.came_back(report)
        if report.error is None:
            return end(self.session, trial, value=report.value, stopped=report.stopped)
        ended = end(self.session, trial, error=report.error)
        if self.terms.on_error == "auto":
            self.failures.check_alike(report, self.terms.n_trials, lambda: self._best() is None)
        if self.terms.on_error == "raise":
            raise ObjectiveError(
                f"trial {trial.number} with {trial.params} failed: {report.error.splitlines()[0]}; "
                f"it is kept as {ended.state}, as are all results before it"
            ) from report.cause
        return ended

    def _worker_failed(self, trial: Trial, error: Exception) -> Trial:
        """The objective did not come back: its worker died, or never got the objective."""
        if is_pickling_problem(error):
            end(self.session, trial, error=INTERRUPTED)
            raise cannot_pickle(self.objective, error) from error
        words = _words(error)
        ended = end(self.session, trial, error=f"its worker died ({words})")
        logger.warning("study %r: trial %d: its worker died", self.session.name, trial.number)
        self.failures.check_deaths(words, error, self.finished)
        return ended

    def _show(self, ended: Trial, words: str) -> None:
        self.finished += 1
        remark = words or remark_on(ended)
        self.progress.told(ended, self._best(), "" if remark == self.remark else remark)
        self.remark = remark

    def _best(self) -> Trial | None:
        try:
            return best_of(self.session.fitting(), self.session.problem.goals)
        except TrialError:  # nothing has succeeded yet
            return None

    def _beat(self, numbers: Sequence[int]) -> None:
        self.session.storage.beat(self.session.key, numbers)

    def _abandon(self) -> None:
        """Keep what has come in, and free what was still running."""
        with self.shield.hold():
            for future, trial in sorted(self.running.items(), key=lambda item: item[1].number):
                future.cancel()
                came = future.done() and not future.cancelled()
                error = future.exception() if came else None
                report = future.result() if came and error is None else Report()
                died = error is not None and not is_pickling_problem(error)
                words = f"its worker died ({_words(error)})" if died and error else INTERRUPTED
                parts = {"value": report.value, "stopped": report.stopped}
                with suppress(OutcomeError):  # it is said of one already
                    end(self.session, trial, error=words, **parts)  # type: ignore[arg-type]
            self.running.clear()
            self._release()


def _words(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".strip().rstrip(":")
