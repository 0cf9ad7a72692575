"""k(x, X) in single precision, which is enough to see where something is high.

Squared distances are one matrix product, of (x, |x|^2, 1) with (-2 z, 1, |z|^2). Their error is of
the size of single rounding times |x|^2, and that of a smooth kernel no larger: where its root
amplifies it, the kernel is flat. For length scales so short that |x|^2 is large they are computed
in double precision.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pathmax.arrays import Array, Single
from pathmax.gp.kernels.base import Kernel
from pathmax.gp.kernels.products import Product
from pathmax.gp.kernels.stationary import Anchor, Stationary

FAR = 100.0  # squared length scales from the middle of the data: beyond, double precision


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
        distances = squared_distances_to(kernel, X)

        def of_distance(U: Array) -> Single:
            value = np.asarray(kernel.correlation(distances(U)), dtype=np.float32)
            value *= np.float32(kernel.outputscale)
            return value

        return of_distance
    return lambda U: np.array(kernel(U, X), dtype=np.float32)


def squared_distances_to(
    kernel: Stationary, X: Array
) -> Callable[[Array], Any]:  # (m, d) -> (m, n)
    """x -> |x - X|^2 in units of length scales, in single precision."""
    anchor = Anchor(kernel, X)
    z, squares = anchor.z, (anchor.z * anchor.z).sum(axis=1)

    def computed_in_double(U: Array) -> Any:
        s = anchor.squared_distances(kernel.select(U) - anchor.centre)
        return np.minimum(s, 1e30).astype(np.float32)

    if squares.max(initial=0.0) > FAR:
        return computed_in_double
    known = np.column_stack([-2.0 * z, np.ones(len(z)), squares])
    columns = np.ascontiguousarray(known.T, dtype=np.float32)

    def computed_in_single(U: Array) -> Any:
        x = kernel.select(U) - anchor.centre
        wanted = np.ones((len(x), x.shape[1] + 2), dtype=np.float32)
        wanted[:, :-2] = x
        np.einsum("ik,ik->i", wanted[:, :-2], wanted[:, :-2], out=wanted[:, -2])
        s = wanted @ columns
        return np.maximum(s, np.float32(0.0), out=s)

    return computed_in_single
