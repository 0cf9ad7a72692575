"""BoTorch: fit + LogEI (or a pathwise Thompson sample), as its tutorials put them together.

The first design is Sobol, max(5, 2 d) points but at most 10: Ax starts with 5, the tutorials with
10. Mixed spaces use `MixedSingleTaskGP` and `optimize_acqf_mixed_alternating`. For results with
noise there is qLogNoisyExpectedImprovement, and `recommend`, the result with the best mean.
"""

from __future__ import annotations

import time
from typing import Any

import botorch
import gpytorch
import torch
from botorch.acquisition import LogExpectedImprovement
from botorch.acquisition.logei import qLogNoisyExpectedImprovement
from botorch.fit import fit_gpytorch_mll
from botorch.models import MixedSingleTaskGP, SingleTaskGP
from botorch.models.utils.gpytorch_modules import get_covar_module_with_dim_scaled_prior
from botorch.optim import optimize_acqf
from botorch.optim.optimize_mixed import optimize_acqf_mixed_alternating
from botorch.sampling.pathwise import draw_matheron_paths
from botorch.utils.sampling import optimize_posterior_samples
from gpytorch.mlls import ExactMarginalLogLikelihood
from link import from_unit, serve, to_unit
from shared_pool import known, pool

torch.set_default_dtype(torch.float64)


class Botorch:
    def start(
        self, space: list[dict[str, Any]], seed: int, method: str = "logei"
    ) -> dict[str, str]:
        torch.manual_seed(seed)
        self.space, self.method = space, method
        self.initial = min(max(5, 2 * len(space)), 10)
        self.sobol = torch.quasirandom.SobolEngine(len(space), scramble=True, seed=seed)
        self.X: list[list[float]] = []
        self.y: list[float] = []
        self.categorical = {
            j: [float(c) for c in range(len(p["choices"]))]
            for j, p in enumerate(space)
            if p["kind"] == "categorical"
        }
        self.integer = {
            j: [to_unit(p, v) for v in range(p["low"], p["high"] + 1)]
            for j, p in enumerate(space)
            if p["kind"] == "int"
        }
        return {
            "version": botorch.__version__,
            "torch": torch.__version__,
            "gpytorch": gpytorch.__version__,
        }

    def ask(self) -> dict[str, Any]:
        if len(self.y) < self.initial:
            u = self.sobol.draw(1, dtype=torch.float64)[0].tolist()
            for j, codes in self.categorical.items():
                u[j] = codes[min(int(u[j] * len(codes)), len(codes) - 1)]
            return self.decode(u)
        X, y, model = self.fitted()
        bounds = torch.stack([torch.zeros(X.shape[1]), torch.ones(X.shape[1])])
        for j, codes in self.categorical.items():
            bounds[1, j] = len(codes) - 1
        if self.method == "ts":
            paths = draw_matheron_paths(model, sample_shape=torch.Size([1]))
            best, _ = optimize_posterior_samples(paths, bounds, raw_samples=1024, num_restarts=10)
            return self.decode(best.reshape(-1).tolist())
        acquisition: Any = LogExpectedImprovement(model, best_f=y.max())
        if self.method == "qlognei":
            acquisition = qLogNoisyExpectedImprovement(model, X_baseline=X, prune_baseline=True)
        if self.categorical or self.integer:
            found, _ = optimize_acqf_mixed_alternating(
                acquisition,
                bounds,
                discrete_dims=self.integer,
                cat_dims=self.categorical,
                num_restarts=10,
                raw_samples=512,
            )
        else:
            found, _ = optimize_acqf(acquisition, bounds, q=1, num_restarts=10, raw_samples=512)
        return self.decode(found[0].tolist())

    def fitted(self) -> tuple[torch.Tensor, torch.Tensor, Any]:
        """What was told, larger is better, and a model of it."""
        X = torch.tensor(self.X)
        y = -torch.tensor(self.y).unsqueeze(-1)
        if self.categorical:
            model: Any = MixedSingleTaskGP(X, y, cat_dims=list(self.categorical))
        else:
            model = SingleTaskGP(X, y)
        # the mixed model creeps on for 10 s and more: 200 steps end within 0.05 nats of that
        steps = {"options": {"maxiter": 200}} if self.categorical else {}
        likelihood = ExactMarginalLogLikelihood(model.likelihood, model)
        fit_gpytorch_mll(likelihood, optimizer_kwargs=steps)
        return X, y, model

    def recommend(self) -> dict[str, Any]:
        X, _, model = self.fitted()
        with torch.no_grad():
            return self.decode(X[model.posterior(X).mean.argmax()].tolist())

    def tell(self, params: dict[str, Any], value: float) -> None:
        self.add([params], [value])

    def add(self, params: list[dict[str, Any]], values: list[float]) -> None:
        for one, value in zip(params, values, strict=True):
            self.X.append(
                [
                    float(p["choices"].index(one[p["name"]]))
                    if p["kind"] == "categorical"
                    else to_unit(p, one[p["name"]])
                    for p in self.space
                ]
            )
            self.y.append(value)

    def decode(self, u: list[float]) -> dict[str, Any]:
        return {
            p["name"]: p["choices"][round(v)] if p["kind"] == "categorical" else from_unit(p, v)
            for p, v in zip(self.space, u, strict=True)
        }

    def pool_start(self, rows: int, d: int, n: int) -> dict[str, str]:
        tried, values = known(rows, d, n)
        self.pool = torch.tensor(pool(rows, d))
        self.known = self.pool[tried], torch.tensor(values).unsqueeze(-1)
        return {"version": botorch.__version__}

    def pool_ask(self) -> int:
        """Fit, then LogEI of every row, 2,000 at a time: all at once would not fit in memory."""
        model = SingleTaskGP(*self.known)
        fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model))
        acquisition = LogExpectedImprovement(model, best_f=self.known[1].max())
        with torch.no_grad():
            parts = [acquisition(rows.unsqueeze(1)) for rows in self.pool.split(2000)]
            return int(torch.cat(parts).argmax())

    def table_start(
        self, rows: list[list[float]], seed: int, method: str = "logei"
    ) -> dict[str, str]:
        """Rows to choose from, as numbers of [0, 1]; the first five are drawn."""
        torch.manual_seed(seed)
        table = torch.tensor(rows)
        low, high = table.min(dim=0).values, table.max(dim=0).values
        self.pool = (table - low) / (high - low).clamp_min(1e-300)
        self.first = torch.randperm(len(rows))[:5].tolist()
        self.tried: list[int] = []
        self.y = []
        return {"version": botorch.__version__}

    def table_ask(self) -> int:
        if len(self.tried) < len(self.first):
            return int(self.first[len(self.tried)])
        y = -torch.tensor(self.y).unsqueeze(-1)
        model = SingleTaskGP(self.pool[self.tried], y)
        fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model))
        acquisition = LogExpectedImprovement(model, best_f=y.max())
        with torch.no_grad():
            values = torch.cat([acquisition(r.unsqueeze(1)) for r in self.pool.split(2000)])
        values[self.tried] = -torch.inf
        return int(values.argmax())

    def table_tell(self, row: int, value: float) -> None:
        self.tried.append(row)
        self.y.append(value)

    def time_parts(
        self,
        X: list[list[float]],
        y: list[float],
        at: list[list[float]],
        repeats: int,
    ) -> dict[str, float]:
        """Median processor time of fit, condition on one point, predict and paths at `at`.

        With the kernel of pathmax's part, Matern-5/2, and the priors of BoTorch's defaults.
        """
        inputs, targets, points = torch.tensor(X), torch.tensor(y).unsqueeze(-1), torch.tensor(at)
        model: Any = None

        def fit() -> None:
            nonlocal model
            kernel = get_covar_module_with_dim_scaled_prior(len(X[0]), use_rbf_kernel=False)
            model = SingleTaskGP(inputs, targets, covar_module=kernel)
            fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model))
            model.eval()

        def predict(which: Any = None) -> Any:
            with torch.no_grad():
                posterior = (which or model).posterior(points)
                return posterior.mean, posterior.variance

        def condition() -> Any:
            with torch.no_grad():
                more = model.condition_on_observations(points[:1], targets[:1])
                return more.posterior(points[:1]).mean

        def path() -> Any:
            with torch.no_grad():
                return draw_matheron_paths(model, sample_shape=torch.Size([1]))

        def seconds(work: Any, times: int = repeats) -> float:
            took = []
            for _ in range(times):
                started = time.process_time()
                work()
                took.append(time.process_time() - started)
            return sorted(took)[len(took) // 2]

        fit()  # the first in a process takes twice as long
        result = {"fit": seconds(fit)}
        predict()
        result["condition"] = seconds(condition)
        result["predict"] = seconds(predict)
        result["path"] = seconds(path)
        drawn = path()

        def values() -> Any:
            with torch.no_grad():
                return drawn(points)

        result["path values"] = seconds(values)
        return result


if __name__ == "__main__":
    serve(Botorch())
