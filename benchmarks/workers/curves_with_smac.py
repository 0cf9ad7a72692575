"""SMAC3's multi-fidelity facade: a random forest that suggests, and Hyperband over the budget."""

from __future__ import annotations

import tempfile
from importlib.metadata import version
from typing import Any

from ConfigSpace import ConfigurationSpace, Integer
from link import serve
from smac import MultiFidelityFacade, Scenario
from smac.runhistory.dataclasses import TrialInfo, TrialValue


class Smac:
    def start(self, sizes: dict[str, int], steps: int, seed: int) -> dict[str, str]:
        """Places in lists of so many values, and runs of up to so many steps."""
        configurations = ConfigurationSpace(seed=seed)
        configurations.add([Integer(name, (0, size - 1)) for name, size in sizes.items()])
        scenario = Scenario(
            configurations,
            deterministic=True,
            n_trials=10_000,
            min_budget=1,
            max_budget=steps,
            seed=seed,
            output_directory=tempfile.mkdtemp(),
        )
        self.facade = MultiFidelityFacade(
            scenario, lambda config, seed=0, budget=0: 0.0, overwrite=True, logging_level=50
        )
        return {"version": version("smac")}

    def ask(self) -> dict[str, Any]:
        self.info: TrialInfo = self.facade.ask()
        places = {name: int(place) for name, place in dict(self.info.config).items()}
        return {"places": places, "budget": float(self.info.budget)}

    def tell(self, value: float) -> None:
        self.facade.tell(self.info, TrialValue(cost=value))


if __name__ == "__main__":
    serve(Smac())
