"""Three mixed tuning problems on data sets that ship with scikit-learn.

Each is a cross-validated loss of a real model with floats on log scales, integers and categories.
Folds and the models' own seeds are fixed: the same params give the same loss.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

Params = dict[str, Any]


@dataclass(frozen=True)
class Tuning:
    name: str
    space: list[dict[str, Any]]
    loss: Callable[[Params], float]


def _float(name: str, low: float, high: float, log: bool = False) -> dict[str, Any]:
    return {"name": name, "kind": "float", "low": low, "high": high, "log": log}


def _int(name: str, low: int, high: int, log: bool = False) -> dict[str, Any]:
    return {"name": name, "kind": "int", "low": low, "high": high, "log": log}


def _choice(name: str, choices: list[str]) -> dict[str, Any]:
    return {"name": name, "kind": "categorical", "choices": choices}


@cache
def _data(name: str) -> tuple[Any, Any]:
    from sklearn import datasets

    bunch = getattr(datasets, f"load_{name}")()
    return bunch.data, bunch.target


def _cross_validated(model: Any, data: str, scoring: str, rows: int | None = None) -> float:
    from sklearn.model_selection import KFold, cross_val_score

    X, y = _data(data)
    folds = KFold(3, shuffle=True, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return -float(cross_val_score(model, X[:rows], y[:rows], cv=folds, scoring=scoring).mean())


def boosting(params: Params) -> float:
    """Gradient boosting on the diabetes data: root mean squared error."""
    from sklearn.ensemble import GradientBoostingRegressor

    model = GradientBoostingRegressor(
        loss=params["loss"],
        learning_rate=params["rate"],
        n_estimators=params["trees"],
        max_depth=params["depth"],
        min_samples_leaf=params["leaf"],
        subsample=params["rows"],
        max_features=params["columns"],
        random_state=0,
    )
    return _cross_validated(model, "diabetes", "neg_root_mean_squared_error")


def support_vectors(params: Params) -> float:
    """A support vector classifier on the breast cancer data: log loss."""
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MinMaxScaler, QuantileTransformer, StandardScaler
    from sklearn.svm import SVC

    scaler = {
        "standard": StandardScaler(),
        "minmax": MinMaxScaler(),
        "quantile": QuantileTransformer(n_quantiles=50),
    }[params["scaler"]]
    model = make_pipeline(
        scaler,
        SVC(
            kernel=params["kernel"],
            C=params["C"],
            gamma=params["gamma"],
            degree=params["degree"],
            coef0=params["coef0"],
        ),
    )
    # the margin's area under the curve moves where the accuracy has plateaus
    return 1.0 + _cross_validated(model, "breast_cancer", "roc_auc")


def network(params: Params) -> float:
    """A small neural network on handwritten digits: log loss."""
    from sklearn.neural_network import MLPClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    model = make_pipeline(
        StandardScaler(),
        MLPClassifier(
            hidden_layer_sizes=(params["width"],) * params["layers"],
            activation=params["activation"],
            alpha=params["decay"],
            learning_rate_init=params["rate"],
            batch_size=params["batch"],
            max_iter=12,
            random_state=0,
        ),
    )
    return _cross_validated(model, "digits", "neg_log_loss", rows=600)


def problems() -> list[Tuning]:
    return [
        Tuning(
            "boosting",
            [
                _choice("loss", ["squared_error", "absolute_error", "huber"]),
                _float("rate", 0.005, 0.5, log=True),
                _int("trees", 10, 150, log=True),
                _int("depth", 1, 8),
                _int("leaf", 1, 40, log=True),
                _float("rows", 0.3, 1.0),
                _float("columns", 0.1, 1.0),
            ],
            boosting,
        ),
        Tuning(
            "support vectors",
            [
                _choice("kernel", ["rbf", "poly", "sigmoid"]),
                _choice("scaler", ["standard", "minmax", "quantile"]),
                _float("C", 1e-3, 1e3, log=True),
                _float("gamma", 1e-5, 1e1, log=True),
                _int("degree", 1, 5),
                _float("coef0", 0.0, 2.0),
            ],
            support_vectors,
        ),
        Tuning(
            "network",
            [
                _choice("activation", ["relu", "tanh", "logistic"]),
                _int("layers", 1, 3),
                _int("width", 4, 96, log=True),
                _float("decay", 1e-6, 1e1, log=True),
                _float("rate", 1e-4, 1e-1, log=True),
                _int("batch", 8, 200, log=True),
            ],
            network,
        ),
    ]
