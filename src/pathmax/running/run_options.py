"""On which terms `Study.optimize` runs: until when, on which workers, and what an error means.

They are checked as a whole before anything is stored, by `optimize` and, before there is a study at
all, by `maximize` and `minimize`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from math import inf
from typing import Any, Literal

from pathmax.analysis.stopping import Verdict
from pathmax.arguments import real_number, seconds, whole_number, yes_or_no
from pathmax.errors import SettingsError
from pathmax.running.evaluation import Objective
from pathmax.running.workers import check_sendable, count_workers
from pathmax.scalars import describe
from pathmax.space.any_space import AnySpace
from pathmax.space.context import Context
from pathmax.trials.trial import Trial

Callback = Callable[[Any, Trial], object]  # of the study and a trial that has just ended
Stop = Callable[[Any], bool | str | Verdict]  # of the study
OnError = Literal["auto", "fail", "raise"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What `Study.optimize` takes besides the objective; it documents each."""

    n_trials: int | None = None
    budget: float | None = None
    timeout: float | None = None
    executor: Executor | None = None
    workers: int | None = None
    on_error: OnError = "auto"
    progress: bool = True
    ordered: bool = False
    stop: Stop | None = None
    prefetch: bool = False
    callbacks: Iterable[Callback] = ()
    context: Context | Callable[[], Context] | None = None

    def context_now(self) -> Context | None:
        """The context of the next trial."""
        return self.context() if callable(self.context) else self.context

    def checked(self, objective: Objective, space: AnySpace) -> Terms:
        """The same with plain Python values, or the error that says what is wrong."""
        n_trials, timeout, stop = self.n_trials, self.timeout, self.stop
        if stop is not None and not callable(stop):
            raise SettingsError(
                "stop must be a function of the study, such as StopWhen(regret=0.5), "
                f"got {describe(stop)}"
            )
        ends = (n_trials, self.budget, timeout, stop)
        if all(end is None for end in ends) and space.cardinality is None:
            raise SettingsError("optimize needs an end: give n_trials, budget, timeout or stop")
        if self.on_error not in ("auto", "fail", "raise"):
            raise SettingsError(
                f'on_error must be "auto", "fail" or "raise", got {self.on_error!r}'
            )
        if self.prefetch and self.executor is None:
            raise SettingsError(
                "prefetch asks for the next trial while workers run, and without an executor there "
                "are none; give executor=, or leave prefetch out"
            )
        callbacks = _checked_callbacks(self.callbacks)
        check_sendable(objective, self.executor)
        return replace(
            self,
            n_trials=None if n_trials is None else whole_number("n_trials", n_trials, least=0),
            budget=None if self.budget is None else _checked_budget(self.budget),
            timeout=None if timeout is None else seconds("timeout", timeout),
            workers=count_workers(self.executor, self.workers),
            progress=yes_or_no("progress", self.progress),
            ordered=yes_or_no("ordered", self.ordered),
            prefetch=yes_or_no("prefetch", self.prefetch),
            callbacks=callbacks,
        )


def _checked_budget(given: object) -> float:
    return real_number("budget", given, "a cost, zero or more", lambda v: 0.0 <= v < inf)


def _checked_callbacks(given: object) -> tuple[Callback, ...]:
    found = tuple(given) if isinstance(given, Iterable) else (None,)
    if not all(map(callable, found)):
        raise SettingsError(
            "callbacks must be a list of functions of the study and a trial, such as "
            f"[lambda study, trial: print(trial)], got {describe(given)}"
        )
    return found
