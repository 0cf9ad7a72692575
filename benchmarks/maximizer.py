"""How often the search of a box misses the maximum, and what it costs.

    python -m benchmarks.maximizer            20 data sets for each row, some ten minutes
    python -m benchmarks.maximizer --quick    5 data sets

A miss is a value that is worse than that of a search with 20 times the looks and starts, by more
than 1e-3 of the standard deviation of the prior (paths) or by more than 1e-3 (1 + |xi|) (PIMS). The
data are those of a study: 10 d points, half of them spread out, half near the best of a function
drawn from the prior. With the short length scale, 0.2 sqrt(d), a path has hundreds of local maxima
at d = 10; data seldom ask for less than the long one, 0.4 sqrt(d).
"""

from __future__ import annotations

import argparse
import time
from typing import NamedTuple

import numpy as np

from benchmarks.clock import machine, readable, table
from pathmax import gp
from pathmax.acquisition import Box, maximize
from pathmax.acquisition.improvement import ProbabilityOfImprovement
from pathmax.acquisition.rules import PosteriorScore, Score
from pathmax.acquisition.screening import length_scales
from pathmax.acquisition.surface import path_starts
from pathmax.acquisition.waves import PathScore
from pathmax.gp.threads import small_blas

DIMENSIONS = (2, 5, 10, 20)
SCALES = {"short": 0.2, "long": 0.4}
HARDER = 20.0


class Attempt(NamedTuple):
    """One search beside one of HARDER times the effort."""

    loss: float
    seconds: float
    harder: float


def model_of(d: int, scale: float, rng: np.random.Generator) -> gp.GaussianProcess:
    """A posterior as a study has it after 10 d evaluations."""
    prior = gp.GaussianProcess(gp.Matern52(np.full(d, scale * np.sqrt(d))), 1e-6)
    f, n = gp.draw_path(prior, rng), 10 * d
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
        started = time.perf_counter()
        found = maximize(
            score, Box(d), rng, hints=hints, scales=scales, starts=starts, effort=effort
        )
        return found, time.perf_counter() - started

    usual, seconds = search(1.0, 0)
    hard, harder = search(HARDER, 1)
    best = max(usual, hard, key=lambda found: found.value)
    return Attempt(best.value - usual.value, seconds, harder), best.value, best.u


def row(d: int, name: str, seeds: int) -> list[list[str]]:
    """One line for paths and one for PIMS."""
    paths, pims, xis = [], [], []
    for seed in range(seeds):
        rng = np.random.default_rng([seed, d])
        model = model_of(d, SCALES[name], rng)
        with small_blas(model.n):
            path = PathScore(gp.draw_path(model, rng), d)
            tried, g_star, x_star = attempt(path, model, model.X, path_starts(d), seed)
            paths.append(tried)
            rule = ProbabilityOfImprovement(g_star)
            hints = np.concatenate([x_star[None], model.X])
            tried, xi, _ = attempt(PosteriorScore(model, rule), model, hints, 24, seed)
            pims.append(tried)
            xis.append(abs(xi))
    return [
        line(d, name, "path", paths, np.full(seeds, 1e-3)),
        line(d, name, "PIMS", pims, 1e-3 * (1.0 + np.array(xis))),
    ]


def line(d: int, name: str, what: str, tried: list[Attempt], tolerance: np.ndarray) -> list[str]:
    losses = np.array([one.loss for one in tried])
    return [
        str(d),
        name,
        what,
        f"{np.mean(losses > tolerance):.0%}",
        f"{losses.mean():.4f}",
        readable(float(np.median([one.seconds for one in tried]))),
        readable(float(np.median([one.harder for one in tried]))),
    ]


def report(seeds: int = 20) -> str:
    head = ["d", "length scale", "score", "missed", "mean loss", "time", "20 times the effort"]
    rows = [one for d in DIMENSIONS for name in SCALES for one in row(d, name, seeds)]
    return table(head, rows)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--quick", action="store_true")
    print(machine(), report(5 if parser.parse_args().quick else 20), sep="\n\n")


if __name__ == "__main__":
    main()
