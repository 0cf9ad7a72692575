"""How often the search of a box misses the maximum, and what it costs.

    python -m benchmarks.maximizer            20 data sets for each row, some ten minutes
    python -m benchmarks.maximizer --quick    5 data sets
    python -m benchmarks.maximizer --many     1000 and 2000 data, 4 data sets

A miss is a value that is worse than that of a search with 20 times the looks and starts, by more
than 1e-3 of the standard deviation of the prior (paths) or by more than 1e-3 (1 + |xi|) (PIMS).
Searches have the looks, the starts and the hints that a suggestion has with as many data. The data
are those of a study: 10 d points, half of them spread out, half near the best of a function drawn
from the prior. With the short length scale, 0.2 sqrt(d), a path has hundreds of local maxima at
d = 10; data seldom ask for less than the long one, 0.4 sqrt(d).
"""

from __future__ import annotations

import argparse
import time
from typing import NamedTuple

import numpy as np

from benchmarks.clock import machine, readable, table
from pathmax import gp
from pathmax.acquisition import Box
from pathmax.acquisition.improvement_rules import ProbabilityOfImprovement
from pathmax.acquisition.scores import PosteriorScore
from pathmax.acquisition.surfaces.path_score import PathScore
from pathmax.acquisition.surfaces.searched_surface import (
    best_rows,
    length_scales,
    path_starts,
    share_of_effort,
)
from pathmax.gp.blas_threads import small_blas
from pathmax.search.maximization import maximize
from pathmax.search.scores import Score

DIMENSIONS = (2, 5, 10, 20)
MANY = [(4, 1000), (4, 2000), (10, 1000), (10, 2000)]  # d, n
SCALES = {"short": 0.2, "long": 0.4}
HARDER = 20.0


class Attempt(NamedTuple):
    """One search beside one of HARDER times the effort."""

    loss: float
    seconds: float
    harder: float


def model_of(d: int, n: int, scale: float, rng: np.random.Generator) -> gp.GaussianProcess:
    """A posterior as a study has it after n evaluations."""
    prior = gp.GaussianProcess(gp.Matern52(np.full(d, scale * np.sqrt(d))), 1e-6)
    f = gp.draw_path(prior, rng)
    anywhere = rng.random((20 * n, d))
    best = anywhere[np.argsort(-f(anywhere))[: n // 2]]
    X = np.concatenate([rng.random((n - len(best), d)), best])
    return prior.condition(X, f(X))


def attempt(
    score: Score, model: gp.GaussianProcess, hints: np.ndarray, starts: int, seed: int
) -> tuple[Attempt, float, np.ndarray]:
    d = model.X.shape[1]
    scales = length_scales(model.kernel, d)

    def search(effort: float, key: int):
        rng = np.random.default_rng([seed, key])
        started = time.process_time()
        found = maximize(
            score, Box(d), rng, hints=hints, scales=scales, starts=starts, effort=effort
        )
        return found, time.process_time() - started

    usual, seconds = search(share_of_effort(model.n), 0)
    hard, harder = search(HARDER * share_of_effort(model.n), 1)
    best = max(usual, hard, key=lambda found: found.value)
    return Attempt(best.value - usual.value, seconds, harder), best.value, best.u


def row(d: int, n: int, name: str, seeds: int) -> list[list[str]]:
    """One line for paths and one for PIMS."""
    paths, pims, xis = [], [], []
    for seed in range(seeds):
        rng = np.random.default_rng([seed, d])
        model = model_of(d, n, SCALES[name], rng)
        with small_blas(model.n):
            path = PathScore(gp.draw_path(model, rng), d)
            hints = best_rows(model.X, path.at_data(model))
            tried, g_star, x_star = attempt(path, model, hints, path_starts(d), seed)
            paths.append(tried)
            rule = ProbabilityOfImprovement(g_star)
            hints = np.concatenate([x_star[None], best_rows(model.X, model.fitted)])
            tried, xi, _ = attempt(PosteriorScore(model, rule), model, hints, 24, seed)
            pims.append(tried)
            xis.append(abs(xi))
    return [
        line(d, n, name, "path", paths, np.full(seeds, 1e-3)),
        line(d, n, name, "PIMS", pims, 1e-3 * (1.0 + np.array(xis))),
    ]


def line(
    d: int, n: int, name: str, what: str, tried: list[Attempt], tolerance: np.ndarray
) -> list[str]:
    losses = np.array([one.loss for one in tried])
    return [
        str(d),
        str(n),
        name,
        what,
        f"{np.mean(losses > tolerance):.0%}",
        f"{losses.mean():.4f}",
        readable(float(np.median([one.seconds for one in tried]))),
        readable(float(np.median([one.harder for one in tried]))),
    ]


def report(sizes: list[tuple[int, int]], seeds: int) -> str:
    head = ["d", "n", "length scale", "score", "missed", "mean loss", "CPU", "20 times the effort"]
    rows = [one for d, n in sizes for name in SCALES for one in row(d, n, name, seeds)]
    return table(head, rows)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--many", action="store_true")
    given = parser.parse_args()
    if given.many:
        print(machine(), report(MANY, 2 if given.quick else 4), sep="\n\n")
    else:
        sizes = [(d, 10 * d) for d in DIMENSIONS]
        print(machine(), report(sizes, 5 if given.quick else 20), sep="\n\n")


if __name__ == "__main__":
    main()
