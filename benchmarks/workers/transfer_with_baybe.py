"""BayBE with a task parameter behind the line protocol: older results are those of another task.

Its defaults: random points until there are results, then its Gaussian process with an index kernel
of the tasks, and its own acquisition function. Older results are told first, as its guide does.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

import numpy as np
import pandas as pd
import torch
from baybe import Campaign
from baybe.parameters import NumericalContinuousParameter, TaskParameter
from baybe.searchspace import SearchSpace
from baybe.targets import NumericalTarget
from link import serve

TASK = "task"


class Baybe:
    def start(
        self, names: list[str], older: list[dict[str, float]] | None, seed: int
    ) -> dict[str, str]:
        torch.manual_seed(seed)
        np.random.seed(seed)
        torch.set_num_threads(1)
        parameters: list[Any] = [NumericalContinuousParameter(name, (0.0, 1.0)) for name in names]
        self.task: dict[str, str] = {}
        if older is not None:
            parameters.append(TaskParameter(TASK, ["older", "new"], active_values=["new"]))
            self.task = {TASK: "new"}
        target = NumericalTarget(name="value")
        self.campaign = Campaign(SearchSpace.from_product(parameters), target.to_objective())
        if older is not None:
            self._add([{**row, TASK: "older"} for row in older])
        return {"version": version("baybe")}

    def ask(self) -> dict[str, float]:
        row = self.campaign.recommend(batch_size=1).iloc[0]
        return {name: float(value) for name, value in row.items() if name != TASK}

    def tell(self, params: dict[str, float], value: float) -> None:
        self._add([params | self.task | {"value": value}])

    def _add(self, rows: list[dict[str, Any]]) -> None:
        self.campaign.add_measurements(
            pd.DataFrame(rows), numerical_measurements_must_be_within_tolerance=False
        )


if __name__ == "__main__":
    serve(Baybe())
