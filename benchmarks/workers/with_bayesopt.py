"""The package bayesian-optimization behind the line protocol (float parameters)."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from bayes_opt import BayesianOptimization
from link import from_unit, serve, to_unit


class BayesOpt:
    def start(self, space: list[dict[str, Any]], seed: int, method: str = "") -> dict[str, str]:
        self.space = space
        self.optimizer = BayesianOptimization(
            f=None,
            pbounds={p["name"]: (0.0, 1.0) for p in space},
            random_state=seed,
            verbose=0,
            allow_duplicate_points=True,
        )
        return {"version": version("bayesian-optimization")}

    def ask(self) -> dict[str, Any]:
        unit = self.optimizer.suggest()
        return {p["name"]: from_unit(p, unit[p["name"]]) for p in self.space}

    def tell(self, params: dict[str, Any], value: float) -> None:
        unit = {p["name"]: to_unit(p, params[p["name"]]) for p in self.space}
        self.optimizer.register(params=unit, target=-value)

    def add(self, params: list[dict[str, Any]], values: list[float]) -> None:
        for one, value in zip(params, values, strict=True):
            self.tell(one, value)


if __name__ == "__main__":
    serve(BayesOpt())
