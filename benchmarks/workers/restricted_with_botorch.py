"""BoTorch with linear restrictions behind the line protocol: LogEI, as in `with_botorch`.

The first design is drawn from the polytope, as its documentation advises.
"""

from __future__ import annotations

from typing import Any

import botorch
import torch
from botorch.acquisition import LogExpectedImprovement
from botorch.fit import fit_gpytorch_mll
from botorch.models import SingleTaskGP
from botorch.optim import optimize_acqf
from botorch.utils.sampling import get_polytope_samples
from gpytorch.mlls import ExactMarginalLogLikelihood
from link import from_unit, serve, to_unit

torch.set_default_dtype(torch.float64)
Restriction = tuple[torch.Tensor, torch.Tensor, float]


class Botorch:
    def start(self, problem: dict[str, Any], seed: int) -> dict[str, str]:
        torch.manual_seed(seed)
        self.space = problem["space"]
        d = len(problem["space"])
        self.bounds = torch.stack([torch.zeros(d), torch.ones(d)])
        restrictions = [(one["is"], self.restriction(one)) for one in problem["linear"]]
        self.equal = [one for how, one in restrictions if how == "equal"] or None
        self.above = [one for how, one in restrictions if how != "equal"] or None
        self.initial = min(max(5, 2 * d), 10)
        self.first = get_polytope_samples(
            self.initial,
            self.bounds,
            inequality_constraints=self.above,
            equality_constraints=self.equal,
            seed=seed,
        )
        self.X: list[list[float]] = []
        self.y: list[float] = []
        return {"version": botorch.__version__, "torch": torch.__version__}

    def restriction(self, one: dict[str, Any]) -> Restriction:
        """In units of the cube; BoTorch's inequalities are lower bounds."""
        names = [p["name"] for p in self.space]
        sign = 1.0 if one["is"] == "equal" else -1.0
        indices, factors, bound = [], [], float(one["bound"])
        for name, factor in one["of"].items():
            j = names.index(name)
            low, high = self.space[j]["low"], self.space[j]["high"]
            indices.append(j)
            factors.append(sign * factor * (high - low))
            bound -= factor * low
        return torch.tensor(indices), torch.tensor(factors), sign * bound

    def ask(self) -> dict[str, Any]:
        if len(self.y) < self.initial:
            return self.decode(self.first[len(self.y)].tolist())
        X, y = torch.tensor(self.X), -torch.tensor(self.y).unsqueeze(-1)
        model = SingleTaskGP(X, y)
        fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model))
        found, _ = optimize_acqf(
            LogExpectedImprovement(model, best_f=y.max()),
            self.bounds,
            q=1,
            num_restarts=10,
            raw_samples=512,
            inequality_constraints=self.above,
            equality_constraints=self.equal,
            options={"n_burnin": 1000, "n_thinning": 4},  # its own 10000 and 32 take seconds
        )
        return self.decode(found[0].tolist())

    def tell(self, params: dict[str, Any], value: float | None, broken: float) -> None:
        """What breaks a restriction was not measured: it is told as the worst so far."""
        self.X.append([to_unit(p, params[p["name"]]) for p in self.space])
        self.y.append(value if value is not None else max(self.y, default=0.0))

    def decode(self, u: list[float]) -> dict[str, Any]:
        return {p["name"]: from_unit(p, v) for p, v in zip(self.space, u, strict=True)}


if __name__ == "__main__":
    serve(Botorch())
