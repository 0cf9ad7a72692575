"""Problems with a known optimum: what methods are compared on.

    problem = problems.alkox()
    study = pathmax.Study(problem.space, direction=problem.direction)
    study.optimize(problem, n_trials=50)
    problem.regret(study.best_trial.params)

A problem of your own is a `Problem` around a function of the parameters:

    def ridge(params):
        return -abs(params["x"] - 0.3)

    problem = Problem("ridge", Space({"x": Float(0, 1)}), ridge, optimum=0.0)

Where processes or a cluster run it, the function has to be importable, as any job's has.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal

import numpy as np

from pathmax.arrays import Array
from pathmax.errors import ModelError
from pathmax.experiments.emulation import formulas, olympus
from pathmax.experiments.emulation.formulas import Inputs
from pathmax.gp import RBF, GaussianProcess, GridPosterior, Kernel
from pathmax.space.grid import Grid
from pathmax.space.parameters import Float
from pathmax.space.space import Space
from pathmax.trials.goals import sign_of

__all__ = ["Problem", "ackley", "alkox", "branin", "fullerenes", "gp_sample", "hartmann6", "shekel"]


@dataclasses.dataclass(frozen=True, eq=False)
class Problem:
    """An objective with what is known about it. Call it to observe it once.

    name        what reports call it
    space       a `Space` or a `Grid`
    function    params -> the value without noise
    optimum     the best value of `function` over the space
    direction   "maximize" or "minimize"
    observation params -> one noisy observation; the value itself when it is not given
    noise       variance of the observation, when it is known and the same everywhere
    kernel      the kernel that the function was drawn from, in the coordinates of `space.encode`
    """

    name: str
    space: Space | Grid
    function: Callable[[Inputs], float]
    optimum: float
    direction: Literal["maximize", "minimize"] = "maximize"
    observation: Callable[[Inputs], float] | None = None
    noise: float = 0.0
    kernel: Kernel | None = None

    @property
    def dimension(self) -> int:
        """How many parameters there are."""
        return self.space.dimension

    def __call__(self, params: Inputs) -> float:
        return float((self.observation or self.function)(params))

    def value(self, params: Inputs) -> float:
        """The function without noise."""
        return float(self.function(params))

    def regret(self, params: Inputs) -> float:
        """How far the function there is from the optimum; zero is best."""
        return sign_of(self.direction) * (self.optimum - self.value(params))


def ackley(d: int = 4) -> Problem:
    """Ackley's function on [-32.768, 32.768]^d: a funnel full of dents, minimum 0 at the origin."""
    if d < 1:
        raise ModelError(f"d must be at least 1, got {d!r}")
    return Problem(f"ackley-{d}", _box([(-32.768, 32.768)] * d), formulas.ackley, 0.0, "minimize")


def shekel(m: int = 10) -> Problem:
    """Shekel's foxholes on [0, 10]^4: m = 5, 7 or 10 holes, the deepest near (4, 4, 4, 4).

    With the centres of the collection that the paper names (Surjanovic and Bingham), whose seventh
    is (5, 3, 5, 3); elsewhere it is (5, 5, 3, 3), and the minimum of m = 10 is -10.536410.
    """
    minima = {5: -10.153199679058229, 7: -10.402915336777745, 10: -10.53644315348353}
    if m not in minima:
        raise ModelError(f"shekel is defined for m = 5, 7 or 10, got {m!r}")
    return Problem(
        f"shekel-{m}", _box([(0.0, 10.0)] * 4), partial(formulas.shekel, m), minima[m], "minimize"
    )


def branin() -> Problem:
    """Branin's function: two dimensions, three global minima of 0.397887."""
    box = _box([(-5.0, 10.0), (0.0, 15.0)])
    return Problem("branin", box, formulas.branin, 0.39788735772973816, "minimize")


def hartmann6() -> Problem:
    """Hartmann's function in six dimensions, minimum -3.32237."""
    return Problem(
        "hartmann-6", _box([(0.0, 1.0)] * 6), formulas.hartmann6, -3.322368011415515, "minimize"
    )


def gp_sample(
    rng: np.random.Generator,
    *,
    levels: int = 10,
    d: int = 4,
    lengthscale: float = 0.2,
    noise: float = 1e-6,
) -> Problem:
    """A function drawn exactly from the prior N(0, K) on the grid {1/levels, ..., 1}^d.

    The paper's synthetic study: RBF kernel of the given length scale in the units of the grid,
    `noise` the variance of an observation. `problem.kernel` is the same kernel in the coordinates
    of the space, which run from 0 to 1 between the ends of the grid.
    """
    if levels < 2:
        raise ModelError(f"levels must be at least 2, got {levels!r}")
    axis = np.arange(1, levels + 1) / levels
    grid = Grid({f"x{i + 1}": axis.tolist() for i in range(d)})
    kernel = RBF(lengthscale=lengthscale / (axis[-1] - axis[0]))
    prior = GridPosterior.of(GaussianProcess(kernel, noise), grid.axis_values)
    drawn = prior.draw(rng)
    values = partial(_on_grid, grid, drawn)
    return Problem(
        f"gp-{levels}^{d}-l{lengthscale:g}",
        grid,
        values,
        float(drawn.max()),
        observation=partial(_noisy, values, math.sqrt(noise), rng),
        noise=noise,
        kernel=kernel,
    )


def alkox(*, noisy: bool = False, rng: np.random.Generator | None = None) -> Problem:
    """Alkoxylation by three enzymes (Olympus): conversion against their amounts and pH, maximised.

    A neural network trained on the experiments. The peak is narrow: 0.007 % of the box lies within
    10 % of the maximum, and values above 100 occur. With mean weights by default; `noisy=True`
    draws the weights anew for every observation, and then `function` and `optimum` are those of the
    average over draws, which differs (112 against 119 at the top).
    """
    box = {
        "catalase": Float(0.05, 1.0),
        "peroxidase": Float(0.5, 10.0),
        "alcohol_oxidase": Float(2.0, 8.0),
        "pH": Float(6.0, 8.0),
    }
    return _emulated("alkox", box, (119.005953, 112.3727), noisy, rng)


def fullerenes(*, noisy: bool = False, rng: np.random.Generator | None = None) -> Problem:
    """Adducts of Buckminsterfullerene (Olympus): mole fraction of the product, maximised.

    A neural network trained on the experiments. `noisy` as in `alkox`; here the average over draws
    has the same maximum to three digits.
    """
    box = {
        "reaction_time": Float(3.0, 31.0),
        "sultine": Float(1.5, 6.0),
        "temperature": Float(100.0, 150.0),
    }
    return _emulated("fullerenes", box, (0.952363, 0.952448), noisy, rng)


def _emulated(
    name: str,
    box: dict[str, Float],
    optima: tuple[float, float],
    noisy: bool,
    rng: np.random.Generator | None,
) -> Problem:
    space = Space(box)
    network = olympus.emulator(name)
    if not noisy:
        return Problem(name, space, partial(_emulated_value, network, space.names, None), optima[0])
    if rng is None:
        raise ModelError(
            f"{name}(noisy=True) draws at random: give it rng=np.random.default_rng(0)"
        )
    return Problem(
        f"{name}-noisy",
        space,
        partial(_emulated_average, network, space.names),
        optima[1],
        observation=partial(_emulated_value, network, space.names, rng),
    )


def _box(bounds: Sequence[tuple[float, float]]) -> Space:
    return Space({f"x{i + 1}": Float(low, high) for i, (low, high) in enumerate(bounds)})


# What a problem calls is one of these with `partial` and no closure, so that it can be sent to
# another process.


def _on_grid(grid: Grid, values: Array, params: Inputs) -> float:  # (N,)
    return float(values[grid.index(params)])


def _noisy(
    function: Callable[[Inputs], float], std: float, rng: np.random.Generator, params: Inputs
) -> float:
    return function(params) + std * float(rng.standard_normal())


def _emulated_value(
    network: olympus.Emulator, names: Sequence[str], rng: np.random.Generator | None, params: Inputs
) -> float:
    """With weights drawn anew, or with mean weights where there is no rng."""
    return float(network(np.array([[float(params[name]) for name in names]]), rng)[0])


def _emulated_average(network: olympus.Emulator, names: Sequence[str], params: Inputs) -> float:
    """The mean over weight draws, estimated from the same 20,000 draws at every point."""
    point = np.array([float(params[name]) for name in names])
    draws = network(np.tile(point, (20_000, 1)), np.random.default_rng(0))
    return float(draws.mean())
