"""TuRBO (Eriksson et al., 2019) as BoTorch's tutorial puts it together, twenty points at a time.

A box about the best point, as long in each coordinate as its length scale says; Thompson samples
in it choose the batch. It doubles after three batches that improve, halves after max(4, d) points
that do not, and where it has become too small the search begins anew with a design of its own, of
2 d points. Where evaluations are few, smaller batches and designs may be asked for.

With several `regions` (TuRBO-m, which its authors take where there are many evaluations) each has a
box, results and a model of its own, and a batch goes where the samples of all of them are highest.
A model is learnt anew when its region has new results. With `steps` it begins where the one before
ended and takes at most so many, since a thousand results make every step long.
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
Told = list[tuple[list[float], float]]


class TrustRegion:
    """A box, what was measured in it, and the model of that."""

    def __init__(self, d: int, seed: int, steps: int | None) -> None:
        self.d, self.seed, self.steps = d, seed, steps
        self.length, self.good, self.bad = FIRST, 0, 0
        self.X, self.y = torch.empty(0, d), torch.empty(0)
        self.model: SingleTaskGP | None = None
        self.learnt: dict[str, torch.Tensor] = {}  # the parameters of the last model

    def design(self, n: int) -> list[list[float]]:
        sobol = torch.quasirandom.SobolEngine(self.d, scramble=True, seed=self.seed)
        points: list[list[float]] = sobol.draw(n, dtype=torch.float64).tolist()
        return points

    def take_in(self, told: Told) -> None:
        """Results of a batch, those in this region."""
        X, y = (torch.tensor(part) for part in zip(*told, strict=True))
        if len(self.y):
            best = self.y.max().item()
            better = y.max().item() > best + 1e-3 * abs(best)
            self.good, self.bad = (self.good + 1, 0) if better else (0, self.bad + len(y))
            if self.good == 3:
                self.length, self.good = min(2.0 * self.length, MOST), 0
            elif self.bad >= max(4, self.d):
                self.length, self.bad = self.length / 2.0, 0
        self.X, self.y = torch.cat([self.X, X]), torch.cat([self.y, y])
        self.model = None

    def learn(self) -> SingleTaskGP:
        if self.model is None:
            y = ((self.y - self.y.mean()) / self.y.std()).unsqueeze(-1)
            kernel = ScaleKernel(
                MaternKernel(
                    nu=2.5, ard_num_dims=self.d, lengthscale_constraint=Interval(0.005, 4.0)
                )
            )
            noise = GaussianLikelihood(noise_constraint=Interval(1e-8, 1e-3))
            self.model = SingleTaskGP(self.X, y, covar_module=kernel, likelihood=noise)
            self.model.load_state_dict(self.model.state_dict() | self.learnt)
            fit_gpytorch_mll(
                ExactMarginalLogLikelihood(self.model.likelihood, self.model),
                optimizer_kwargs={"options": {"maxiter": self.steps}} if self.steps else None,
            )
            if self.steps:
                named = self.model.named_parameters()
                self.learnt = {name: value.detach().clone() for name, value in named}
        return self.model

    def candidates(self) -> torch.Tensor:  # (count, d)
        d, centre = self.d, self.X[self.y.argmax()]
        scales = self.learn().covar_module.base_kernel.lengthscale.squeeze().detach()
        weights = scales / scales.mean()
        weights = weights / weights.log().mean().exp()
        low = (centre - weights * self.length / 2.0).clamp(0.0, 1.0)
        high = (centre + weights * self.length / 2.0).clamp(0.0, 1.0)
        count = min(5000, max(2000, 200 * d))
        sobol = torch.quasirandom.SobolEngine(d, scramble=True, seed=self.seed + 1 + len(self.y))
        moved = low + (high - low) * sobol.draw(count, dtype=torch.float64)
        mask = torch.rand(count, d) <= min(20.0 / d, 1.0)
        still = torch.where(mask.sum(dim=1) == 0)[0]
        mask[still, torch.randint(0, d, (len(still),))] = True
        return torch.where(mask, moved, centre.expand(count, d))

    def samples(self, candidates: torch.Tensor, n: int) -> torch.Tensor:  # -> (n, count)
        """Values of n samples in the units of the objective."""
        drawn = self.learn().posterior(candidates).rsample(torch.Size([n])).squeeze(-1)
        return drawn * self.y.std() + self.y.mean()


class Turbo:
    def start(
        self,
        space: list[dict[str, Any]],
        seed: int,
        method: str = "",
        batch: int = BATCH,
        first: int | None = None,
        regions: int = 1,
        steps: int | None = None,
    ) -> dict[str, str]:
        torch.manual_seed(seed)
        self.space, self.seed = space, seed
        self.size, self.first, self.steps = batch, first or 2 * len(space), steps
        self.queue: list[tuple[int, list[float]]] = []  # region, point
        self.asked: list[int] = []  # regions of the points that were asked for
        self.told: Told = []
        self.regions = [self.begin(i) for i in range(regions)]
        self.waiting = len(self.queue)
        return {"version": botorch.__version__}

    def begin(self, i: int) -> TrustRegion:
        """A new region in the place of the i-th, its design in the queue."""
        region = TrustRegion(len(self.space), self.seed, self.steps)
        self.seed += 1
        self.queue += [(i, u) for u in region.design(self.first)]
        return region

    def ask(self) -> dict[str, Any]:
        if not self.queue:
            self.queue = self.batch()
            self.waiting = len(self.queue)
        i, u = self.queue.pop(0)
        self.asked.append(i)
        return {p["name"]: from_unit(p, v) for p, v in zip(self.space, u, strict=True)}

    def tell(self, params: dict[str, Any], value: float) -> None:
        self.told.append(([to_unit(p, params[p["name"]]) for p in self.space], -value))
        if len(self.told) < self.waiting:
            return
        for i, region in enumerate(self.regions):
            mine = [one for one, of in zip(self.told, self.asked, strict=True) if of == i]
            if mine:
                region.take_in(mine)
            if region.length < LEAST:
                self.regions[i] = self.begin(i)
        self.told, self.asked, self.waiting = [], [], len(self.queue)

    def batch(self) -> list[tuple[int, list[float]]]:
        if len(self.regions) == 1:
            region = self.regions[0]
            points = region.candidates()
            chosen = MaxPosteriorSampling(region.learn(), replacement=False)
            with torch.no_grad():
                return [(0, u) for u in chosen(points, num_samples=self.size).tolist()]
        points = torch.stack([region.candidates() for region in self.regions])
        with torch.no_grad():
            pairs = zip(self.regions, points, strict=True)
            drawn = torch.stack([region.samples(at, self.size) for region, at in pairs], dim=1)
        batch = []  # drawn: (size, regions, count)
        for k in range(self.size):
            i, j = divmod(int(drawn[k].argmax()), drawn.shape[2])
            drawn[:, i, j] = -math.inf
            batch.append((i, points[i, j].tolist()))
        return batch


if __name__ == "__main__":
    serve(Turbo())
