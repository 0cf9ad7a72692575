"""Bayesian regret by simulation, beside its bound: does this implementation stay below it?

Objectives are drawn from the prior on a small grid, a method runs on each, and what the theorems
and lemmas speak of is averaged over all of them. The methods are those of `pathmax.acquisition`, on
the exact posterior.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from pathmax import acquisition
from pathmax.arrays import Array
from pathmax.experiments.reporting import figures
from pathmax.experiments.reporting.claims import name_of
from pathmax.experiments.reporting.summary import finite_bound
from pathmax.gp import GaussianProcess, GridPosterior, Kernel
from pathmax.plots.style import new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclasses.dataclass(frozen=True)
class World:
    """Where objectives are drawn: a kernel on a grid, observed with noise, for some steps."""

    kernel: Kernel
    axes: tuple[tuple[float, ...], ...]
    noise: float
    horizon: int

    @property
    def prior(self) -> GridPosterior:
        return GridPosterior.of(GaussianProcess(self.kernel, self.noise), self.axes)

    @property
    def points(self) -> Array:  # (N, d)
        grid = np.meshgrid(*self.axes, indexing="ij")
        return np.stack(grid, axis=-1).reshape(-1, len(self.axes))

    def bound(self, method: str) -> Array:  # -> (T,)
        """Theorems 3.1 and 4.1 after 1..T steps."""
        return finite_bound(method, self.kernel, self.points, self.horizon, self.noise)


@dataclasses.dataclass(frozen=True, eq=False)
class Measured:
    """What a method did on R objectives in T steps, each array (R, T).

    regret       f(x*) - f(x_t)
    recommended  f(x*) - f(argmax of the posterior mean before step t)
    optimism     xi_t of PIMS, eta_t of TS
    std          posterior standard deviation at x_t
    """

    method: str
    regret: Array
    recommended: Array
    optimism: Array
    std: Array

    @property
    def cumulative(self) -> Array:  # (R, T)
        return np.cumsum(self.regret, axis=1)

    @property
    def bcr(self) -> Array:  # (T,)
        """The estimate of the Bayesian cumulative regret."""
        return np.asarray(self.cumulative.mean(axis=0))

    @property
    def bcr_error(self) -> Array:  # (T,)
        spread = self.cumulative.std(axis=0, ddof=1)
        return np.asarray(spread / math.sqrt(len(self.regret)))


def measure(method: str, world: World, runs: int, seed: int) -> Measured:
    """Run the method ("pims" or "ts") on `runs` objectives from the prior."""
    shape = (runs, world.horizon)
    regret, recommended, optimism, std = (np.empty(shape) for _ in range(4))
    domain = acquisition.GridDomain([np.asarray(axis) for axis in world.axes])
    prior = world.prior
    for run in range(runs):
        rng = np.random.default_rng([seed, run])
        f, posterior = prior.draw(rng), prior
        for t in range(world.horizon):
            choice = acquisition.choose(method, posterior, domain, rng, t=t + 1)
            assert choice.index is not None, "a point of a grid has a number"
            recommended[run, t] = f.max() - f[int(np.argmax(posterior.mean))]
            regret[run, t] = f.max() - f[choice.index]
            optimism[run, t] = choice.info["xi" if method == "pims" else "eta"]
            std[run, t] = posterior.std[choice.index]
            y = f[choice.index] + math.sqrt(world.noise) * float(rng.standard_normal())
            posterior = posterior.condition(choice.index, y)
    return Measured(method, regret, recommended, optimism, std)


def lost_at_random(world: World, draws: int, seed: int) -> float:
    """What a step costs on average when points are drawn at random: a bound above it says nothing.

    E[ max f - mean f over the points ], from `draws` objectives.
    """
    rng, prior = np.random.default_rng(seed), world.prior
    objectives = [prior.draw(rng) for _ in range(draws)]
    return float(np.mean([f.max() - f.mean() for f in objectives]))


def figure(world: World, found: Sequence[Measured], at_random: float) -> Figure:
    """Measured cumulative regret, that of points at random, and the bound; logarithmic."""
    page = new_figure(6.4, 4.0)
    axes = page.subplots()
    t = np.arange(1, world.horizon + 1)
    for measured in found:
        colour = figures.METHOD_COLOURS[measured.method]
        low, high = (measured.bcr + sign * 2 * measured.bcr_error for sign in (-1, 1))
        label = f"{name_of(measured.method)}, mean of {len(measured.regret)} objectives"
        axes.plot(t, measured.bcr, color=colour, label=label)
        axes.fill_between(t, low, high, color=colour, alpha=0.2, linewidth=0)
    axes.plot(t, world.bound("pims"), color="black", linestyle="--",
              label="bound of Theorems 3.1 and 4.1")  # fmt: skip
    axes.plot(t, at_random * t, color="0.6", linestyle=":", label="points at random")
    axes.set(xlabel="evaluations", ylabel="cumulative regret (std of f)", yscale="log")
    axes.legend(frameon=False)
    return page
