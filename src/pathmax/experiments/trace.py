"""Executing a run, and what is kept of it.

The loop is a user's: ask, evaluate, tell, through the public `Study` alone.
"""

from __future__ import annotations

import dataclasses
import math
import time
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from pathmax.arrays import Array
from pathmax.experiments.plan import PlannedRun
from pathmax.experiments.problems import Problem
from pathmax.study import Study
from pathmax.trials.info import Info
from pathmax.trials.trial import Trial


@dataclasses.dataclass(frozen=True, eq=False)
class Trace:
    """What happened in a run; n = initial + T evaluations, the first `initial` of them the design.

    value    (n,) the function at each point, without noise
    regret   (n,) its distance from the optimum
    std      (T,) posterior standard deviation at each chosen point
    width    (T,) xi, eta, beta^(1/2) or zeta^(1/2); NaN for methods that have none
    seconds  of computing for all the suggestions
    """

    value: Array
    regret: Array
    std: Array
    width: Array
    seconds: float

    @property
    def initial(self) -> int:
        return len(self.value) - len(self.std)

    def first(self, iterations: int) -> Trace:
        """The run as it was after that many iterations."""
        n = self.initial + iterations
        seconds = self.seconds * min(1.0, iterations / max(len(self.std), 1))
        chosen = self.std[:iterations], self.width[:iterations]
        return Trace(self.value[:n], self.regret[:n], *chosen, seconds)


def execute(run: PlannedRun) -> Trace:
    """Do the run here and now; the numbers depend on nothing but the run."""
    # More BLAS threads would change the order of sums, and with it the last digits.
    with threadpool_limits(limits=1, user_api="blas"):
        return _execute(run)


def _execute(run: PlannedRun) -> Trace:
    problem = run.setting.make(run.problem_rng)
    study = _study(run, problem)
    rng = np.random.default_rng([run.study_seed, 1])
    trials: list[Trial] = []
    seconds = 0.0
    for i in range(run.setting.initial + run.iterations):
        started = time.process_time()
        if run.method.ask is None or i < run.setting.initial:
            trial = study.ask()
            seconds += time.process_time() - started
            study.tell(trial, problem(trial.params))
        else:
            params = run.method.ask(study, rng)
            seconds += time.process_time() - started
            trial = study.add(params, problem(params))
        trials.append(trial)
    chosen = trials[run.setting.initial :]
    return Trace(
        value=np.array([problem.value(trial.params) for trial in trials]),
        regret=np.array([problem.regret(trial.params) for trial in trials]),
        std=np.array([Info(trial.info).get("std", math.nan) for trial in chosen], dtype=np.float64),
        width=np.array([_width(Info(trial.info)) for trial in chosen]),
        seconds=seconds,
    )


def _study(run: PlannedRun, problem: Problem) -> Study:
    options: dict[str, Any] = {**run.setting.options, **run.method.options}
    if run.method.of_study not in ("gp-ucb", "irgp-ucb"):
        options.pop("confidence", None)
    if run.method.of_study != "gp-ucb":
        options.pop("design", None)
    if run.sampler != "exact" and run.method.of_study in PATH_METHODS:
        options["kind"] = run.sampler
    given: dict[str, Any] = {"initial": run.setting.initial, **run.setting.study}
    if problem.kernel is not None:
        given |= {"kernel": problem.kernel, "noise": problem.noise, "refit_every": None}
    return Study(
        problem.space,
        direction=problem.direction,
        method=run.method.of_study,
        seed=run.study_seed,
        options=options,
        # The paper's methods may return to a point; in a continuous space nobody would.
        replicates=problem.space.is_numbered,
        **given,
    )


PATH_METHODS = ("pims", "ts", "mes", "jes", "eims")


def _width(info: Info) -> float:
    """The confidence parameter in the sense of GP-UCB: mean + width * std is maximised."""
    for name in ("xi", "eta"):
        if name in info:
            return float(info[name])
    for name in ("beta", "zeta"):
        if name in info:
            return math.sqrt(info[name])
    return math.nan
