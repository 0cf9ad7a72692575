"""SMAC3 with conditions and forbidden pairs behind the line protocol."""

from __future__ import annotations

import tempfile
from importlib.metadata import version
from typing import Any

from ConfigSpace import (
    ConfigurationSpace,
    ForbiddenAndConjunction,
    ForbiddenEqualsClause,
    InCondition,
)
from link import serve
from smac import HyperparameterOptimizationFacade, Scenario
from smac.runhistory.dataclasses import TrialInfo, TrialValue
from with_smac import parameter


class Smac:
    def start(
        self,
        space: list[dict[str, Any]],
        seed: int,
        linear: list[dict[str, Any]],
        forbidden: list[dict[str, Any]],
        kind: str = "",
    ) -> dict[str, str]:
        configurations = ConfigurationSpace(seed=seed)
        configurations.add([parameter(p) for p in space])
        conditions = [
            InCondition(
                configurations[p["name"]],
                configurations[p["when"]["name"]],
                p["when"]["in"],
            )
            for p in space
            if "when" in p
        ]
        pairs = [
            ForbiddenAndConjunction(
                *(ForbiddenEqualsClause(configurations[k], v) for k, v in pair.items())
            )
            for pair in forbidden
        ]
        configurations.add([*conditions, *pairs])
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

    def tell(self, params: dict[str, Any], value: float | None, broken: float) -> None:
        assert value is not None, "SMAC keeps what it was told"
        self.facade.tell(self.info, TrialValue(cost=value))


if __name__ == "__main__":
    serve(Smac())
