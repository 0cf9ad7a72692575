"""Families of problems for transfer: a target, and older ones with much or nothing in common.

A family draws a target and an older function from a seed. Those of `DEVELOPMENT` chose the defaults
of `learn_from`; those of `REPORTED` are measured with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

import pathmax
from pathmax import gp
from pathmax.experiments.emulation.formulas import (
    HARTMANN6_CENTRE,
    HARTMANN6_SHARPNESS,
    HARTMANN6_WEIGHT,
)

Array = NDArray[np.float64]
Function = Callable[[Array], float]  # of a point of the unit cube; larger is better


@dataclass(frozen=True)
class Task:
    """A target with its older functions, by kind: related, unrelated, opposite."""

    d: int
    target: Function
    older: Mapping[str, Function]
    best: float  # of the target, as far as a search knows
    spread: float  # of the target over the cube: a standard deviation
    names: tuple[str, ...] = field(default=())

    @property
    def space(self) -> dict[str, Any]:
        return {f"x{i}": pathmax.Float(0.0, 1.0) for i in range(self.d)}

    def value(self, params: Mapping[str, Any], function: Function | None = None) -> float:
        u = np.array([params[f"x{i}"] for i in range(self.d)])
        return float((self.target if function is None else function)(u))


def task(d: int, target: Function, older: Mapping[str, Function], seed: int) -> Task:
    """A task whose best value is looked for."""
    rng = np.random.default_rng([seed, 99])
    U = rng.random((4000, d))
    values = np.array([target(u) for u in U])
    best, at = float(values.max()), U[np.argsort(-values)[:5]]
    for step in (0.1, 0.03, 0.01, 0.003, 0.001):
        for _ in range(3):
            near = np.clip(at[:, None] + step * rng.standard_normal((5, 60, d)), 0.0, 1.0)
            found = np.array([[target(u) for u in some] for some in near])
            better = found.max(axis=1)
            for i in range(5):
                if better[i] > target(at[i]):
                    at[i] = near[i, int(np.argmax(found[i]))]
            best = max(best, float(better.max()))
    return Task(d, target, older, best, float(values.std()))


def path(d: int, scale: float, seed: int) -> Function:
    """A draw of a process, as a function."""
    drawn = gp.draw_path(
        gp.GaussianProcess(gp.Matern52(lengthscale=scale), 0.0), np.random.default_rng(seed)
    )
    return lambda u: float(drawn(u[None])[0])


def moved(f: Function, shift: Array, scale: float = 1.0, level: float = 0.0) -> Function:
    """The function shifted, and in another unit."""
    return lambda u: level + scale * f(np.clip(u - shift, -0.5, 1.5))


def opposite(f: Function) -> Function:
    return lambda u: -f(u)


def shift_of(d: int, size: float, rng: np.random.Generator) -> Array:
    direction = rng.standard_normal(d)
    return np.asarray(size * direction / np.linalg.norm(direction))


# The families that defaults were chosen on.


def mixed_paths(seed: int) -> Task:
    """Draws of a process in three dimensions: 0.9 of the older one, and a difference."""
    common, own, alien = (path(3, 0.4, 3 * seed + i) for i in range(3))
    target = lambda u: 0.9 * common(u) + np.sqrt(0.19) * own(u)  # noqa: E731
    older = {
        "related": lambda u: 5.0 + 2.0 * common(u),
        "unrelated": alien,
        "opposite": opposite(common),
    }
    return task(3, target, older, seed)


def valley(u: Array) -> float:
    """Rosenbrock's function on [-1, 1.5]^3, its logarithm."""
    x = -1.0 + 2.5 * u
    return -float(np.log1p(np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)))


def shifted_valley(seed: int) -> Task:
    rng = np.random.default_rng(seed)
    target = moved(valley, shift_of(3, 0.15, rng))
    older = {
        "related": moved(valley, shift_of(3, 0.15, rng), 3.0, 10.0),
        "unrelated": path(3, 0.3, seed),
        "opposite": opposite(valley),
    }
    return task(3, target, older, seed)


def bumps(u: Array) -> float:
    """Levy's function on [-5, 5]^4."""
    w = 1.0 + (10.0 * u - 6.0) / 4.0
    inner = (w[:-1] - 1.0) ** 2 * (1.0 + 10.0 * np.sin(np.pi * w[:-1] + 1.0) ** 2)
    last = (w[-1] - 1.0) ** 2 * (1.0 + np.sin(2.0 * np.pi * w[-1]) ** 2)
    return -float(np.sin(np.pi * w[0]) ** 2 + inner.sum() + last)


def shifted_bumps(seed: int) -> Task:
    rng = np.random.default_rng(seed)
    target = moved(bumps, shift_of(4, 0.1, rng))
    older = {
        "related": moved(bumps, shift_of(4, 0.1, rng), 0.1),
        "unrelated": path(4, 0.3, seed),
        "opposite": opposite(bumps),
    }
    return task(4, target, older, seed)


# The families that are reported on.


def branin(
    u: Array, a: float = 1.0, b: float = 5.1 / (4 * np.pi**2), c: float = 5 / np.pi
) -> float:
    x, y = 15.0 * u[0] - 5.0, 15.0 * u[1]
    bent = (y - b * x**2 + c * x - 6.0) ** 2
    return -float(a * bent + 10.0 * (1.0 - 1.0 / (8.0 * np.pi)) * np.cos(x) + 10.0)


def branins(seed: int) -> Task:
    """Branin's function with other constants for each."""
    rng = np.random.default_rng(seed)

    def drawn() -> Function:
        a, b, c = rng.uniform(0.6, 1.4), rng.uniform(0.11, 0.15), rng.uniform(1.3, 1.9)
        shift = shift_of(2, 0.05, rng)
        return lambda u: branin(np.clip(u - shift, -0.5, 1.5), a, b, c)

    older = {"related": drawn(), "unrelated": path(2, 0.25, seed), "opposite": opposite(drawn())}
    return task(2, drawn(), older, seed)


A3 = np.array([[3, 10, 30], [0.1, 10, 35], [3, 10, 30], [0.1, 10, 35]])
P3 = 1e-4 * np.array(
    [[3689, 1170, 2673], [4699, 4387, 7470], [1091, 8732, 5547], [381, 5743, 8828]]
)


def hartmann(A: Array, P: Array, alpha: Array) -> Function:
    return lambda u: float(alpha @ np.exp(-np.sum(A * (u - P) ** 2, axis=1)))


def hartmanns(A: Array, P: Array, seed: int) -> Task:
    """Hartmann's function with other heights of its four hills, and shifted."""
    rng = np.random.default_rng(seed)
    d = A.shape[1]

    def drawn() -> Function:
        alpha = HARTMANN6_WEIGHT * np.exp(0.2 * rng.standard_normal(4))
        return moved(hartmann(A, P, alpha), shift_of(d, 0.05, rng))

    older = {"related": drawn(), "unrelated": path(d, 0.4, seed), "opposite": opposite(drawn())}
    return task(d, drawn(), older, seed)


def ackley(u: Array) -> float:
    x = 20.0 * u - 8.0
    first = 20.0 * np.exp(-0.2 * np.sqrt(np.mean(x**2)))
    return float(first + np.exp(np.mean(np.cos(2.0 * np.pi * x))) - 20.0 - np.e)


def ackleys(seed: int) -> Task:
    """Ackley's function in four dimensions, shifted, the older one in other units."""
    rng = np.random.default_rng(seed)
    older = {
        "related": moved(ackley, shift_of(4, 0.1, rng), 0.01, 1.0),
        "unrelated": path(4, 0.4, seed),
        "opposite": opposite(ackley),
    }
    return task(4, moved(ackley, shift_of(4, 0.1, rng)), older, seed)


@cache
def accuracy(data: str, model: str) -> Function:
    """What a model of scikit-learn reaches in cross-validation on a shipped data set."""
    from sklearn import datasets
    from sklearn.linear_model import SGDClassifier
    from sklearn.model_selection import cross_val_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC

    X, y = getattr(datasets, f"load_{data}")(return_X_y=True)
    X, y = X[:600], y[:600]

    @cache
    def at(u: tuple[float, ...]) -> float:
        if model == "svm":
            chosen: Any = SVC(C=10.0 ** (6 * u[0] - 2), gamma=10.0 ** (6 * u[1] - 5))
        else:
            chosen = SGDClassifier(
                alpha=10.0 ** (6 * u[0] - 6),
                l1_ratio=u[1],
                penalty="elasticnet",
                eta0=10.0 ** (4 * u[2] - 3),
                learning_rate="adaptive",
                max_iter=30,
                tol=None,
                random_state=0,
            )
        return float(cross_val_score(make_pipeline(StandardScaler(), chosen), X, y, cv=3).mean())

    return lambda u: at(tuple(float(x) for x in np.round(u, 4)))


def classifiers(model: str, d: int, seed: int) -> Task:
    """A classifier on one data set, and on another one before."""
    data = ["wine", "digits", "breast_cancer"]
    target, other = np.random.default_rng(seed).permutation(data)[:2]
    known, before = accuracy(target, model), accuracy(other, model)
    U = np.random.default_rng(0).random((200, d))
    values = np.array([known(u) for u in U])
    older = {"related": before, "unrelated": path(d, 0.3, seed), "opposite": opposite(before)}
    return Task(d, known, older, float(values.max()), float(values.std()))


DEVELOPMENT: dict[str, Callable[[int], Task]] = {
    "mixed paths, d = 3": mixed_paths,
    "shifted valley, d = 3": shifted_valley,
    "shifted bumps, d = 4": shifted_bumps,
}
REPORTED: dict[str, Callable[[int], Task]] = {
    "Branin with other constants": branins,
    "Hartmann-3, other heights": lambda seed: hartmanns(A3, P3, seed),
    "Hartmann-6, other heights": lambda seed: hartmanns(
        HARTMANN6_SHARPNESS, HARTMANN6_CENTRE, seed
    ),
    "Ackley-4, other units": ackleys,
    "support vectors, other data": lambda seed: classifiers("svm", 2, seed),
}
