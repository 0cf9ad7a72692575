"""Learning curves of scikit-learn models, trained once and replayed: what early stopping acts on.

    python -m benchmarks.learning_curves            trains them all and writes the file
    python -m benchmarks.learning_curves wine-mlp   one of them

Every problem is a learner on a data set that comes with scikit-learn or is made by it, over a full
grid of its settings, so that whatever a method asks for was trained for real. An error rate (or
a mean squared error, as a share of the variance) on held-out data is reported after each of the
`steps` passes or trees. The file may hold some of the problems only. Problems to choose defaults on
and problems to report on share no data set.
"""

from __future__ import annotations

import itertools
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

FILE = Path(__file__).with_name("learning_curves.npz")

TUNING = ("wine-mlp", "made-sgd", "friedman-boosting")
REPORTED = ("digits-sgd", "digits-mlp", "cancer-mlp", "diabetes-boosting", "cancer-boosting")

SGD = {
    "eta0": np.geomspace(1e-5, 1.0, 8),
    "alpha": np.geomspace(1e-6, 1.0, 7),
    "power_t": [0.0, 0.25, 0.5, 1.0],
}
MLP = {
    "learning_rate_init": np.geomspace(1e-4, 1.0, 8),
    "alpha": np.geomspace(1e-5, 10.0, 3),
    "width": [4, 16, 48],
    "batch_size": [16, 64],
}
BOOSTING = {
    "learning_rate": np.geomspace(0.01, 1.0, 7),
    "max_depth": [1, 2, 3, 5],
    "subsample": [0.3, 0.6, 1.0],
    "max_features": [0.2, 0.5, 1.0],
}
GRIDS: Mapping[str, Mapping[str, Any]] = {"sgd": SGD, "mlp": MLP, "boosting": BOOSTING}
STEPS = {"sgd": 60, "mlp": 40, "boosting": 81}


@dataclass(frozen=True)
class Problem:
    """A grid of settings, and the curve of each: smaller is better."""

    name: str
    sizes: Mapping[str, int]  # how many values each setting has
    curves: np.ndarray  # (settings in the order of the grid, steps)

    @property
    def steps(self) -> int:
        return int(self.curves.shape[1])

    def curve(self, indices: Mapping[str, int]) -> np.ndarray:  # -> (steps,)
        """The curve of the setting whose values have these places in their lists."""
        row = np.ravel_multi_index([indices[name] for name in self.sizes], [*self.sizes.values()])
        return self.curves[int(row)]

    @property
    def best(self) -> float:
        """The smallest last value of all settings."""
        return float(self.curves[:, -1].min())

    @property
    def middle(self) -> float:
        """The median of the last values."""
        return float(np.median(self.curves[:, -1]))


def recorded(names: tuple[str, ...]) -> list[str]:
    """Those of the problems that were trained so far."""
    with np.load(FILE) as kept:
        return [name for name in names if name in kept.files]


def load(name: str) -> Problem:
    """A recorded problem."""
    grid = GRIDS[name.partition("-")[2]]
    with np.load(FILE) as kept:
        return Problem(name, {key: len(each) for key, each in grid.items()}, kept[name] / 1e4)


def data_of(name: str) -> tuple[np.ndarray, ...]:
    """Training and held-out data of a problem, standardised."""
    from sklearn import datasets
    from sklearn.model_selection import train_test_split
    from sklearn.preprocessing import StandardScaler

    makers: dict[str, Callable[[], Any]] = {
        "wine": lambda: datasets.load_wine(return_X_y=True),
        "made": lambda: datasets.make_classification(
            1200, 20, n_informative=8, n_classes=3, flip_y=0.1, random_state=1
        ),
        "friedman": lambda: datasets.make_friedman1(600, noise=2.0, random_state=2),
        "digits": lambda: datasets.load_digits(return_X_y=True),
        "cancer": lambda: datasets.load_breast_cancer(return_X_y=True),
        "diabetes": lambda: datasets.load_diabetes(return_X_y=True),
    }
    X, y = makers[name.partition("-")[0]]()
    parts = train_test_split(X, y, test_size=0.4, random_state=0)
    scaler = StandardScaler().fit(parts[0])
    return scaler.transform(parts[0]), scaler.transform(parts[1]), parts[2], parts[3]


def passes(kind: str, setting: Mapping[str, Any], data: tuple[np.ndarray, ...]) -> Iterator[float]:
    """What is reported after each pass over the training data; 1 of a network that diverged."""
    from sklearn.linear_model import SGDClassifier
    from sklearn.neural_network import MLPClassifier

    X, X_out, y, y_out = data
    others = dict(setting)
    if kind == "sgd":
        schedule = "invscaling" if others["power_t"] else "constant"
        learner: Any = SGDClassifier(
            loss="log_loss", learning_rate=schedule, random_state=0, **others
        )
    else:
        width = others.pop("width")
        learner = MLPClassifier((width,), solver="sgd", random_state=0, **others)
    classes = np.unique(y)
    diverged = False
    for _ in range(STEPS[kind]):
        try:
            if not diverged:
                learner.partial_fit(X, y, classes=classes)
        except ValueError as error:
            if "non-finite" not in str(error):
                raise
            diverged = True
        yield 1.0 if diverged else float(np.mean(learner.predict(X_out) != y_out))


def trees(setting: Mapping[str, Any], data: tuple[np.ndarray, ...], classes: bool) -> list[float]:
    """What is reported after each tree."""
    from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor

    X, X_out, y, y_out = data
    kind = GradientBoostingClassifier if classes else GradientBoostingRegressor
    learner = kind(n_estimators=STEPS["boosting"], random_state=0, **setting).fit(X, y)
    if classes:
        return [float(np.mean(guess != y_out)) for guess in learner.staged_predict(X_out)]
    return [
        float(np.mean((guess - y_out) ** 2) / np.var(y_out))
        for guess in learner.staged_predict(X_out)
    ]


def train(name: str) -> np.ndarray:
    """All curves of a problem, in ten-thousandths."""
    data, kind = data_of(name), name.partition("-")[2]
    grid, found = GRIDS[kind], []
    for values in itertools.product(*grid.values()):
        setting = dict(zip(grid, values, strict=True))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if kind == "boosting":
                found.append(trees(setting, data, name.startswith("cancer")))
            else:
                found.append(list(passes(kind, setting, data)))
    errors = np.clip(np.nan_to_num(np.array(found), nan=3.0), 0.0, 3.0)
    return np.round(errors * 1e4).astype(np.uint16)


def main() -> None:
    kept = dict(np.load(FILE)) if FILE.exists() else {}
    for name in sys.argv[1:] or (*TUNING, *REPORTED):
        began = time.perf_counter()
        kept[name] = train(name)
        spent = time.perf_counter() - began
        print(f"{name}: {kept[name].shape} in {spent:.0f} s", file=sys.stderr, flush=True)
        np.savez_compressed(FILE, **kept)  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
