"""How much descriptors of categories help, and how much of a category to leave unexplained.

    python -m benchmarks.descriptors

Twelve categories with three properties, of which two matter, one number, and a part of each
category that no property explains (`rest`). Median error at 400 other points over 20 functions,
in standard deviations of the data; the models are those of a study. `EXPLAINED` was chosen among
0.5, 0.9 and 0.97 on these very functions, so that the column `study` is no test of it.
"""

from __future__ import annotations

import numpy as np

from pathmax import gp
from pathmax.gp.kernels.embedded import Embedded
from pathmax.space import Categorical, Float, Space
from pathmax.suggestion.default_kernel import default_kernel

CATEGORIES, SEEDS = 12, 20


def kernels(properties: np.ndarray) -> dict[str, gp.Kernel]:
    """The kernels to compare: without properties, as in a study, and with nothing else."""
    names = [str(i) for i in range(CATEGORIES)]
    table = {name: dict(enumerate_names(row)) for name, row in zip(names, properties, strict=True)}
    with_them = Space({"t": Float(0, 1), "c": Categorical(names, descriptors=table)})
    without = Space({"t": Float(0, 1), "c": Categorical(names)})
    study = default_kernel(with_them.axes, separable=False)
    assert isinstance(study, Embedded)
    return {
        "without": default_kernel(without.axes, separable=False),
        "study": study,
        "only": Embedded(gp.Matern52([1.0] * 4, on=(0, 2, 3, 4)), study.embedding),
    }


def enumerate_names(row: np.ndarray) -> list[tuple[str, float]]:
    """Names for the properties of a category."""
    return [(f"p{i}", float(value)) for i, value in enumerate(row)]


def errors(rest: float, n: int, seed: int) -> dict[str, float]:
    """The error of each kernel on one function."""
    rng = np.random.default_rng(seed)
    properties, own = rng.normal(size=(CATEGORIES, 3)), rng.normal(size=CATEGORIES)

    def draw(m: int) -> tuple[np.ndarray, np.ndarray]:
        X = np.column_stack([rng.random(m), rng.integers(0, CATEGORIES, m)])
        c = X[:, 1].astype(int)
        z = properties[c]
        wave = np.sin(2 * z[:, 0]) + np.sin(4 * X[:, 0] + z[:, 0])
        return X, wave + 0.5 * z[:, 1] + rest * own[c]

    (X, y), (T, truth) = draw(n), draw(400)
    scale = y.std()
    found = {}
    for name, kernel in kernels(properties).items():
        mean = gp.fit(kernel, X, y).predict(T).mean
        found[name] = float(np.sqrt(np.mean((mean - truth) ** 2)) / scale)
    return found


def main() -> None:
    """Print the table."""
    print("rest  n   without  study  only")
    for rest in (0.0, 0.3, 1.0):
        for n in (12, 30):
            runs = [errors(rest, n, seed) for seed in range(SEEDS)]
            medians = [np.median([run[name] for run in runs]) for name in runs[0]]
            print(f"{rest:<5} {n:<3} " + "  ".join(f"{m:6.3f}" for m in medians))


if __name__ == "__main__":
    main()
