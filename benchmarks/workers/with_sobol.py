"""Scrambled Sobol points, the baseline that learns nothing (runs in this project's environment)."""

from __future__ import annotations

from typing import Any

import scipy
from link import from_unit, serve
from scipy.stats import qmc


class Sobol:
    def start(self, space: list[dict[str, Any]], seed: int, method: str = "") -> dict[str, str]:
        self.space = space
        self.engine = qmc.Sobol(len(space), scramble=True, seed=seed)
        return {"version": scipy.__version__}

    def ask(self) -> dict[str, Any]:
        u = self.engine.random(1)[0]
        return {
            p["name"]: p["choices"][min(int(v * len(p["choices"])), len(p["choices"]) - 1)]
            if p["kind"] == "categorical"
            else from_unit(p, float(v))
            for p, v in zip(self.space, u, strict=True)
        }

    def tell(self, params: dict[str, Any], value: float) -> None:
        pass


if __name__ == "__main__":
    serve(Sobol())
