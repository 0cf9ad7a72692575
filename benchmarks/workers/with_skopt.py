"""scikit-optimize's GP optimiser behind the line protocol."""

from __future__ import annotations

from typing import Any

import skopt
from link import serve
from skopt.space import Categorical, Integer, Real


def dimension(parameter: dict[str, Any]) -> Any:
    if parameter["kind"] == "categorical":
        return Categorical(parameter["choices"])
    prior = "log-uniform" if parameter.get("log") else "uniform"
    kind = Integer if parameter["kind"] == "int" else Real
    return kind(parameter["low"], parameter["high"], prior=prior)


class Skopt:
    def start(self, space: list[dict[str, Any]], seed: int, method: str = "gp") -> dict[str, str]:
        self.names = [p["name"] for p in space]
        self.optimizer = skopt.Optimizer(
            [dimension(p) for p in space], base_estimator=method, random_state=seed
        )
        return {"version": skopt.__version__}

    def ask(self) -> dict[str, Any]:
        point = self.optimizer.ask()
        plain = [v.item() if hasattr(v, "item") else v for v in point]
        return dict(zip(self.names, plain, strict=True))

    def tell(self, params: dict[str, Any], value: float) -> None:
        self.add([params], [value])

    def add(self, params: list[dict[str, Any]], values: list[float]) -> None:
        # the fit happens in tell: hand everything over, fit once
        points = [[one[name] for name in self.names] for one in params]
        self.optimizer.tell(points, values)

    def refit_and_ask(self, params: dict[str, Any], value: float) -> dict[str, Any]:
        self.tell(params, value)
        return self.ask()


if __name__ == "__main__":
    serve(Skopt())
