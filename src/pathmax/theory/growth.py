"""How fast the maximum information gain grows, as the paper's Section 2 quotes it.

The rate of the linear kernel is from Srinivas et al. (2010), whom the paper cites for the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from pathmax import arguments
from pathmax.arrays import Array
from pathmax.errors import ModelError

if TYPE_CHECKING:
    from pathmax.gp import Kernel


@dataclass(frozen=True, slots=True)
class Growth:
    """gamma_T grows no faster than T^power (log T)^log_power, up to a constant."""

    power: float
    log_power: float

    def __call__(self, horizon: ArrayLike) -> Array:
        """The rate at some horizons, without its constant."""
        T = arguments.counts("horizon", horizon, least=2)
        return np.asarray(T**self.power * np.log(T) ** self.log_power)


def information_growth(kernel: Kernel, dimension: int) -> Growth:
    """How gamma_T grows for a kernel in d dimensions.

    O(d log T) for the linear kernel, O((log T)^(d+1)) for RBF, and
    O(T^(d/(2 nu + d)) (log T)^(2 nu/(2 nu + d))) for Matern with nu > 1/2 (Srinivas et al., 2010;
    Vakili et al., 2021).
    """
    d = arguments.count("dimension", dimension, least=1)
    kind = type(kernel).__name__
    if kind == "Linear":
        return Growth(0.0, 1.0)
    if kind == "RBF":
        return Growth(0.0, d + 1.0)
    smoothness = {"Matern32": 1.5, "Matern52": 2.5}.get(kind)
    if smoothness is None:
        raise ModelError(
            f"the growth of gamma_T is stated for Linear, RBF, Matern32 and Matern52, got {kind}"
        )
    share = 2.0 * smoothness + d
    return Growth(d / share, 2.0 * smoothness / share)
