"""TuRBO-1 (Eriksson et al., 2019) as BoTorch's tutorial puts it together, twenty points at a time.

A box about the best point, as long in each coordinate as its length scale says; Thompson samples
in it choose the batch. It doubles after three batches that improve, halves after max(4, d) / batch
that do not, and where it has become too small the search begins anew with a design of its own, of
2 d points. Where evaluations are few, smaller batches and designs may be asked for.
"""

from __future__ import annotations

import math
from typing import Any

import botorch
import torch
from botorch.fit import fit_gpytorch_mll
from botorch.generation import MaxPosteriorSampling
from botorch.models import SingleTaskGP
from gpytorch.constraints import Interval
from gpytorch.kernels import MaternKernel, ScaleKernel
from gpytorch.likelihoods import GaussianLikelihood
from gpytorch.mlls import ExactMarginalLogLikelihood
from link import from_unit, serve, to_unit

torch.set_default_dtype(torch.float64)
BATCH = 20
FIRST, LEAST, MOST = 0.8, 0.5**7, 1.6  # lengths of the box


class Turbo:
    def start(
        self,
        space: list[dict[str, Any]],
        seed: int,
        method: str = "",
        batch: int = BATCH,
        first: int | None = None,
    ) -> dict[str, str]:
        torch.manual_seed(seed)
        self.space, self.seed = space, seed
        self.size, self.first = batch, first or 2 * len(space)
        self.begin()
        return {"version": botorch.__version__}

    def begin(self) -> None:
        """A new box, with points of its own."""
        d = len(self.space)
        self.length, self.good, self.bad = FIRST, 0, 0
        self.X, self.y = torch.empty(0, d), torch.empty(0)
        sobol = torch.quasirandom.SobolEngine(d, scramble=True, seed=self.seed)
        self.seed += 1
        self.queue = sobol.draw(self.first, dtype=torch.float64).tolist()
        self.told: list[tuple[list[float], float]] = []
        self.asked = len(self.queue)

    def ask(self) -> dict[str, Any]:
        if not self.queue:
            self.queue = self.batch().tolist()
            self.asked = len(self.queue)
        u = self.queue.pop(0)
        return {p["name"]: from_unit(p, v) for p, v in zip(self.space, u, strict=True)}

    def tell(self, params: dict[str, Any], value: float) -> None:
        self.told.append(([to_unit(p, params[p["name"]]) for p in self.space], -value))
        if len(self.told) == self.asked:
            self.take_in()

    def take_in(self) -> None:
        X, y = (torch.tensor(part) for part in zip(*self.told, strict=True))
        self.told = []
        if len(self.y):
            best = self.y.max().item()
            better = y.max().item() > best + 1e-3 * abs(best)
            self.good, self.bad = (self.good + 1, 0) if better else (0, self.bad + 1)
            patience = math.ceil(max(4.0, len(self.space)) / self.size)
            if self.good == 3:
                self.length, self.good = min(2.0 * self.length, MOST), 0
            elif self.bad == max(patience, 1):
                self.length, self.bad = self.length / 2.0, 0
        self.X, self.y = torch.cat([self.X, X]), torch.cat([self.y, y])
        if self.length < LEAST:
            self.begin()

    def batch(self) -> torch.Tensor:
        d = len(self.space)
        y = ((self.y - self.y.mean()) / self.y.std()).unsqueeze(-1)
        kernel = ScaleKernel(
            MaternKernel(nu=2.5, ard_num_dims=d, lengthscale_constraint=Interval(0.005, 4.0))
        )
        noise = GaussianLikelihood(noise_constraint=Interval(1e-8, 1e-3))
        model = SingleTaskGP(self.X, y, covar_module=kernel, likelihood=noise)
        fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model))
        centre = self.X[self.y.argmax()]
        scales = kernel.base_kernel.lengthscale.squeeze().detach()
        weights = scales / scales.mean()
        weights = weights / weights.log().mean().exp()
        low = (centre - weights * self.length / 2.0).clamp(0.0, 1.0)
        high = (centre + weights * self.length / 2.0).clamp(0.0, 1.0)
        count = min(5000, max(2000, 200 * d))
        sobol = torch.quasirandom.SobolEngine(d, scramble=True, seed=self.seed + len(self.y))
        moved = low + (high - low) * sobol.draw(count, dtype=torch.float64)
        mask = torch.rand(count, d) <= min(20.0 / d, 1.0)
        still = torch.where(mask.sum(dim=1) == 0)[0]
        mask[still, torch.randint(0, d, (len(still),))] = True
        candidates = torch.where(mask, moved, centre.expand(count, d))
        with torch.no_grad():
            return MaxPosteriorSampling(model, replacement=False)(candidates, num_samples=self.size)


if __name__ == "__main__":
    serve(Turbo())
