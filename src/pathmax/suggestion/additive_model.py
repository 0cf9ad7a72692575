"""A model that expects what parameters do alone as well as what they do together.

    k = k(x) + k_1(x_1) + ... + k_d(x_d)

The kernel of suggestions has the first term only. Where results leave a function open, all that its
sample paths do is then an interaction of all parameters, so that shares of the variance
(`analysis.importances`) speak of interactions that nobody has seen. With terms for each parameter
alone, whose scales are learnt with the others and are as uncertain, they do so in no more cases
than the results ask for (benchmarks/importances.md).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pathmax import gp
from pathmax.space.axes import Axis
from pathmax.suggestion.default_kernel import default_kernel
from pathmax.suggestion.fitted_models import Surrogate
from pathmax.suggestion.problem import StudyProblem
from pathmax.suggestion.surrogate import MOST_OPEN

# Draws of the parameters: each has random features of its own to evaluate, d + 1 times as many as
# the usual kernel
ADDITIVE_DRAWN = 8
MOST_COORDINATES = 12  # beyond them there are too many scales to learn from what people have


def additive_kernel(axes: tuple[Axis, ...]) -> gp.Kernel | None:
    """The usual kernel and one of each coordinate alone; None if there is no such sum.

    Properties of categories and parameters that may be absent have a kernel of their own.
    """
    described = any(axis.properties is not None or axis.conditional for axis in axes)
    if described or not 2 <= len(axes) <= MOST_COORDINATES:
        return None
    alone: list[gp.Kernel] = [
        gp.Categorical(rho=np.array([0.5]), on=(i,))
        if axis.kind == "categorical"
        else gp.Matern52(on=(i,))
        for i, axis in enumerate(axes)
    ]
    return gp.Sum((default_kernel(axes, separable=False), *alone))


def additive_surrogates(
    problem: StudyProblem, name: str, surrogate: Surrogate, rng: np.random.Generator
) -> tuple[Surrogate, ...]:
    """Models of the same results that expect both, equally probable; none if it cannot be had.

    A study that is given a kernel, or the paper's model, keeps to that.
    """
    kernel = additive_kernel(problem.space.unheld.axes)
    observed = surrogate.observed
    if kernel is None or not problem.chooses_model or not 0 < observed.n <= MOST_OPEN:
        return ()
    modeller = replace(problem.modeller(problem.goals.named(name)), kernel=kernel, grid=None)
    straight = ADDITIVE_DRAWN // 2 if problem.goals.is_single else 0
    return modeller.plausible(modeller.surrogate(observed), ADDITIVE_DRAWN, rng, straight=straight)
