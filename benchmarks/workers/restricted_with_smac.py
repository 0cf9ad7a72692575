"""SMAC3 with conditions and forbidden pairs behind the line protocol."""

from __future__ import annotations

from typing import Any

from ConfigSpace import (
    ConfigurationSpace,
    ForbiddenAndConjunction,
    ForbiddenEqualsClause,
    InCondition,
)
from link import serve
from with_smac import Smac, parameter


class RestrictedSmac(Smac):
    def start(self, problem: dict[str, Any], seed: int) -> dict[str, str]:
        configurations = ConfigurationSpace(seed=seed)
        configurations.add([parameter(p) for p in problem["space"]])
        conditions = [
            InCondition(
                configurations[p["name"]],
                configurations[p["when"]["name"]],
                p["when"]["in"],
            )
            for p in problem["space"]
            if "when" in p
        ]
        pairs = [
            ForbiddenAndConjunction(
                *(ForbiddenEqualsClause(configurations[k], v) for k, v in pair.items())
            )
            for pair in problem["forbidden"]
        ]
        configurations.add([*conditions, *pairs])
        return self.begin(configurations, seed)

    def tell(self, params: dict[str, Any], value: float | None, broken: float) -> None:
        assert value is not None, "SMAC keeps what it was told"
        super().tell(params, value)


if __name__ == "__main__":
    serve(RestrictedSmac())
