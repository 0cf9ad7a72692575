"""Bayesian regret in a box by simulation: Theorems 3.2, 4.2, 4.3, B.1 and C.1.

Objectives are prior paths, functions that can be evaluated anywhere; a method runs on each in the
unit cube, with the kernel and the noise known. What the theorems bound is averaged, beside the
bounds. The appendix's variants choose on the theorem's own lattice X_t: TS the point that is
nearest to the maximum of its path, as printed, and PIMS the best of its rule.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np

from pathmax import acquisition, gp, theory
from pathmax.acquisition import Box
from pathmax.arrays import Array

#: which theorem a method is simulated for, and whether it chooses on the lattice
SIMULATED_THEOREMS = {
    "3.2": ("ts", False),
    "4.2": ("pims", False),
    "4.3": ("pims", False),
    "B.1": ("ts", True),
    "C.1": ("pims", True),
}
LOOKS_PER_AXIS = 2001  # per axis, to find the maximum of an objective in one dimension
MOST_LATTICE_POINTS = 20_000  # of a lattice that is searched point by point


@dataclasses.dataclass(frozen=True)
class BoxWorld:
    """Where objectives are drawn: paths of a kernel on [0, 1], observed with noise."""

    kernel: gp.Kernel
    noise: float
    horizon: int
    a: float
    b: float

    @property
    def constants(self) -> dict[str, Any]:
        return {"dimension": 1, "a": self.a, "b": self.b}

    def lattice(self, theorem: str, t: int) -> int:
        """tau_t of a theorem."""
        return int(theory.lattice_points(theorem, t, **self.constants))

    def bound(self, theorem: str) -> Array:  # -> (T,)
        """What the theorem says after 1..T steps: cumulative regret, simple for Theorem 4.3."""
        method, discretised = SIMULATED_THEOREMS[theorem]
        X = np.linspace(0.0, 1.0, 201)[:, None]
        gamma = theory.maximum_information_gain(self.kernel, X, self.horizon, self.noise)
        steps = np.arange(1, self.horizon + 1)
        bound = theory.bcr_bound(
            method,
            horizon=steps,
            noise=self.noise,
            gamma=gamma.upper_curve,
            kernel=self.kernel,
            discretised=discretised or theorem == "4.3",
            **self.constants,
        )
        return bound / steps if theorem == "4.3" else bound


@dataclasses.dataclass(frozen=True, eq=False)
class BoxMeasured:
    """What happened on R objectives in T steps, each (R, T).

    regret       f(x*) - f(x_t)
    recommended  f(x*) - f(argmax of the posterior mean before step t)
    promised     g*_t - mean(x_t), and g_t(x_t) - mean(x_t) for TS: its expectation is that of the
                 regret, but for what is lost between the points of a lattice
    """

    regret: Array
    recommended: Array
    promised: Array


def measure_in_box(theorem: str, world: BoxWorld, runs: int, seed: int) -> BoxMeasured:
    """Run the method of a theorem on `runs` prior paths."""
    method, discretised = SIMULATED_THEOREMS[theorem]
    shape = (runs, world.horizon)
    regret, recommended, promised = (np.empty(shape) for _ in range(3))
    looks = np.linspace(0.0, 1.0, LOOKS_PER_AXIS)[:, None]
    prior = gp.GaussianProcess(world.kernel, world.noise)
    for run in range(runs):
        rng = np.random.default_rng([seed, run])
        f, model = gp.draw_path(prior, rng), prior
        best = float(f(looks).max())
        for t in range(world.horizon):
            options: dict[str, Any] = {}
            if discretised:
                options["discretization"] = theory.lattice_set(
                    min(world.lattice(theorem, t + 1), MOST_LATTICE_POINTS), 1
                )
                options |= {"nearest": True} if method == "ts" else {}
            choice = acquisition.choose(method, model, Box(1), rng, t=t + 1, **options)
            guess = looks[int(np.argmax(model.predict(looks)[0]))]
            values = f(np.stack([choice.u, guess]))
            regret[run, t], recommended[run, t] = best - values
            optimism = choice.info["eta" if method == "ts" else "xi"]
            promised[run, t] = optimism * choice.info["std"]
            y = values[0] + math.sqrt(world.noise) * float(rng.standard_normal())
            model = model.condition(choice.u[None], np.array([y]))
    return BoxMeasured(regret, recommended, promised)
