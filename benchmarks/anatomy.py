"""Where the time of one suggestion goes, and how far it is from the bare linear algebra.

    python -m benchmarks.anatomy            n = 20 to 1000
    python -m benchmarks.anatomy --quick    n up to 300

One suggestion, parameters learnt each time, one thread; processor time, the mean of fifteen. The
bare time is that of the LAPACK and BLAS calls of these fits and searches alone, on matrices that
are there already: for every evaluation of the likelihood a Cholesky factor and an inverse of the
rows that parameters are learnt from, one factor of all rows and its inverse where that is used, and
the triangular products or solves for all points at which the searches look at the posterior. The
rest is kernels, random features, and Python.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np
from scipy.linalg import lapack

import pathmax
from benchmarks.clock import machine, readable, table
from benchmarks.clock import seconds as timed
from benchmarks.latency import SIZES, loss, rows
from pathmax import gp
from pathmax.acquisition import scores
from pathmax.acquisition.surfaces import path_score, searched_surface
from pathmax.gp import fitting, linalg, parameter_posterior
from pathmax.gp.blas_threads import small_blas

ASKS = 15
PARTS = {  # what is timed -> where it is
    "learn": (fitting.ScaledPosterior, "learn"),
    "draw": (path_score, "draw_paths"),
    "search of the path": (searched_surface.PathSample, "peak"),
    "look at the path": (searched_surface.PathSample, "peak_among"),
    "search of PIMS": (searched_surface.Searched, "top"),
    "search of the mean": (searched_surface.Searched, "search"),  # in its place, now and then
}


class Tally:
    """Seconds and counts by name, over all asks."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self.counts: dict[str, float] = defaultdict(float)

    def timed(self, name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            started = time.process_time()
            result = work(*args, **kwargs)
            self.seconds[name] += time.process_time() - started
            return result

        return wrapped

    def counted(self, name: str, work: Callable[..., Any], size: Callable[..., float]) -> Any:
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            self.counts[name] += size(*args)
            return work(*args, **kwargs)

        return wrapped


@contextmanager
def watched(tally: Tally) -> Iterator[None]:
    """Within the block the parts of a suggestion report to the tally."""

    places: list[tuple[Any, str, Any]] = []

    def put(owner: Any, name: str, value: Any) -> None:
        places.append((owner, name, getattr(owner, name)))
        setattr(owner, name, value)

    for part, (owner, name) in PARTS.items():
        put(owner, name, tally.timed(part, getattr(owner, name)))
    posterior = parameter_posterior.ParameterPosterior
    put(
        posterior,
        "__call__",
        tally.counted("evaluations", posterior.__call__, lambda *_: 1),
    )
    score = scores.PosteriorScore
    put(score, "__call__", tally.counted("looks", score.__call__, lambda _, U: len(U)))
    climb = score.value_and_gradient
    put(score, "value_and_gradient", tally.counted("climbs", climb, lambda _, U: len(U)))
    try:
        yield
    finally:
        for owner, name, value in reversed(places):
            setattr(owner, name, value)


def anatomy(n: int, d: int) -> list[str]:
    """One line of the table."""
    space = {f"x{i}": pathmax.Float(0, 1) for i in range(d)}
    study = pathmax.Study(space, direction="minimize", seed=0, refit_every=1)
    for params in rows(n - 3, d, np.random.default_rng(n + d)):
        study.add(params, loss(params))
    trial = study.ask()
    tally = Tally()
    with watched(tally):
        started = time.process_time()
        for _ in range(ASKS):
            study.tell(trial, loss(trial.params))
            trial = study.ask()
        whole = (time.process_time() - started) / ASKS
    took = {name: total / ASKS for name, total in tally.seconds.items()}
    for part, other in (
        ("search of the path", "look at the path"),
        ("search of PIMS", "search of the mean"),
    ):
        took[part] = took.get(part, 0.0) + took.get(other, 0.0)
    names = ("learn", "draw", "search of the path", "search of PIMS")
    rest = whole - sum(took[name] for name in names)
    bare = bare_seconds(n, {name: count / ASKS for name, count in tally.counts.items()})
    return [
        f"n = {n}, d = {d}",
        readable(whole),
        *(readable(took[name]) for name in names),
        readable(rest),
        f"{readable(bare)} ({whole / bare:.1f}x)",
    ]


def bare_seconds(n: int, counts: dict[str, float]) -> float:
    """What LAPACK and BLAS alone take for one suggestion."""
    m = min(n, 300)  # rows that parameters are learnt from
    rng = np.random.default_rng(0)
    X = rng.random((n, 10))
    K = gp.Matern52(0.5 * np.ones(10))(X)
    K.flat[:: n + 1] += 1e-4
    part = np.asfortranarray(K[:m, :m])
    L, few = linalg.factorize(K)[0], np.asfortranarray(rng.random((n, 24)))
    many = np.asfortranarray(rng.random((n, 512)))
    seconds = partial(timed, clock=time.process_time)
    with small_blas(n):
        factor = seconds(lambda: lapack.dpotrf(part, lower=1))
        lower = lapack.dpotrf(part, lower=1)[0]
        inverse = seconds(lambda: linalg.half_inverse(lower))
        whole = seconds(lambda: (lapack.dpotrf(K, lower=1), linalg.Root(L)))
        root = linalg.Root(L)
        look = seconds(lambda: root.lower(many)) / 512
        climb = seconds(lambda: root.upper(root.lower(few))) / 24
    learning = counts["evaluations"] * (factor + inverse)
    return learning + whole + counts["looks"] * look + counts["climbs"] * climb


def report(sizes: tuple[tuple[int, int], ...]) -> str:
    head = [
        "one suggestion",
        "whole",
        "learn the parameters",
        "draw the path",
        "maximise the path",
        "maximise PIMS",
        "the rest",
        "bare linear algebra",
    ]
    return table(head, [anatomy(n, d) for n, d in sizes])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args().quick
    print(machine() + "\n")
    print(report(SIZES[:-1] if quick else SIZES))


if __name__ == "__main__":
    main()
