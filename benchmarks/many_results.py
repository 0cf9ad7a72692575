"""What is lost when a posterior cannot have all results: candidates beside the exact one.

    python -m benchmarks.many_results                 n = 4000, of which 1000 are kept
    python -m benchmarks.many_results --n 1000 --kept 250 --conjugate
    python -m benchmarks.many_results --from-the-limit --kept 1000     the rule from 1001 results on

Hills, waves and thresholds (`development_functions`, with seeds that choices are made on) in 4 and
10 coordinates, half of them with noise. Results lie everywhere, or three quarters of them about the
best, as after a long run. Parameters are learnt once, as a study learns them, so that only the
posteriors differ. Each is compared at 150 points anywhere and 150 about the best:

    mean       root mean square difference from the exact mean, in exact standard deviations of f;
               beyond 1 the mean is wrong by more than the exact posterior is unsure
    std        median of std / exact std, and its 5 % quantile: below 1 it claims too much
    maxima     the same draws' maxima over these points: mean difference from the exact ones, in
               standard deviations of the exact maxima
    time       processor time to make it and to predict these points, beside that of the exact one
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator

import numpy as np

from benchmarks.clock import machine, table
from benchmarks.development_functions import Array, Function, hills, smooth, threshold, waves
from pathmax import gp
from pathmax.gp import linalg
from pathmax.gp.fitting import ScaledPosterior
from pathmax.gp.parameter_density import spread_rows

Moments = tuple[Array, Array]  # mean (m,) and covariance (m, m)
Posterior = Callable[[gp.GaussianProcess, Array, Array, Array], Moments]
DRAWS = 256
HALF = 150  # points anywhere, and as many about the best
BEYOND = (0.01, 0.03, 0.1, 0.3, 1.0)  # more results than are kept, as a share of these


def exact(prior: gp.GaussianProcess, X: Array, y: Array, T: Array) -> Moments:
    return prior.condition(X, y).joint(T)


def of_rows(choose: Callable[[gp.GaussianProcess, Array, Array], Array]) -> Posterior:
    """The exact posterior of some of the rows."""

    def posterior(prior: gp.GaussianProcess, X: Array, y: Array, T: Array) -> Moments:
        rows = choose(prior, X, y)
        return prior.condition(X[rows], y[rows]).joint(T)

    return posterior


def even(n: int, kept: int) -> Array:
    return np.asarray(np.arange(n)[spread_rows(n, kept)])


def latest(kept: int) -> Callable[[gp.GaussianProcess, Array, Array], Array]:
    return lambda prior, X, y: np.arange(len(y))[-kept:]


def evenly(kept: int) -> Callable[[gp.GaussianProcess, Array, Array], Array]:
    return lambda prior, X, y: even(len(y), kept)


def best_and_even(
    kept: int, share: float = 0.5
) -> Callable[[gp.GaussianProcess, Array, Array], Array]:
    """The best rows, and of the others some evenly over the order in which they came."""

    def choose(prior: gp.GaussianProcess, X: Array, y: Array) -> Array:
        order = np.argsort(-y, kind="stable")
        best, rest = order[: int(share * kept)], np.sort(order[int(share * kept) :])
        return np.sort(np.concatenate([best, rest[even(len(rest), kept - len(best))]]))

    return choose


def near_maxima_and_even(
    kept: int, share: float = 0.5, centres: int = 16
) -> Callable[[gp.GaussianProcess, Array, Array], Array]:
    """Rows nearest to where paths of a first model are highest, and others evenly."""

    def choose(prior: gp.GaussianProcess, X: Array, y: Array) -> Array:
        first = best_and_even(kept // 2)(prior, X, y)
        model = prior.condition(X[first], y[first])
        rng = np.random.default_rng(0)
        looks = np.concatenate([X[np.argsort(-y)[:256]], rng.random((512, X.shape[1]))])
        looks = np.clip(looks + 0.02 * rng.standard_normal(looks.shape), 0, 1)
        tops = looks[np.argmax(model.sample(looks, rng, centres), axis=1)]
        scales = prior.kernel.length_scales(X.shape[1])
        gaps = (((X[:, None] - tops) / scales) ** 2).sum(axis=2).min(axis=1)
        near = np.argsort(gaps, kind="stable")[: int(share * kept)]
        rest = np.setdiff1d(np.arange(len(y)), near)
        return np.sort(np.concatenate([near, rest[even(len(rest), kept - len(near))]]))

    return choose


def nearest_and_even(
    kept: int, share: float
) -> Callable[[gp.GaussianProcess, Array, Array], Array]:
    """Rows most like the best one, and of the others some evenly: `kept_rows`."""

    def choose(prior: gp.GaussianProcess, X: Array, y: Array) -> Array:
        alike = prior.kernel(X, X[int(np.argmax(y))][None])[:, 0]
        near = np.argsort(-alike, kind="stable")[: int(share * kept)]
        rest = np.setdiff1d(np.arange(len(y)), near)
        return np.sort(np.concatenate([near, rest[even(len(rest), kept - len(near))]]))

    return choose


def inducing(choose: Callable[[gp.GaussianProcess, Array, Array], Array]) -> Posterior:
    """All results, seen through some points (Titsias, 2009)."""

    def posterior(prior: gp.GaussianProcess, X: Array, y: Array, T: Array) -> Moments:
        Z, noise = X[choose(prior, X, y)], max(prior.noise, 1e-8)
        residual = y - prior.prior_mean(X)
        L, _ = linalg.factorize(prior.kernel(Z))
        A = linalg.solve_lower(L, prior.kernel(X, Z).T) / np.sqrt(noise)
        B, _ = linalg.factorize(A @ A.T + np.eye(len(Z)))
        c = linalg.solve_lower(B, (A @ residual / np.sqrt(noise))[:, None])[:, 0]
        V = linalg.solve_lower(L, prior.kernel(T, Z).T)
        W = linalg.solve_lower(B, V)
        return prior.prior_mean(T) + W.T @ c, prior.kernel(T) - V.T @ V + W.T @ W

    return posterior


def conjugate(kept: int, residual: float, most: int = 25) -> Posterior:
    """All results, by conjugate gradients preconditioned with some rows, to a residual."""

    def posterior(prior: gp.GaussianProcess, X: Array, y: Array, T: Array) -> Moments:
        K, noise = prior.kernel(X), max(prior.noise, 1e-8)
        cross = prior.kernel(X, T)
        Z = X[even(len(y), kept)]
        L, _ = linalg.factorize(prior.kernel(Z))
        U = linalg.solve_lower(L, prior.kernel(X, Z).T)  # K is nearly U'U
        inner, _ = linalg.factorize(noise * np.eye(kept) + U @ U.T)

        def precondition(R: Array) -> Array:
            return np.asarray((R - U.T @ linalg.solve(inner, U @ R)) / noise)

        B = np.column_stack([y - prior.prior_mean(X), cross])
        S, R = np.zeros_like(B), B.copy()
        Q = precondition(R)
        D, rho = Q.copy(), np.einsum("ij,ij->j", R, Q)
        size = np.linalg.norm(B, axis=0)
        for _ in range(most):
            KD = K @ D + noise * D
            step = rho / np.einsum("ij,ij->j", D, KD)
            S += step * D
            R -= step * KD
            if (np.linalg.norm(R, axis=0) <= residual * size).all():
                break
            Q = precondition(R)
            new = np.einsum("ij,ij->j", R, Q)
            D, rho = Q + (new / rho) * D, new
        mean = prior.prior_mean(T) + cross.T @ S[:, 0]
        covariance = prior.kernel(T) - cross.T @ S[:, 1:]
        return mean, 0.5 * (covariance + covariance.T)

    return posterior


def candidates(kept: int, conjugate_too: bool) -> dict[str, Posterior]:
    small = kept // 2  # points that take about as long as `kept` rows
    found = {
        f"{kept} latest rows": of_rows(latest(kept)),
        f"{kept} rows evenly": of_rows(evenly(kept)),
        f"{kept} rows, 1/4 the best": of_rows(best_and_even(kept, 0.25)),
        f"{kept} rows, 1/4 nearest to maxima": of_rows(near_maxima_and_even(kept, 0.25)),
        f"{kept} rows, 1/4 nearest to the best": of_rows(nearest_and_even(kept, 0.25)),
        f"{kept} rows, 1/2 nearest to the best": of_rows(nearest_and_even(kept, 0.5)),
        f"{small} inducing points, evenly": inducing(evenly(small)),
        f"{small} inducing points, 1/4 near": inducing(nearest_and_even(small, 0.25)),
    }
    if conjugate_too:
        found["conjugate gradients to 1e-2, or 25 steps"] = conjugate(small, 1e-2)
    return found


def tasks(n: int) -> Iterator[tuple[Function, str, Array, Array, Array]]:
    """Functions with results, and points to compare at."""
    for number, kind in enumerate((hills, waves, threshold)):
        for d in (4, 10):
            for noisy in (False, True):
                seed = 1000 + 10 * number + d
                function = smooth(kind, d, seed, noisy)
                for where in ("everywhere", "about the best"):
                    rng = np.random.default_rng([seed, n])
                    X = rng.random((n, d))
                    best = X[np.argmax(function.values(X))]
                    if where == "about the best":
                        steps = np.geomspace(0.3, 0.02, n)[:, None]
                        near = np.clip(best + steps * rng.standard_normal((n, d)), 0, 1)
                        X = np.where(rng.random((n, 1)) < 0.25, X, near)
                    y = function.values(X) + function.noise * rng.standard_normal(n)
                    about = np.clip(best + 0.1 * rng.standard_normal((HALF, d)), 0, 1)
                    yield function, where, X, y, np.concatenate([rng.random((HALF, d)), about])


def compare(n: int, kept: int, conjugate_too: bool) -> str:
    found: dict[tuple[str, str], list[list[float]]] = {}
    for function, where, X, y, T in tasks(n):
        y = (y - y.mean()) / y.std()
        d = X.shape[1]
        kernel, bowl_on = gp.Matern52(lengthscale=np.ones(d)), tuple(range(d))
        prior = ScaledPosterior.of(kernel, X, y, bowl_on=bowl_on).learn()
        z = np.random.default_rng(0).standard_normal((DRAWS, len(T)))
        began = time.process_time()
        mean, covariance = exact(prior, X, y, T)
        whole = time.process_time() - began
        std = np.sqrt(np.maximum(np.diagonal(covariance), 1e-12))
        tops = maxima(mean, covariance, z)
        for name, posterior in candidates(kept, conjugate_too).items():
            began = time.process_time()
            other, other_covariance = posterior(prior, X, y, T)
            took = time.process_time() - began
            other_std = np.sqrt(np.maximum(np.diagonal(other_covariance), 1e-12))
            others = maxima(other, other_covariance, z)
            near = slice(HALF, None)
            row = [
                float(np.sqrt(np.mean(((other - mean) / std) ** 2))),
                float(np.sqrt(np.mean(((other - mean) / std)[near] ** 2))),
                float(np.median(other_std / std)),
                float(np.quantile(other_std / std, 0.05)),
                float((others - tops).mean() / tops.std()),
                float(np.abs(function.values(T[np.argmax(other)][None])[0] - function.best)),
                took / whole,
            ]
            for sets in ("either way", where):
                found.setdefault((name, sets), []).append(row)
        print(function.name, where, f"{whole:.1f} s", file=sys.stderr, flush=True)
    head = ["posterior", "results lie", "mean", "near", "std", "least", "maxima", "time"]
    lines = []
    for (name, where), rows in found.items():
        of = np.array(rows)
        middle = np.median(of, axis=0)
        worst = np.abs(of).max(axis=0)
        numbers = [f"{middle[i]:.2f} ({worst[i]:.2g})" for i in (0, 1)]
        numbers += [f"{middle[2]:.2f}", f"{of[:, 3].min():.2f}"]
        numbers += [f"{middle[4]:+.2f} ({worst[4]:.2g})", f"{middle[6]:.2f}"]
        lines.append([name, where, *numbers])
    return table(head, lines)


def from_the_limit(kept: int) -> str:
    """How what is lost grows with the results beyond those that are kept: nothing jumps."""
    rule = of_rows(nearest_and_even(kept, 0.25))
    sizes = [kept + 1, *(round(kept * (1.0 + share)) for share in BEYOND)]
    found: dict[int, list[list[float]]] = {n: [] for n in sizes}
    for function, where, X, y, T in tasks(sizes[-1]):
        y, d = (y - y.mean()) / y.std(), X.shape[1]
        prior = ScaledPosterior.of(
            gp.Matern52(lengthscale=np.ones(d)), X, y, bowl_on=tuple(range(d))
        ).learn()
        for n in sizes:
            mean, covariance = exact(prior, X[:n], y[:n], T)
            other, other_covariance = rule(prior, X[:n], y[:n], T)
            std, other_std = (np.sqrt(np.diagonal(one)) for one in (covariance, other_covariance))
            off = ((other - mean) / std) ** 2
            row = [np.sqrt(off.mean()), np.sqrt(off[HALF:].mean()), np.median(other_std / std)]
            found[n].append([float(one) for one in row])
        print(function.name, where, file=sys.stderr, flush=True)
    lines = []
    for n, rows in found.items():
        middle, worst = np.median(rows, axis=0), np.max(rows, axis=0)
        pairs = zip(middle, worst, strict=True)
        lines.append([str(n), *(f"{a:.3f} ({b:.2g})" for a, b in pairs)])
    return table(["results", "mean", "near", "std"], lines)


def maxima(mean: Array, covariance: Array, z: Array) -> Array:  # -> (draws,)
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.maximum(values, 0.0)) @ vectors.T
    return np.asarray((mean + z @ root).max(axis=1))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--n", type=int, default=4000)
    parser.add_argument("--kept", type=int, default=1000)
    parser.add_argument("--conjugate", action="store_true", help="with them: half a minute a set")
    parser.add_argument("--from-the-limit", action="store_true")
    chosen = parser.parse_args()
    print(machine() + "\n")
    if chosen.from_the_limit:
        print(from_the_limit(chosen.kept))
        return
    print(compare(chosen.n, chosen.kept, chosen.conjugate))


if __name__ == "__main__":
    main()
