"""BoTorch's default model, for the comparison of what is reported: `SingleTaskGP` as it comes."""

from __future__ import annotations

import botorch
import torch
from botorch.fit import fit_gpytorch_mll
from botorch.models import SingleTaskGP
from gpytorch.mlls import ExactMarginalLogLikelihood
from link import serve

torch.set_default_dtype(torch.float64)


class Posterior:
    def predict(
        self, X: list[list[float]], y: list[float], at: list[list[float]], seed: int
    ) -> dict[str, list[float]]:
        """Mean and std of f, without noise, at some points of the unit cube."""
        torch.manual_seed(seed)
        model = SingleTaskGP(torch.tensor(X), torch.tensor(y)[:, None])
        fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model))
        points = torch.tensor(at)
        with torch.no_grad():
            found = model.posterior(points)
        return {
            "mean": found.mean[:, 0].tolist(),
            "std": found.variance[:, 0].clamp_min(0.0).sqrt().tolist(),
        }

    def version(self) -> str:
        return str(botorch.__version__)


if __name__ == "__main__":
    serve(Posterior())
