"""CMA-ES of the package cmaes with its default population, begun in the middle of the box."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

import numpy as np
from cmaes import CMA
from link import from_unit, serve, to_unit

SIGMA = 0.3  # of the unit cube; the package asks for one


class Cmaes:
    def start(self, space: list[dict[str, Any]], seed: int, method: str = "") -> dict[str, str]:
        d = len(space)
        bounds = np.tile([0.0, 1.0], (d, 1))
        self.space = space
        self.cma = CMA(mean=np.full(d, 0.5), sigma=SIGMA, bounds=bounds, seed=seed)
        self.seed, self.told = seed, []
        return {"version": version("cmaes")}

    def ask(self) -> dict[str, Any]:
        u = self.cma.ask()
        return {p["name"]: from_unit(p, float(v)) for p, v in zip(self.space, u, strict=True)}

    def tell(self, params: dict[str, Any], value: float) -> None:
        u = np.array([to_unit(p, params[p["name"]]) for p in self.space])
        self.told.append((u, value))
        if len(self.told) == self.cma.population_size:
            self.cma.tell(self.told)
            self.told = []
            if self.cma.should_stop():  # begin again elsewhere, with twice the population (IPOP)
                self.seed += 1000
                mean = np.random.default_rng(self.seed).random(len(self.space))
                self.cma = CMA(
                    mean=mean,
                    sigma=SIGMA,
                    bounds=np.tile([0.0, 1.0], (len(self.space), 1)),
                    seed=self.seed,
                    population_size=2 * self.cma.population_size,
                )


if __name__ == "__main__":
    serve(Cmaes())
