"""Runs that take a moment, for the tests of what is done with runs."""

import math

import numpy as np

from pathmax.experiments.plan import ComparedMethod, PlannedRun, Setting
from pathmax.experiments.problems import Problem, gp_sample
from pathmax.experiments.trace import Trace
from pathmax.space.parameters import Float
from pathmax.space.space import Space


def small(rng):
    return gp_sample(rng, levels=4, d=2, lengthscale=0.4, noise=1e-4)


def ridge(params):
    return -abs(params["x"] - 0.3)


def one_dimensional(rng):
    return Problem("ridge", Space({"x": Float(0, 1)}), ridge, optimum=0.0)


SMALL = Setting("small", "small", small, 6, 3, options={"confidence": "theoretical"})


RIDGE = Setting("ridge", "ridge", one_dimensional, 4, 2)


def run_of(method="pims", *, setting=SMALL, trial=0, seed=0, iterations=6, sampler="exact"):
    return PlannedRun(setting, ComparedMethod(method), trial, seed, iterations, sampler)


class Silent:
    def __init__(self):
        self.seen = []

    def finished(self, run, trace):
        self.seen.append(run.label)


def trace_of(regret, *, width=math.nan, optimum=1.0, seconds=2.0):
    regret = np.asarray(regret, dtype=float)
    chosen = len(regret) - 5
    return Trace(optimum - regret, regret, np.ones(chosen), np.full(chosen, width), seconds)
