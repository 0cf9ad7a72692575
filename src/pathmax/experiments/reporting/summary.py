"""Curves and tables from traces: means over trials with their standard errors."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TypeAlias

import numpy as np

from pathmax import theory
from pathmax.arrays import Array
from pathmax.experiments.plan import Setting
from pathmax.experiments.trace import Trace
from pathmax.gp import Kernel
from pathmax.space.grid import Grid


@dataclasses.dataclass(frozen=True, eq=False)
class MeanCurve:
    """A mean over trials with its standard error."""

    mean: Array
    error: Array  # NaN when there was one trial

    @staticmethod
    def of(samples: Array) -> MeanCurve:  # (trials, n)
        return MeanCurve(samples.mean(axis=0), standard_error(samples))


@dataclasses.dataclass(frozen=True, eq=False)
class Summary:
    """All the trials of one method on one setting, of equal length: `Store.load` cuts longer ones.

    Curves of the simple regret begin with the best of the first design; the cumulative regret and
    the confidence parameters count what comes after it.
    """

    method: str
    traces: Sequence[Trace]

    @property
    def trials(self) -> int:
        return len(self.traces)

    @property
    def seconds(self) -> float:
        """Mean seconds that the suggestions of a run took."""
        return float(np.mean([trace.seconds for trace in self.traces]))

    @property
    def simple_regret(self) -> MeanCurve:  # after 0..T iterations
        """f* less the best value so far; at index 0 after the design alone."""
        return MeanCurve.of(np.array([simple_regret(trace) for trace in self.traces]))

    @property
    def best_value(self) -> MeanCurve:  # after 0..T iterations
        return MeanCurve.of(np.array([best_value(trace) for trace in self.traces]))

    @property
    def cumulative_regret(self) -> MeanCurve:  # after 1..T iterations
        regret = np.array([trace.regret[trace.initial :] for trace in self.traces])
        return MeanCurve.of(np.cumsum(regret, axis=1))

    @property
    def width(self) -> Array:  # (trials, T)
        return np.array([trace.width for trace in self.traces])

    @property
    def final_regret(self) -> Array:  # (trials,)
        return np.array([simple_regret(trace)[-1] for trace in self.traces])

    @property
    def mean_std(self) -> Array:  # (trials,)
        """Table 2: the mean posterior standard deviation at the evaluated points."""
        return np.array([np.mean(trace.std) for trace in self.traces])


Methods: TypeAlias = Mapping[str, Summary]  # by their names


def simple_regret(trace: Trace) -> Array:  # -> (T + 1,)
    return np.minimum.accumulate(trace.regret)[trace.initial - 1 :]


def best_value(trace: Trace) -> Array:  # -> (T + 1,)
    """The value where the regret was smallest so far: right for either direction."""
    best = np.minimum.accumulate(trace.regret)
    value = trace.value[np.searchsorted(-best, -best, side="left")]
    return np.asarray(value[trace.initial - 1 :])


def standard_error(samples: Array) -> Array:  # (trials, ...) -> (...)
    if len(samples) < 2:
        return np.full(samples.shape[1:], math.nan)
    return np.asarray(samples.std(axis=0, ddof=1) / math.sqrt(len(samples)))


@cache  # it takes seconds on a large grid
def regret_bound(setting: Setting, iterations: int) -> Array | None:  # -> (T,)
    """Theorems 3.1 and 4.1 (TS and PIMS) for a function drawn on a grid; None for any other.

    gamma_T of the prior serves although the run starts with a design: data can only lower the
    information that is left to be had.
    """
    problem = setting.make(np.random.default_rng(0))
    if problem.kernel is None or not isinstance(problem.space, Grid):
        return None
    points = problem.space.encode_rows(np.arange(len(problem.space)))
    return finite_bound("pims", problem.kernel, points, iterations, problem.noise)


def finite_bound(method: str, kernel: Kernel, X: Array, T: int, noise: float) -> Array:  # -> (T,)
    """Theorems 3.1 and 4.1 after 1..T steps on the points X."""
    gamma = theory.maximum_information_gain(kernel, X, T, noise).upper_curve
    steps, size = np.arange(1, T + 1), len(X)
    return theory.bcr_bound(method, horizon=steps, noise=noise, gamma=gamma, cardinality=size)
