"""Conditional spaces: pathmax, Optuna's TPE and random search on the same problems.

    python -m benchmarks.conditional --seeds 5 --trials 60

Four synthetic problems whose parameters depend on others, and three of scikit-learn: which model,
and with which of its own settings. Smaller is better. Each problem is one function of a dict; the
objective for Optuna asks for the parameters in the order of the space, as its users do.
"""

from __future__ import annotations

import argparse
import math
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

import pathmax
from pathmax.space.conditions import Conditions
from pathmax.space.space import Space

Params = Mapping[str, Any]
F, N, C = pathmax.Float, pathmax.Int, pathmax.Categorical


@dataclass(frozen=True)
class Problem:
    """A space and a function to minimise."""

    name: str
    space: dict[str, Any]
    loss: Callable[[Params], float]


def optimiser(p: Params) -> float:
    """A training run: three optimisers, one of which needs a momentum to be the best."""
    loss = 0.1 * (p["layers"] - 3) ** 2
    if p["optimizer"] == "lbfgs":
        return loss + 0.5
    loss += 0.3 * (math.log10(p["rate"]) + 2) ** 2
    if p["optimizer"] == "sgd":
        loss += 3 * (p["momentum"] - 0.8) ** 2 - 0.2 * bool(p.get("nesterov", False)) - 0.1
    return loss


def branches(p: Params) -> float:
    """Four methods with two settings each of their own and one in common."""
    k = "abcd".index(p["method"])
    x, y = p[f"x{p['method']}"], p[f"y{p['method']}"]
    centre = (0.2 + 0.2 * k, 0.8 - 0.15 * k)
    bowl = (x - centre[0]) ** 2 + (y - centre[1]) ** 2 + 0.5 * (x - centre[0]) * (p["z"] - 0.4)
    return 6 * bowl + 2 * (p["z"] - 0.4) ** 2 + (0.3, 0.15, 0.0, 0.25)[k]


def stages(p: Params) -> float:
    """A process of one to three stages: each further one has a temperature of its own."""
    loss, gain = 1.0, (0.3, 0.4, 0.25)
    for i in range(p["stages"]):
        t = p[f"t{i + 1}"]
        loss -= gain[i] * math.exp(-8 * (t - 0.3 - 0.2 * i) ** 2) - 0.05 * i
    return loss + 0.3 * (p["flow"] - 0.6) ** 2


def pretreatment(p: Params) -> float:
    """A number decides: above 0.5 a second reagent is dosed, which pays only if dosed well."""
    loss = (p["acid"] - 0.35) ** 2
    if p["acid"] > 0.5:
        loss += (p["salt"] - 0.7) ** 2 + 0.3 * (p["hold"] - 0.2) ** 2 - 0.12
    return loss + 0.2 * math.sin(9 * p["time"]) ** 2 * p["time"]


@cache
def _data(name: str) -> tuple[Any, Any]:
    from sklearn import datasets

    X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    rows = np.random.default_rng(0).permutation(len(X))[:300]
    return X[rows], y[rows]


def _error(model: Any, data: str) -> float:
    from sklearn.model_selection import cross_val_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    X, y = _data(data)
    scoring = "neg_mean_squared_error" if data == "diabetes" else "neg_log_loss"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scores = cross_val_score(
            make_pipeline(StandardScaler(), model), X, y, cv=3, scoring=scoring
        )
    return float(-scores.mean() / (3000 if data == "diabetes" else 1))


def classifier(p: Params) -> float:
    """Logistic regression, nearest neighbours or trees, on breast cancer."""
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.neighbors import KNeighborsClassifier

    if p["model"] == "logistic":
        model = LogisticRegression(C=p["C"], max_iter=300)
    elif p["model"] == "neighbours":
        model = KNeighborsClassifier(p["k"], weights=p["weights"])
    else:
        model = RandomForestClassifier(
            20, max_depth=p["depth"], max_features=p["features"], random_state=0
        )
    return _error(model, "breast_cancer")


def regressor(p: Params) -> float:
    """Ridge, support vectors or nearest neighbours, on diabetes."""
    from sklearn.linear_model import Ridge
    from sklearn.neighbors import KNeighborsRegressor
    from sklearn.svm import SVR

    if p["model"] == "ridge":
        return _error(Ridge(p["alpha"]), "diabetes")
    if p["model"] == "neighbours":
        return _error(KNeighborsRegressor(p["k"], p=p["power"]), "diabetes")
    own = {"gamma": p["gamma"]} if p["kernel"] != "linear" else {}
    own |= {"degree": p["degree"], "coef0": p["coef0"]} if p["kernel"] == "poly" else {}
    return _error(SVR(kernel=p["kernel"], C=100 * p["C"], max_iter=20_000, **own), "diabetes")


def support_vectors(p: Params) -> float:
    """Support vectors with one of three kernels, each with settings of its own, on wine."""
    from sklearn.svm import SVC

    own = {"gamma": p["gamma"]} if p["kernel"] != "linear" else {}
    own |= {"degree": p["degree"], "coef0": p["coef0"]} if p["kernel"] == "poly" else {}
    return _error(
        SVC(kernel=p["kernel"], C=p["C"], probability=True, random_state=0, max_iter=20_000, **own),
        "wine",
    )


SVM = {
    "C": F(1e-3, 1e3, log=True),
    "kernel": C(["linear", "rbf", "poly"]),
    "gamma": F(1e-4, 1, log=True, when="kernel != 'linear'"),
    "degree": N(2, 5, when="kernel == 'poly'"),
    "coef0": F(0, 2, when="kernel == 'poly'"),
}
PROBLEMS = [
    Problem(
        "optimiser",
        {
            "optimizer": C(["adam", "sgd", "lbfgs"]),
            "rate": F(1e-4, 1, log=True, when="optimizer != 'lbfgs'"),
            "momentum": F(0, 0.99, when="optimizer == 'sgd'"),
            "nesterov": C([True, False], when="momentum > 0.5"),
            "layers": N(1, 6),
        },
        optimiser,
    ),
    Problem(
        "branches",
        {"method": C(list("abcd")), "z": F(0, 1)}
        | {f"{v}{m}": F(0, 1, when=f"method == '{m}'") for m in "abcd" for v in "xy"},
        branches,
    ),
    Problem(
        "stages",
        {"stages": N(1, 3), "flow": F(0, 1), "t1": F(0, 1)}
        | {f"t{i}": F(0, 1, when=f"stages >= {i}") for i in (2, 3)},
        stages,
    ),
    Problem(
        "pretreatment",
        {
            "acid": F(0, 1),
            "time": F(0, 1),
            "salt": F(0, 1, when="acid > 0.5"),
            "hold": F(0, 1, when="acid > 0.5"),
        },
        pretreatment,
    ),
    Problem(
        "classifier",
        {
            "model": C(["logistic", "neighbours", "trees"]),
            "C": F(1e-4, 1e3, log=True, when="model == 'logistic'"),
            "k": N(1, 50, log=True, when="model == 'neighbours'"),
            "weights": C(["uniform", "distance"], when="model == 'neighbours'"),
            "depth": N(1, 20, when="model == 'trees'"),
            "features": F(0.05, 1, when="model == 'trees'"),
        },
        classifier,
    ),
    Problem(
        "regressor",
        {
            "model": C(["ridge", "neighbours", "svm"]),
            "alpha": F(1e-3, 1e3, log=True, when="model == 'ridge'"),
            "k": N(1, 50, log=True, when="model == 'neighbours'"),
            "power": F(1, 4, when="model == 'neighbours'"),
            "kernel": C(["linear", "rbf", "poly"], when="model == 'svm'"),
            "C": F(1e-3, 1e2, log=True, when="model == 'svm'"),
            "gamma": F(1e-4, 1, log=True, when="kernel != 'linear'"),
            "degree": N(2, 3, when="kernel == 'poly'"),
            "coef0": F(0, 2, when="kernel == 'poly'"),
        },
        regressor,
    ),
    Problem("support vectors", SVM, support_vectors),
]


def by_pathmax(problem: Problem, seed: int, trials: int) -> list[float]:
    """The losses of a study."""
    study = pathmax.Study(problem.space, direction="minimize", seed=seed)
    losses = []
    for _ in range(trials):
        trial = study.ask()
        losses.append(problem.loss(trial.params))
        study.tell(trial, losses[-1])
    return losses


def by_random(problem: Problem, seed: int, trials: int) -> list[float]:
    """The losses at random points."""
    space, rng = Space(problem.space), np.random.default_rng(seed)
    points = space.from_uniform(rng.random((trials, space.dimension)))
    return [problem.loss(space.decode(u)) for u in points]


def by_optuna(sampler: Callable[[int], Any]) -> Callable[[Problem, int, int], list[float]]:
    """The losses of an Optuna study, which asks for the active parameters one by one."""

    def run(problem: Problem, seed: int, trials: int) -> list[float]:
        import optuna

        optuna.logging.set_verbosity(optuna.logging.ERROR)
        space = Space(problem.space)
        conditions = Conditions.read(space.parameters, space.variables)
        assert conditions is not None

        def objective(trial: Any) -> float:
            params: dict[str, Any] = {}
            for name, p in space.parameters.items():
                if name in conditions.sentences and not conditions.holds(name, params):
                    continue
                if isinstance(p, C):
                    params[name] = trial.suggest_categorical(name, p.choices)
                elif isinstance(p, N):
                    params[name] = trial.suggest_int(name, p.low, p.high, log=p.log)
                elif isinstance(p, F):
                    params[name] = trial.suggest_float(name, p.low, p.high, log=p.log)
            return problem.loss(params)

        study = optuna.create_study(sampler=sampler(seed))
        study.optimize(objective, n_trials=trials)
        return [trial.value or 0.0 for trial in study.trials]

    return run


def tpe(seed: int) -> Any:
    """Optuna's TPE that models conditional parameters in groups."""
    import optuna

    return optuna.samplers.TPESampler(seed=seed, multivariate=True, group=True)


def tpe_alone(seed: int) -> Any:
    """Optuna's default sampler."""
    import optuna

    return optuna.samplers.TPESampler(seed=seed)


def define_by_run(seed: int) -> Any:
    """Ours inside Optuna, which infers the conditions from the trials."""
    from pathmax.integrations.optuna import PathmaxSampler

    return PathmaxSampler(seed=seed)


RUNNERS = {
    "pathmax": by_pathmax,
    "PathmaxSampler": by_optuna(define_by_run),
    "TPE": by_optuna(tpe_alone),
    "TPE, groups": by_optuna(tpe),
    "random": by_random,
}


def main() -> None:
    """Print the mean of the best loss after a third, half and all of the trials, and the ranks."""
    warnings.filterwarnings("ignore")
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--trials", type=int, default=60)
    parser.add_argument("--who", nargs="*", default=list(RUNNERS))
    parser.add_argument("--problems", nargs="*", default=[p.name for p in PROBLEMS])
    given = parser.parse_args()
    after = [given.trials // 4, given.trials // 2, given.trials]
    print(f"Best loss, mean of {given.seeds} seeds, after {after} trials; rank among the rows.\n")
    print("| problem | " + " | ".join(given.who) + " |\n| --- |" + " --- |" * len(given.who))
    ranks: list[np.ndarray] = []
    for problem in PROBLEMS:
        if problem.name not in given.problems:
            continue
        best = np.array(
            [
                [
                    np.minimum.accumulate(RUNNERS[who](problem, seed, given.trials))
                    for seed in range(given.seeds)
                ]
                for who in given.who
            ]
        )[:, :, np.array(after) - 1]  # (who, seed, after)
        ranks.append(1 + (best[:, None] > best[None]).sum(axis=1) * 1.0)
        cells = [", ".join(f"{x:.4f}" for x in row) for row in best.mean(axis=1)]
        print(f"| {problem.name} | " + " | ".join(cells) + " |", flush=True)
    mean = np.mean([rank.mean(axis=1) for rank in ranks], axis=0)
    cells = [", ".join(f"{x:.2f}" for x in row) for row in mean]
    print("| mean rank | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
