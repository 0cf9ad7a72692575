"""What our own choices in the Gaussian process are worth: no peers, processor time of one thread.

    python -m benchmarks.choices

How close random features are to their kernel, kept distances, the exact path on a grid of 160,000
points, waves by polynomials, our ways to the mode beside SciPy's L-BFGS-B, and from how many rows
hyper-parameters are learnt (`MAX_POINTS`).
"""

from __future__ import annotations

import resource
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import product

import numpy as np
from scipy.optimize import minimize

from benchmarks.clock import machine, readable, table
from benchmarks.gp import CountedLikelihoods
from pathmax import gp
from pathmax.gp.blas_threads import small_blas
from pathmax.gp.fitting import mean_and_scale
from pathmax.gp.kernels import axis_distances
from pathmax.gp.kernels.frequencies import student_frequencies
from pathmax.gp.parameter_posterior import ParameterPosterior
from pathmax.gp.prior_draw import prior_draw


def processor(work: Callable[[], object], repeats: int = 5) -> float:
    """The least processor time of `work`: it is of one thread, and others may be on the machine."""
    times = []
    for _ in range(repeats):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
    return min(times)


def objectives(d: int) -> dict[str, Callable[[np.ndarray, np.random.Generator], np.ndarray]]:
    centre = np.linspace(0.3, 0.7, d)

    def smooth(X, rng):
        return np.cos(4 * (X - centre)).sum(axis=1) - 3 * ((X - centre) ** 2).sum(axis=1)

    def rough(X, rng):
        return np.abs(np.sin(7 * (X - centre))).sum(axis=1)

    def noisy(X, rng):
        values = smooth(X, rng)
        return values + 0.3 * values.std() * rng.standard_normal(len(X))

    return {"smooth": smooth, "rough": rough, "30 % noise": noisy}


def posteriors(n: int, dimensions=(2, 5, 10), seeds=range(3)) -> Iterator[ParameterPosterior]:
    for seed, d in product(seeds, dimensions):
        for objective in objectives(d).values():
            rng = np.random.default_rng([seed, d, n])
            X = rng.random((n, d))
            y = objective(X, rng)
            centre, scale = mean_and_scale(y)
            priors, learnt = gp.default_priors(d), np.full(n, np.nan)
            yield ParameterPosterior(
                gp.Matern52(np.ones(d)), X, (y - centre) / scale, learnt, priors
            )


def fit(posterior: ParameterPosterior) -> float:
    return posterior(posterior.mode(posterior.start))[0]


def one_descent(posterior: ParameterPosterior) -> float:
    return posterior._descend(posterior.start).value


def l_bfgs_b(posterior: ParameterPosterior) -> float:
    box = list(zip(posterior.low, posterior.high, strict=True))
    result = minimize(posterior, posterior.start, jac=True, method="L-BFGS-B", bounds=box)
    return float(result.fun)


OPTIMISERS = {"fit": fit, "one descent": one_descent, "SciPy's L-BFGS-B": l_bfgs_b}


def descent(sizes=(20, 100, 300)) -> str:
    """All from the cold start; L-BFGS-B at its defaults."""
    rows = []
    for n in sizes:
        values, evaluations, times = [], [], []
        for posterior in posteriors(n):
            with small_blas(n):
                for optimise in OPTIMISERS.values():
                    with CountedLikelihoods() as counted:
                        values.append(optimise(posterior))
                    evaluations.append(counted.calls)
                    times.append(processor(lambda f=optimise, p=posterior: f(p), 2))
        value, calls, took = (np.reshape(x, (-1, 3)) for x in (values, evaluations, times))
        worse = value - value.min(axis=1, keepdims=True) > 0.1
        for i, name in enumerate(OPTIMISERS):
            rows.append([
                str(n), name, f"{calls[:, i].mean():.0f}", readable(took[:, i].mean()),
                f"{worse[:, i].mean():.0%}",
            ])  # fmt: skip
    return table(["n", "optimiser", "evaluations", "time", "ends in a worse mode"], rows)


def learning_rows(n=1500, sizes=(100, 200, 300, 600, 1000), dimensions=(4, 10)) -> str:
    """How much better hyper-parameters from more rows predict, all n being conditioned on."""
    rows = []
    for d in dimensions:
        for name, objective in objectives(d).items():
            rng = np.random.default_rng([d, n])
            X, at = rng.random((n, d)), rng.random((500, d))
            y, truth = np.split(objective(np.concatenate([X, at]), rng), [n])
            for size in sizes:
                started = time.process_time()
                model = gp.fit(gp.Matern52(np.ones(d)), X, y, max_points=size)
                took = time.process_time() - started
                mean, std = model.predict(at)
                variance = std**2 + model.noise
                surprise = 0.5 * (np.log(variance / y.var()) + (truth - mean) ** 2 / variance)
                error = np.sqrt(np.mean((truth - mean) ** 2)) / y.std()
                rows.append([
                    str(d), name, str(size), readable(took), f"{error:.4f}",
                    f"{surprise.mean():.2f}",
                ])  # fmt: skip
    head = ["d", "objective", "rows learnt from", "fit", "error / std of y", "mean surprise, nats"]
    return table(head, rows)


def waves() -> str:
    """1000 points, 512 pairs of features."""
    rng = np.random.default_rng(0)
    features = gp.Matern52(0.5).draw_features(rng, 512, 10)
    X = rng.random((1000, 10))
    phases = X @ features.frequencies.T
    draw = prior_draw(features, rng.standard_normal(1024))
    rows = [
        ["np.cos and np.sin", readable(processor(lambda: (np.cos(phases), np.sin(phases))))],
        ["by polynomials", readable(processor(lambda: features.waves(X)))],
        ["one path: np.cos", readable(processor(lambda: np.cos(phases)))],
        ["one path: by polynomials", readable(processor(lambda: draw(X)))],
        ["one path: np.cos in single precision", readable(processor(lambda: draw.single(X)))],
    ]
    return table(["cosines and sines", "time"], rows)


def frequencies(
    dimensions=(1, 2, 4, 10, 20, 40, 65, 100, 200), shares=(0.3, 1.0), seeds=range(40)
) -> str:
    """How far the kernel of random features is from Matern-5/2, root mean square."""
    rows = []
    for d in dimensions:
        for share in shares:
            kernel = gp.Matern52(share * np.sqrt(d))
            squares: dict[str, list[float]] = defaultdict(list)
            for seed in seeds:
                rng = np.random.default_rng([d, seed])
                X = rng.random((60, d))
                normal = rng.standard_normal((512, d))
                independent = normal / np.sqrt(rng.chisquare(5.0, (512, 1)) / 5.0)
                drawn = {
                    "512 independent": independent,
                    "256 independent": independent[:256],
                    "512 spread": student_frequencies(rng, 512, d, 5.0),
                    "256 spread": student_frequencies(rng, 256, d, 5.0),
                }
                for name, W in drawn.items():
                    waves = X @ (W / (share * np.sqrt(d))).T
                    found = np.cos(waves) @ np.cos(waves).T + np.sin(waves) @ np.sin(waves).T
                    squares[name].append(float(np.mean((found / len(W) - kernel(X)) ** 2)))
            errors = {name: np.sqrt(np.mean(found)) for name, found in squares.items()}
            rows.append([str(d), f"{share} sqrt(d)", *(f"{e:.4f}" for e in errors.values())])
    return table(["d", "length scale", *errors], rows)


def triangle(sizes=((20, 4), (60, 4), (100, 4), (100, 10), (300, 10), (300, 20))) -> str:
    """One value of the likelihood's kernel matrix and its gradient: kept distances or made anew."""
    rows = []
    for n, d in sizes:
        rng = np.random.default_rng(0)
        kernel, X = gp.Matern52(np.full(d, 0.5 * np.sqrt(d))), rng.random((n, d))
        W = np.triu(rng.standard_normal((n, n)))
        kept = axis_distances.links_at(kernel, X)

        def anew(theta, k=kernel, X=X):
            return axis_distances.WholeLink(k.with_theta(theta).link(X))

        took = []
        for links in (kept, anew):

            def once(links=links, theta=kernel.theta, W=W):
                for _ in range(20):
                    link = links(theta)
                    link.above()
                    link.pull_parameters(W)

            took.append(processor(once, 15) / 20)
        rows.append([str(n), str(d), *map(readable, took), f"{took[0] / took[1]:.2f}"])
    return table(["n", "d", "kept, a triangle", "made anew, whole", "ratio"], rows)


def grid() -> str:
    """20^4 points, 100 observations: one more, an exact path, mean and std everywhere."""
    rng = np.random.default_rng(0)
    axes = [np.linspace(0.05, 1.0, 20)] * 4
    X = np.stack([axis[rng.integers(0, 20, 100)] for axis in axes], axis=1)
    model = gp.GaussianProcess(gp.RBF(0.2), 1e-6).condition(X, np.cos(4 * X).sum(axis=1))
    posterior = gp.GridPosterior.of(model, axes)
    posterior.draw(rng)

    def step():
        more = posterior.condition(77, 1.0)
        return more.draw(rng), more.mean, more.std

    rows = [
        ["all anew", readable(processor(lambda: gp.GridPosterior.of(model, axes)))],
        ["one observation more, path, mean and std", readable(processor(step))],
        ["an exact path", readable(processor(lambda: posterior.draw(rng)))],
    ]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return table(["grid of 160,000 points", "time"], rows) + f"\n\nPeak memory: {peak:.0f} MB."


def main() -> None:
    print(machine() + "\n")
    for part in (frequencies, triangle, grid, waves, descent, learning_rows):
        print(part() + "\n", flush=True)


if __name__ == "__main__":
    main()
