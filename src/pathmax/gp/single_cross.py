"""k(x, X) in single precision, for those who only have to see where something is high.

Distances are computed in double precision, since a root amplifies their error next to the data;
what is made of them, roots and exponentials, takes a quarter of the time in single precision.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pathmax.arrays import Array
from pathmax.gp.kernels.base import Kernel
from pathmax.gp.kernels.products import Product
from pathmax.gp.kernels.stationary import Anchor, Stationary
from pathmax.gp.prior_draw import Single


def single_cross(kernel: Kernel, X: Array) -> Callable[[Array], Single]:  # (m, d) -> (m, n)
    """x -> k(x, X), right to about 1e-6 of the output scale."""
    if isinstance(kernel, Product):
        factors = [single_cross(factor, X) for factor in kernel.factors]

        def product(U: Array) -> Single:
            values = factors[0](U)
            for factor in factors[1:]:
                values *= factor(U)
            values *= np.float32(kernel.outputscale)
            return values

        return product
    if isinstance(kernel, Stationary) and kernel.smooth:
        anchor = Anchor(kernel, X)

        def of_distance(U: Array) -> Single:
            s = anchor.squared_distances(kernel.select(U) - anchor.centre)
            value = kernel.profile(np.minimum(s, 1e30).astype(np.float32))[0]
            value *= np.float32(kernel.outputscale)
            return np.asarray(value, dtype=np.float32)

        return of_distance
    return lambda U: np.array(kernel(U, X), dtype=np.float32)
