"""How far the variance of sample paths is from the posterior's, as data come in.

    python -m benchmarks.paths            prints the table of docs/sample-paths.md
    python -m benchmarks.paths --write    and writes it there

Given its random features a path is Gaussian, so its variance at a point is computed, not sampled:

    phi the features at the data X, phi_x at x;  Q = phi phi', q = phi phi_x, q_x = phi_x' phi_x
    rff         q_x - q' (Q + noise)^{-1} q
    pathwise    q_x - 2 w'q + w' (Q + noise) w,      w = (K + noise)^{-1} k(X, x)

The table shows the median over draws of the features of the mean ratio to the exact variance, and
of the root mean square error of the standard deviation in units of the prior's.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from benchmarks import marked_text
from benchmarks.clock import table
from pathmax import gp
from pathmax.gp import linalg
from pathmax.gp.paths import usual_features

PAGE = Path(__file__).parent.parent / "docs" / "sample-paths.md"
SIZES = (10, 30, 100, 300, 1000)
DRAWS = 9
KERNELS = {"RBF, l = 0.2": gp.RBF(0.2), "Matern-5/2, l = 0.4": gp.Matern52(0.4)}
DIMENSION, NOISE = 4, 1e-4


def variances(
    model: gp.GaussianProcess, at: np.ndarray, rng: np.random.Generator
) -> dict[str, np.ndarray]:
    """The variance at each point of a path with freshly drawn features, for both kinds."""
    Q, q, q_x = products(model, at, usual_features(model.kernel, "rff"), rng)
    half = linalg.solve_lower(linalg.factorize(Q)[0], q)
    rff = q_x - np.einsum("nm,nm->m", half, half)
    Q, q, q_x = products(model, at, usual_features(model.kernel, "pathwise"), rng)
    w = linalg.solve(model.cholesky, model.kernel(model.X, at))
    pathwise = q_x - 2 * np.einsum("nm,nm->m", w, q) + np.einsum("nm,nm->m", w, Q @ w)
    return {"rff": rff, "pathwise": pathwise}


def products(
    model: gp.GaussianProcess, at: np.ndarray, n_features: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Q + noise, q and q_x of so many features."""
    features = model.kernel.draw_features(rng, n_features, at.shape[1])
    phi, phi_x = features(model.X), features(at)
    Q = phi @ phi.T
    Q.flat[:: model.n + 1] += model.noise
    return Q, phi @ phi_x.T, np.einsum("mf,mf->m", phi_x, phi_x)


def measure() -> str:
    rng = np.random.default_rng(0)
    rows = []
    for name, kernel in KERNELS.items():
        for n in SIZES:
            X, at = rng.random((n, DIMENSION)), rng.random((200, DIMENSION))
            model = gp.GaussianProcess(kernel, NOISE).condition(X, np.zeros(n))
            exact = model.predict(at).std
            cells = []
            draws = [variances(model, at, rng) for _ in range(DRAWS)]
            for kind in ("rff", "pathwise"):
                found = [np.maximum(draw[kind], 0.0) for draw in draws]
                ratio = np.median([float(np.mean(v / exact**2)) for v in found])
                error = [float(np.sqrt(np.mean((np.sqrt(v) - exact) ** 2))) for v in found]
                cells += [f"{ratio:.2f}", f"{np.median(error):.3f}"]
            rows.append([name, str(n), f"{exact.mean():.3f}", *cells])
    head = ["kernel", "n", "posterior std", "rff: variance ratio", "rff: std error"]
    return table([*head, "pathwise: variance ratio", "pathwise: std error"], rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="put the table into the docs page")
    text = measure()
    print(text)
    if parser.parse_args().write:
        marked_text.write(PAGE, "python -m benchmarks.paths --write", text)


if __name__ == "__main__":
    main()
