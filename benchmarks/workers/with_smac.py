"""SMAC3 behind the line protocol: its hyper-parameter facade, which is the random forest."""

from __future__ import annotations

import tempfile
from importlib.metadata import version
from typing import Any

from ConfigSpace import Categorical, ConfigurationSpace, Float, Integer
from link import serve
from smac import HyperparameterOptimizationFacade, Scenario
from smac.runhistory.dataclasses import TrialInfo, TrialValue


def parameter(one: dict[str, Any]) -> Any:
    if one["kind"] == "categorical":
        return Categorical(one["name"], one["choices"])
    kind = Integer if one["kind"] == "int" else Float
    return kind(one["name"], (one["low"], one["high"]), log=bool(one.get("log")))


class Smac:
    def start(self, space: list[dict[str, Any]], seed: int, method: str = "") -> dict[str, str]:
        configurations = ConfigurationSpace(seed=seed)
        configurations.add([parameter(p) for p in space])
        return self.begin(configurations, seed)

    def begin(self, configurations: ConfigurationSpace, seed: int) -> dict[str, str]:
        scenario = Scenario(
            configurations,
            deterministic=True,
            n_trials=60,
            seed=seed,
            output_directory=tempfile.mkdtemp(),
        )
        self.facade = HyperparameterOptimizationFacade(
            scenario, lambda config, seed=0: 0.0, overwrite=True, logging_level=50
        )
        return {"version": version("smac")}

    def ask(self) -> dict[str, Any]:
        self.info: TrialInfo = self.facade.ask()
        return {k: v.item() if hasattr(v, "item") else v for k, v in dict(self.info.config).items()}

    def tell(self, params: dict[str, Any], value: float) -> None:
        self.facade.tell(self.info, TrialValue(cost=value))


if __name__ == "__main__":
    serve(Smac())
