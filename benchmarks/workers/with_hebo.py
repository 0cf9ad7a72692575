"""HEBO behind the line protocol."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

import numpy as np
import torch
from hebo.design_space.design_space import DesignSpace
from hebo.optimizers.hebo import HEBO
from link import serve


def parameter(one: dict[str, Any]) -> dict[str, Any]:
    if one["kind"] == "categorical":
        return {"name": one["name"], "type": "cat", "categories": one["choices"]}
    kind = {
        ("float", False): "num",
        ("float", True): "pow",
        ("int", False): "int",
        ("int", True): "pow_int",
    }[one["kind"], bool(one.get("log"))]
    return {"name": one["name"], "type": kind, "lb": one["low"], "ub": one["high"], "base": 10}


class Hebo:
    def start(self, space: list[dict[str, Any]], seed: int, method: str = "") -> dict[str, str]:
        np.random.seed(seed)
        torch.manual_seed(seed)
        design = DesignSpace().parse([parameter(p) for p in space])
        self.optimizer = HEBO(design, scramble_seed=seed)
        return {"version": version("HEBO")}

    def ask(self) -> dict[str, Any]:
        self.row = self.optimizer.suggest(n_suggestions=1)
        one = self.row.iloc[0].to_dict()
        return {k: v.item() if hasattr(v, "item") else v for k, v in one.items()}

    def tell(self, params: dict[str, Any], value: float) -> None:
        self.optimizer.observe(self.row, np.array([[value]]))


if __name__ == "__main__":
    serve(Hebo())
