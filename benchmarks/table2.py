"""Table 2 of the paper: how uncertain the points are that PIMS and TS evaluate.

    python -m benchmarks.table2            20 seeds, about a minute
    python -m benchmarks.table2 --seeds 3
    python -m benchmarks.table2 --scan     over length scales and horizons: the default length scale
                                           and the horizon are not printed in the paper

The mean over t <= T = 200 of the posterior std at x_t before it is evaluated, on functions drawn
from the prior on the grid {0.1, ..., 1}^4; RBF kernel of the true length scale, noise variance
1e-6, five first points by a Latin hypercube. Functions and paths are exact draws (Kronecker), and
the posterior on the grid is kept and extended from step to step. A method may return to a point.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from benchmarks.clock import machine, table
from pathmax import gp
from pathmax.acquisition import GridDomain, choose
from pathmax.gp.blas_threads import small_blas
from pathmax.search.sobol import latin_hypercube

AXIS = np.arange(1, 11) / 10
GRID = GridDomain([AXIS] * 4)
NOISE, HORIZON, INITIAL = 1e-6, 200, 5
# {length scale: {method: (mean, standard deviation over 20 trials)}}
PRINTED = {
    0.2: {"pims": (0.27, 0.14), "ts": (0.36, 0.14)},
    0.1: {"pims": (0.71, 0.13), "ts": (0.92, 0.09)},
}


def mean_evaluated_std(method: str, lengthscale: float, seed: int) -> float:
    """sum_t std_{t-1}(x_t) / T of one run."""
    return float(np.mean(evaluated_stds(method, lengthscale, seed, HORIZON)))


def evaluated_stds(method: str, lengthscale: float, seed: int, horizon: int) -> list[float]:
    """std_{t-1}(x_t) for t = 1..horizon of one run."""
    rng = np.random.default_rng([seed, 2])
    prior = gp.GridPosterior.of(gp.GaussianProcess(gp.RBF(lengthscale), NOISE), GRID.values)
    f = prior.draw(rng)

    def observe(posterior: gp.GridPosterior, index: int) -> gp.GridPosterior:
        return posterior.condition(index, float(f[index] + NOISE**0.5 * rng.standard_normal()))

    posterior = prior
    for u in latin_hypercube(INITIAL, 4, rng):
        cell = np.minimum((u * len(AXIS)).astype(int), len(AXIS) - 1)
        posterior = observe(posterior, int(np.ravel_multi_index(tuple(cell), GRID.shape)))
    stds = []
    for t in range(1, horizon + 1):
        choice = choose(method, posterior, GRID, rng, t=t)
        stds.append(choice.info["std"])
        assert choice.index is not None
        posterior = observe(posterior, choice.index)
    return stds


def report(seeds: int = 20) -> str:
    rows = []
    started = time.perf_counter()
    with small_blas(HORIZON):
        for lengthscale, printed in PRINTED.items():
            for method, (mean, spread) in printed.items():
                runs = [mean_evaluated_std(method, lengthscale, seed) for seed in range(seeds)]
                found = float(np.mean(runs))
                within = "yes" if abs(found - mean) <= spread else "no"
                rows.append(
                    [
                        method.upper(),
                        str(lengthscale),
                        f"{mean:.2f} ± {spread:.2f}",
                        f"{found:.2f} ± {np.std(runs):.2f}",
                        within,
                    ]
                )
    head = ["method", "length scale", "printed", f"{seeds} seeds here", "within one deviation"]
    return f"{table(head, rows)}\n\n{time.perf_counter() - started:.0f} s in all."


SCALES = (0.18, 0.2, 0.22, 0.25, 0.1)
HORIZONS = (100, 150, 200, 250)


def scan(seeds: int) -> str:
    """Mean and standard error for each length scale and horizon, and how far from the print."""
    rows = []
    with small_blas(max(HORIZONS)):
        for lengthscale in SCALES:
            printed = PRINTED[0.1 if lengthscale == 0.1 else 0.2]
            for method, (mean, spread) in printed.items():
                runs = np.array(
                    [evaluated_stds(method, lengthscale, s, max(HORIZONS)) for s in range(seeds)]
                )
                cells = []
                for horizon in HORIZONS:
                    means = runs[:, :horizon].mean(axis=1)
                    error = np.hypot(means.std(ddof=1) / seeds**0.5, spread / 20**0.5)
                    off = (means.mean() - mean) / error
                    cells.append(f"{means.mean():.3f} ({off:+.1f})")
                rows.append([method.upper(), str(lengthscale), f"{mean:.2f}", *cells])
    head = ["method", "length scale", "printed", *(f"T = {horizon}" for horizon in HORIZONS)]
    return f"{table(head, rows)}\n\nIn brackets: off by so many standard errors; {seeds} seeds."


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--scan", action="store_true")
    given = parser.parse_args()
    print(machine(), (scan if given.scan else report)(given.seeds), sep="\n\n")


if __name__ == "__main__":
    main()
