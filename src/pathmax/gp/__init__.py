"""Gaussian processes: kernels, posteriors, hyper-parameters, and sample paths.

model = gp.GaussianProcess(gp.RBF(lengthscale=0.2), noise=1e-6).condition(X, y)
mean, std = model.predict(points)
path = gp.draw_path(model, rng)         # a function: path(points), path.gradient(points)
"""

from typing import TYPE_CHECKING

from pathmax.lazy_names import on_first_use

if TYPE_CHECKING:
    from pathmax.gp.exact_paths import ExactPath, ExactPaths
    from pathmax.gp.fitting import fit
    from pathmax.gp.grid_posterior import GridPosterior
    from pathmax.gp.kernels.base import Kernel
    from pathmax.gp.kernels.categorical import Categorical
    from pathmax.gp.kernels.linear import Linear
    from pathmax.gp.kernels.products import Product
    from pathmax.gp.kernels.registry import from_json, register
    from pathmax.gp.kernels.stationary import RBF, Matern12, Matern32, Matern52, Stationary
    from pathmax.gp.kernels.sums import Sum
    from pathmax.gp.paths import Path, Paths, draw_path, draw_paths
    from pathmax.gp.predictions import Joint, Prediction, Slopes
    from pathmax.gp.prior_mean import Bowl
    from pathmax.gp.priors import LogNormal, Priors, default_priors
    from pathmax.gp.process import GaussianProcess

__all__ = [
    "RBF",
    "Bowl",
    "Categorical",
    "ExactPath",
    "ExactPaths",
    "GaussianProcess",
    "GridPosterior",
    "Joint",
    "Kernel",
    "Linear",
    "LogNormal",
    "Matern12",
    "Matern32",
    "Matern52",
    "Path",
    "Paths",
    "Prediction",
    "Priors",
    "Product",
    "Slopes",
    "Stationary",
    "Sum",
    "default_priors",
    "draw_path",
    "draw_paths",
    "fit",
    "from_json",
    "register",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = on_first_use(
        __name__,
        {
            "exact_paths": "ExactPath ExactPaths",
            "fitting": "fit",
            "grid_posterior": "GridPosterior",
            "kernels.base": "Kernel",
            "kernels.categorical": "Categorical",
            "kernels.linear": "Linear",
            "kernels.products": "Product",
            "kernels.registry": "from_json register",
            "kernels.stationary": "RBF Matern12 Matern32 Matern52 Stationary",
            "kernels.sums": "Sum",
            "paths": "Path Paths draw_path draw_paths",
            "predictions": "Joint Prediction Slopes",
            "prior_mean": "Bowl",
            "priors": "LogNormal Priors default_priors",
            "process": "GaussianProcess",
        },
    )
