"""Gaussian processes: kernels, posteriors, hyper-parameters, and sample paths.

model = gp.GaussianProcess(gp.RBF(lengthscale=0.2), noise=1e-6).condition(X, y)
mean, std = model.predict(points)
path = gp.draw_path(model, rng)         # a function: path(points), path.gradient(points)
"""

from pathmax.gp.bowl import Bowl
from pathmax.gp.categorical import Categorical
from pathmax.gp.fit import fit
from pathmax.gp.grids import GridPosterior
from pathmax.gp.kernel import Kernel
from pathmax.gp.kernels import RBF, Matern12, Matern32, Matern52
from pathmax.gp.linear import Linear
from pathmax.gp.paths import ExactPath, ExactPaths, Path, Paths, draw_path, draw_paths
from pathmax.gp.predictions import Joint, Prediction, Slopes
from pathmax.gp.priors import LogNormal, Priors, default_priors
from pathmax.gp.process import GaussianProcess
from pathmax.gp.products import Product, from_json

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
    "default_priors",
    "draw_path",
    "draw_paths",
    "fit",
    "from_json",
]
