"""BoTorch with several outcomes, as its tutorials put them together, behind the line protocol.

One objective: constrained qLogNoisyExpectedImprovement; several: qLogNoisyExpectedHypervolume-
Improvement, which is given the reference point that hypervolumes are measured from. A model for
each outcome; the first design is Sobol, as many points as for one objective (`with_botorch`).
"""

from __future__ import annotations

from typing import Any

import botorch
import torch
from botorch.acquisition.logei import qLogNoisyExpectedImprovement
from botorch.acquisition.multi_objective.logei import qLogNoisyExpectedHypervolumeImprovement
from botorch.acquisition.multi_objective.objective import IdentityMCMultiOutputObjective
from botorch.acquisition.objective import GenericMCObjective
from botorch.fit import fit_gpytorch_mll
from botorch.models import ModelListGP, SingleTaskGP
from botorch.models.transforms import Standardize
from botorch.optim import optimize_acqf
from botorch.sampling import SobolQMCNormalSampler
from gpytorch.mlls import ExactMarginalLogLikelihood, SumMarginalLogLikelihood
from link import from_unit, serve, to_unit

torch.set_default_dtype(torch.float64)


def fitted(X: torch.Tensor, Y: torch.Tensor) -> Any:
    """A model of its own for each outcome; three and more of them in one batch.

    They are the same models: with eleven constraints one fit of all takes a third of the time.
    """
    m = Y.shape[1]
    if m > 2:
        batch = SingleTaskGP(X, Y, outcome_transform=Standardize(m=m))
        fit_gpytorch_mll(ExactMarginalLogLikelihood(batch.likelihood, batch))
        return batch
    models = [SingleTaskGP(X, Y[:, [i]], outcome_transform=Standardize(m=1)) for i in range(m)]
    model = ModelListGP(*models)
    fit_gpytorch_mll(SumMarginalLogLikelihood(model.likelihood, model))
    return model


class Botorch:
    def start(
        self,
        space: list[dict[str, Any]],
        seed: int,
        objectives: list[str],
        constraints: list[str],
        reference: list[float] | None = None,
    ) -> dict[str, str]:
        torch.manual_seed(seed)
        self.space, self.objectives, self.constraints = space, objectives, constraints
        self.reference = reference
        self.initial = min(max(5, 2 * len(space)), 10)
        self.sobol = torch.quasirandom.SobolEngine(len(space), scramble=True, seed=seed)
        self.seed = seed
        self.X: list[list[float]] = []
        self.Y: list[list[float]] = []
        return {"version": botorch.__version__, "torch": torch.__version__}

    def ask(self) -> dict[str, Any]:
        if len(self.Y) < self.initial:
            return self.decode(self.sobol.draw(1, dtype=torch.float64)[0].tolist())
        X, Y = torch.tensor(self.X), torch.tensor(self.Y)
        model = fitted(X, Y)
        k = len(self.objectives)
        samples = 128 if k < 4 else 32  # the boxes of 128 fronts of four objectives take 20 s
        sampler = SobolQMCNormalSampler(sample_shape=torch.Size([samples]), seed=len(self.Y))
        bounded = [lambda Z, j=j: -Z[..., j] for j in range(k, Y.shape[1])]  # at most 0 is feasible
        if k == 1:
            acquisition: Any = qLogNoisyExpectedImprovement(
                model=model,
                X_baseline=X,
                sampler=sampler,
                objective=GenericMCObjective(lambda Z, X=None: Z[..., 0]),
                constraints=bounded or None,
                prune_baseline=True,
            )
        else:
            acquisition = qLogNoisyExpectedHypervolumeImprovement(
                model=model,
                ref_point=[-r for r in self.reference or []],
                X_baseline=X,
                sampler=sampler,
                objective=IdentityMCMultiOutputObjective(outcomes=list(range(k))),
                constraints=bounded or None,
                prune_baseline=True,
            )
        bounds = torch.stack([torch.zeros(X.shape[1]), torch.ones(X.shape[1])])
        found, _ = optimize_acqf(
            acquisition,
            bounds,
            q=1,
            num_restarts=10,
            raw_samples=512,
            # left alone, the 512 are looked at five at a time, which took half of the time
            options={"batch_limit": 10, "init_batch_limit": 512, "maxiter": 200},
            # 200 steps count as a failure, for which all would be thrown away and begun anew
            retry_on_optimization_warning=False,
        )
        return self.decode(found[0].tolist())

    def tell(self, params: dict[str, Any], outcomes: dict[str, float]) -> None:
        self.X.append([to_unit(p, params[p["name"]]) for p in self.space])
        # larger is better for BoTorch, also of what is bounded: -c >= 0
        self.Y.append([-outcomes[name] for name in (*self.objectives, *self.constraints)])

    def add(self, params: list[dict[str, Any]], outcomes: list[dict[str, float]]) -> None:
        for one, told in zip(params, outcomes, strict=True):
            self.tell(one, told)

    def decode(self, u: list[float]) -> dict[str, Any]:
        return {p["name"]: from_unit(p, v) for p, v in zip(self.space, u, strict=True)}


if __name__ == "__main__":
    serve(Botorch())
