"""BoTorch's MF-MES or MF-KG with its multi-fidelity process, as its tutorials put them together.

The last coordinate is the fidelity, 1 the target. Costs are affine in it, as here. The first design
is Sobol over all coordinates, as many points as for one fidelity (`with_botorch`); the tutorial
draws it at random. What it recommends is the highest mean at the target.
"""

from __future__ import annotations

from typing import Any

import botorch
import torch
from botorch.acquisition import PosteriorMean
from botorch.acquisition.cost_aware import InverseCostWeightedUtility
from botorch.acquisition.fixed_feature import FixedFeatureAcquisitionFunction
from botorch.acquisition.knowledge_gradient import qMultiFidelityKnowledgeGradient
from botorch.acquisition.max_value_entropy_search import qMultiFidelityMaxValueEntropy
from botorch.acquisition.utils import project_to_target_fidelity
from botorch.fit import fit_gpytorch_mll
from botorch.models import SingleTaskMultiFidelityGP
from botorch.models.cost import AffineFidelityCostModel
from botorch.models.transforms import Standardize
from botorch.optim import optimize_acqf, optimize_acqf_mixed
from gpytorch.mlls import ExactMarginalLogLikelihood
from link import serve

torch.set_default_dtype(torch.float64)
SEARCH: dict[str, Any] = {
    "q": 1,
    "num_restarts": 5,
    "raw_samples": 128,
    "options": {"batch_limit": 5, "maxiter": 200},
}


class Botorch:
    def start(
        self, d: int, levels: bool, cheap: float, seed: int, method: str = "mf-mes"
    ) -> dict[str, str]:
        """d numbers of [0, 1] and a fidelity; with `levels` that is 0 or 1."""
        self.method = method
        torch.manual_seed(seed)
        self.d, self.levels, self.cheap = d, levels, cheap
        self.initial = min(max(5, 2 * d), 10)
        self.sobol = torch.quasirandom.SobolEngine(d + 1, scramble=True, seed=seed)
        self.bounds = torch.stack([torch.zeros(d + 1), torch.ones(d + 1)])
        self.X: list[list[float]] = []
        self.y: list[float] = []
        return {"version": botorch.__version__, "torch": torch.__version__}

    def ask(self) -> list[float]:
        if len(self.y) < self.initial:
            u = self.sobol.draw(1, dtype=torch.float64)[0].tolist()
            return [*u[:-1], float(round(u[-1]))] if self.levels else u
        model, d = self.model(), self.d
        cost = AffineFidelityCostModel({d: 1.0 - self.cheap}, fixed_cost=self.cheap)
        acquisition = (
            self.gradient(model, cost) if self.method == "mf-kg" else self.mes(model, cost)
        )
        if self.levels:
            found, _ = optimize_acqf_mixed(
                acquisition, self.bounds, fixed_features_list=[{d: 0.0}, {d: 1.0}], **SEARCH
            )
        else:
            found, _ = optimize_acqf(acquisition, self.bounds, **SEARCH)
        return [float(v) for v in found[0].tolist()]

    def mes(self, model: SingleTaskMultiFidelityGP, cost: AffineFidelityCostModel) -> Any:
        return qMultiFidelityMaxValueEntropy(
            model,
            candidate_set=torch.rand(1000, self.d + 1),
            num_fantasies=16,
            cost_aware_utility=InverseCostWeightedUtility(cost_model=cost),
            project=self.project,
        )

    def gradient(self, model: SingleTaskMultiFidelityGP, cost: AffineFidelityCostModel) -> Any:
        """With 8 fantasies; the tutorial has 128, which takes minutes for a suggestion."""
        _, value = self.best_mean(model)
        return qMultiFidelityKnowledgeGradient(
            model,
            num_fantasies=8,
            current_value=value,
            cost_aware_utility=InverseCostWeightedUtility(cost_model=cost),
            project=self.project,
        )

    def project(self, X: torch.Tensor) -> torch.Tensor:
        return project_to_target_fidelity(X=X, target_fidelities={self.d: 1.0}, d=self.d + 1)

    def tell(self, u: list[float], value: float) -> None:
        self.X.append(u)
        self.y.append(value)

    def recommend(self) -> list[float]:
        """The numbers with the highest mean at the target."""
        found, _ = self.best_mean(self.model())
        return [float(v) for v in found[0].tolist()]

    def best_mean(self, model: SingleTaskMultiFidelityGP) -> tuple[torch.Tensor, torch.Tensor]:
        mean = FixedFeatureAcquisitionFunction(
            PosteriorMean(model), d=self.d + 1, columns=[self.d], values=[1.0]
        )
        return optimize_acqf(mean, self.bounds[:, :-1], q=1, num_restarts=10, raw_samples=512)

    def model(self) -> SingleTaskMultiFidelityGP:
        model = SingleTaskMultiFidelityGP(
            torch.tensor(self.X),
            torch.tensor(self.y).unsqueeze(-1),
            data_fidelities=[self.d],
            outcome_transform=Standardize(m=1),
        )
        fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model))
        return model


if __name__ == "__main__":
    serve(Botorch())
