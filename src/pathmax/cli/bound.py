"""`pathmax bound`: the regret bounds of the paper, in numbers."""

from __future__ import annotations

import click
import numpy as np

from pathmax.arrays import Array
from pathmax.cli.output import say, say_json, table
from pathmax.errors import SettingsError
from pathmax.trials.wording import number

KERNELS = {"rbf": "RBF", "matern32": "Matern32", "matern52": "Matern52"}


@click.command()
@click.option("--kernel", type=click.Choice(list(KERNELS)), default="rbf", show_default=True)
@click.option("--lengthscale", type=float, default=0.2, show_default=True)
@click.option(
    "--points",
    type=click.IntRange(2, 10**9),
    default=10_000,
    show_default=True,
    help="Of the domain: a grid if it is a power of a whole number.",
)
@click.option("--dimension", type=click.IntRange(1, 1000), default=4, show_default=True)
@click.option("--horizon", type=click.IntRange(1, 10**9), default=200, show_default=True)
@click.option("--noise", type=float, default=1e-6, show_default=True, help="Its variance.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON, for programs.")
@click.pass_context
def bound(
    ctx: click.Context,
    kernel: str,
    lengthscale: float,
    points: int,
    dimension: int,
    horizon: int,
    noise: float,
    as_json: bool,
) -> None:  # fmt: skip
    """Say how large the regret can be on average, by the theorems of the paper.

    For a function drawn from the prior on a finite set of points in the unit
    cube. The paper's synthetic study is the default:

    \b
    pathmax bound --kernel rbf --lengthscale 0.2 --points 10000 --horizon 200
    """
    from pathmax import gp, theory
    from pathmax.theory.bounds import BOUNDED_METHODS

    ctx.meta["pathmax.json"] = as_json
    if points * horizon > 200_000_000:
        raise SettingsError(
            f"{points} points times {horizon} steps need {8e-9 * points * horizon:.0f} GB; "
            "take fewer points or a shorter horizon"
        )
    domain, described = finite_domain(points, dimension)
    chosen = getattr(gp, KERNELS[kernel])(lengthscale)
    gamma = theory.maximum_information_gain(chosen, domain, horizon, noise)
    bounds = {
        method: theory.bcr_bound(
            method, horizon=horizon, noise=noise, gamma=gamma.upper, cardinality=points
        )
        for method in BOUNDED_METHODS
    }
    if as_json:
        say_json(
            {
                "domain": described,
                "gamma": [gamma.lower, gamma.upper],
                "trivial": gamma.trivial,
                "c1": theory.c1(noise),
                "c2": theory.c2(points),
                "cumulative_regret": bounds,
                "simple_regret": {method: value / horizon for method, value in bounds.items()},
            }
        )
        return
    say(f"{chosen!r} on {described}, noise variance {noise:g}, {horizon} steps", "")
    say(f"information gain gamma_T   between {number(gamma.lower)} and {number(gamma.upper)} nats")
    say(f"C_1 = {number(theory.c1(noise))}, C_2 = {number(theory.c2(points))}", "")
    rows = [
        [name.upper(), number(value), number(value / horizon)] for name, value in bounds.items()
    ]
    say(table(["method", "cumulative regret at most", "simple regret at most"], rows))
    say("", "Expected values over functions drawn from this kernel, in units of their std.")
    if gamma.trivial:
        say("Every step may tell as much as the first: the bounds are linear in T and say nothing.")
        say("More noise, more steps or a longer length scale make them say something.")


def finite_domain(points: int, dimension: int) -> tuple[Array, str]:
    """A regular grid in the unit cube when the number allows one, else scrambled Sobol points."""
    from pathmax.search.sobol import sobol

    levels = round(points ** (1.0 / dimension))
    if levels**dimension == points:
        axis = np.arange(1, levels + 1) / levels
        grid = np.meshgrid(*[axis] * dimension, indexing="ij")
        return np.stack(grid, axis=-1).reshape(-1, dimension), f"the grid of {levels}^{dimension}"
    rng = np.random.default_rng(0)
    return sobol(points, dimension, rng), f"{points} Sobol points in {dimension} dimensions"
