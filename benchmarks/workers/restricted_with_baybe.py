"""BayBE with linear restrictions on continuous parameters behind the line protocol.

Its defaults: one random point, then its Gaussian process and its own acquisition function.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

import numpy as np
import pandas as pd
import torch
from baybe import Campaign
from baybe.constraints import ContinuousLinearConstraint
from baybe.parameters import NumericalContinuousParameter
from baybe.searchspace import SearchSpace
from baybe.targets import NumericalTarget
from link import serve


class Baybe:
    def start(self, problem: dict[str, Any], seed: int) -> dict[str, str]:
        torch.manual_seed(seed)
        np.random.seed(seed)
        parameters = [
            NumericalContinuousParameter(p["name"], (p["low"], p["high"])) for p in problem["space"]
        ]
        constraints = [
            ContinuousLinearConstraint(
                parameters=list(one["of"]),
                operator="=" if one["is"] == "equal" else "<=",
                coefficients=list(one["of"].values()),
                rhs=one["bound"],
            )
            for one in problem["linear"]
        ]
        searched = SearchSpace.from_product(parameters, constraints)
        target = NumericalTarget(name="loss", minimize=True)
        self.campaign = Campaign(searched, target.to_objective())
        self.worst = 0.0
        return {"version": version("baybe")}

    def ask(self) -> dict[str, Any]:
        self.row = self.campaign.recommend(batch_size=1)
        return {name: float(value) for name, value in self.row.iloc[0].items()}

    def tell(self, params: dict[str, Any], value: float | None, broken: float) -> None:
        """What breaks a restriction was not measured: it is told as the worst so far."""
        if value is not None:
            self.worst = max(self.worst, value)
        told = pd.DataFrame([params | {"loss": self.worst if value is None else value}])
        self.campaign.add_measurements(told, numerical_measurements_must_be_within_tolerance=False)


if __name__ == "__main__":
    serve(Baybe())
