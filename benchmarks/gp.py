"""The Gaussian process beside GPyTorch/BoTorch and beside the bare BLAS and LAPACK calls.

    python -m benchmarks.gp            n = 20, 100, 300, 1000, 2000
    python -m benchmarks.gp --quick    n = 20, 100, 300

What is timed, d = 10, in processor time on one thread, so that other work does not count:

    fit           hyper-parameters (MAP) and the factor of all the data
    condition     one more observation
    predict       mean and standard deviation at 1000 points
    path          draw a pathwise sample path
    path values   the path at 1000 points

The bare calls are those without which the work cannot be done: for a fit, as many Cholesky factors
and inverses as it evaluates likelihoods, of the rows that it uses, and one factor of all rows.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.linalg import blas, lapack
from threadpoolctl import threadpool_limits

from benchmarks.clock import machine, readable, seconds, table, times
from benchmarks.peers import Peer, PeerError
from pathmax import gp
from pathmax.gp import linalg
from pathmax.gp.blas_threads import small_blas
from pathmax.gp.fitting import MAX_POINTS

DIMENSION = 10
POINTS = 1000
PARTS = ("fit", "condition", "predict", "path", "path values")


def data(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Half spread out, half crowded about the optimum, as a study leaves them; and new points."""
    X = rng.random((n, DIMENSION))
    centre = np.linspace(0.3, 0.7, DIMENSION)
    X[n // 2 :] = np.clip(centre + 0.1 * (X[n // 2 :] - 0.5), 0, 1)
    y = np.cos(4 * (X - centre)).sum(axis=1) - 3 * ((X - centre) ** 2).sum(axis=1)
    return X, y, rng.random((POINTS, DIMENSION))


def processor(work: Callable[[], Any], repeats: int) -> float:
    return seconds(work, repeats, clock=time.process_time)


def ours(X: np.ndarray, y: np.ndarray, at: np.ndarray, repeats: int) -> dict[str, float]:
    kernel = gp.Matern52(np.ones(DIMENSION))
    model = gp.fit(kernel, X, y)
    path = gp.draw_path(model, np.random.default_rng(0))

    def limited(work):
        def run():
            with small_blas(len(y)):
                return work()

        return run

    works = {
        "fit": lambda: gp.fit(kernel, X, y),
        "condition": lambda: model.condition(at[:1], y[:1]),
        "predict": lambda: model.predict(at),
        "path": lambda: gp.draw_path(model, np.random.default_rng(0)),
        "path values": lambda: path(at),
    }
    return {part: processor(limited(work), repeats) for part, work in works.items()}


def bare(X: np.ndarray, y: np.ndarray, at: np.ndarray, repeats: int) -> dict[str, float]:
    """The same work as if only LAPACK and BLAS took time."""
    n = len(y)
    kernel = gp.Matern52(np.ones(DIMENSION))
    counted = CountedLikelihoods()
    with counted:
        model = gp.fit(kernel, X, y)
    L, root = model.cholesky, linalg.Root(model.cholesky)
    features = len(model.kernel.draw_features(np.random.default_rng(0), 512, DIMENSION))
    used = min(n, MAX_POINTS)
    K = np.asfortranarray(L @ L.T)
    small = np.asfortranarray(K[:used, :used])
    cross = np.asfortranarray(model.kernel(X, at))
    right, waves = np.ones((n, 1), order="F"), np.ones((DIMENSION, features))
    weights = np.ones(2 * features)

    def evaluate_likelihoods():
        for _ in range(counted.calls):
            factor, _ = lapack.dpotrf(small, lower=1)
            linalg.half_inverse(factor)
        lapack.dpotrf(K, lower=1)

    def solve_at_points():
        at @ X.T
        root.lower(cross)

    def evaluate_path():
        phases = at @ waves
        np.concatenate([phases, phases], axis=1) @ weights
        (at @ X.T) @ y

    works = {
        "fit": evaluate_likelihoods,
        "condition": lambda: (L.copy(order="F"), blas.dtrsm(1.0, L, right, lower=1)),
        "predict": solve_at_points,
        "path": lambda: (X @ waves, blas.dtrsm(1.0, L, right, lower=1),
                         blas.dtrsm(1.0, L, right, lower=1, trans_a=1)),
        "path values": evaluate_path,
    }  # fmt: skip
    with small_blas(n):
        return {part: processor(work, repeats) for part, work in works.items()}


class CountedLikelihoods:
    """Counts how often a fit evaluates its likelihood, within a `with` block."""

    def __enter__(self):
        from pathmax.gp.parameter_posterior import ParameterPosterior

        self.calls, self._evaluate = 0, ParameterPosterior.__call__

        def counting(posterior, theta):
            self.calls += 1
            return self._evaluate(posterior, theta)

        ParameterPosterior.__call__ = counting
        return self

    def __exit__(self, *_):
        from pathmax.gp.parameter_posterior import ParameterPosterior

        ParameterPosterior.__call__ = self._evaluate


def gpytorch(X, y, at, repeats: int) -> dict[str, float]:
    with Peer("botorch") as peer:
        known = {"X": X.tolist(), "y": y.tolist(), "at": at.tolist()}
        return peer.call("time_parts", **known, repeats=repeats)


def report(sizes: list[int]) -> str:
    rng = np.random.default_rng(0)
    rows = []
    threadpool_limits(1)
    for n in sizes:
        X, y, at = data(n, rng)
        repeats = 5 if n <= 300 else 3
        mine, floor = ours(X, y, at, repeats), bare(X, y, at, repeats)
        try:
            theirs = gpytorch(X, y, at, repeats)
        except PeerError as error:
            print(error)
            theirs = dict.fromkeys(PARTS, float("nan"))
        for part in PARTS:
            rows.append([
                str(n), part, readable(mine[part]), readable(floor[part]),
                f"{mine[part] / floor[part]:.1f}",
                readable(theirs[part]) if theirs[part] == theirs[part] else "-",
                times(theirs[part] / mine[part]),
            ])  # fmt: skip
    head = ["n", "work", "pathmax", "bare calls", "times bare", "GPyTorch", "faster"]
    return table(head, rows)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--quick", action="store_true")
    sizes = [20, 100, 300] if parser.parse_args().quick else [20, 100, 300, 1000, 2000]
    print(machine() + "\n")
    print(report(sizes))


if __name__ == "__main__":
    main()
