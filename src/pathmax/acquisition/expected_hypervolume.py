"""Expected hypervolume improvement of independent normals, exactly, as a logarithm.

The hypervolume that a point y adds is a sum over the boxes [l, u) of the undominated region,
product over k of (min(y_k, u_k) - l_k)+, so with psi(a) = E (y - a)+ = std (phi(z) + z Phi(z))

    EHVI = sum over boxes of  prod_k (psi_k(l_k) - psi_k(u_k))

exact for any number of objectives that has boxes, 2 to 5 (Yang et al., 2019; Daulton et al., 2020).
Boxes share their sides: psi is computed once for each value that a side takes. All in logarithms,
so that hopeless points still have a slope towards better ones.
"""

from __future__ import annotations

from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from pathmax.acquisition import normal
from pathmax.acquisition.hypervolume import Boxes, undominated_boxes
from pathmax.acquisition.joint import JointRule
from pathmax.arrays import Array, Index

BOX_CELLS = 1 << 18  # points times boxes at a time


@final
class ExpectedHypervolume(JointRule):
    """log EHVI over the front of some points (n, k), measured from a reference (k,)."""

    def __init__(self, front: ArrayLike, reference: ArrayLike) -> None:
        self.boxes: Boxes = undominated_boxes(front, reference)

    @cached_property
    def sides(self) -> list[tuple[Array, Index, Index]]:
        """For each objective the values of sides, and which of them bound each box."""
        found = []
        for low, high in zip(self.boxes.lower.T, self.boxes.upper.T, strict=True):
            values, place = np.unique(np.concatenate([low, high]), return_inverse=True)
            found.append((values, place[: len(low)], place[len(low) :]))
        return found

    def __call__(self, mean: Array, std: Array) -> Array:
        return self.partials(mean, std)[0]

    def partials(self, mean: Array, std: Array) -> tuple[Array, Array, Array]:
        value, by_mean, by_std = np.empty(len(mean)), np.empty_like(mean), np.empty_like(std)
        step = max(1, BOX_CELLS // len(self.boxes))
        for start in range(0, len(mean), step):
            rows = slice(start, start + step)
            value[rows], by_mean[rows], by_std[rows] = self._block(mean[rows], std[rows])
        return value, by_mean, by_std

    def _block(self, mean: Array, std: Array) -> tuple[Array, Array, Array]:
        m, k = mean.shape
        total = np.zeros((m, len(self.boxes)))
        slopes = []
        for i, (values, low, high) in enumerate(self.sides):
            log_psi, by_mean, by_std = log_excess(mean[:, i, None], std[:, i, None], values)
            # log(psi(l) - psi(u)) and its derivatives, share = psi(u) / psi(l)
            share = np.exp(log_psi[:, high] - log_psi[:, low])
            rest = np.maximum(1.0 - share, np.finfo(float).tiny)
            total += log_psi[:, low] + np.log(rest)
            slopes.append(
                tuple((one[:, low] - share * one[:, high]) / rest for one in (by_mean, by_std))
            )
        top = total.max(axis=1)
        weights = np.exp(total - top[:, None])
        mass = weights.sum(axis=1)
        weights /= mass[:, None]
        partial = np.empty((2, m, k))
        for i, both in enumerate(slopes):
            for j, slope in enumerate(both):
                partial[j, :, i] = np.einsum("mb,mb->m", weights, slope)
        return top + np.log(mass), partial[0], partial[1]


def log_excess(mean: Array, std: Array, level: Array) -> tuple[Array, Array, Array]:
    """log E (y - level)+ of y ~ N(mean, std^2) and its derivatives in mean and std.

    (m, 1), (m, 1), (v,) -> (m, v) each; for an infinite level minus infinity, and slopes of 0.
    """
    std = np.maximum(std, 1.0 / normal.LARGEST_DEVIATION)
    z = normal.z_score(mean - level, std)
    e = normal.excess(z)
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        value = np.where(np.isinf(level), -np.inf, np.log(std) + normal.log_cdf(z) + np.log(e))
        by_mean = np.where(
            np.isinf(level), 0.0, np.minimum(1.0 / (std * e), normal.LARGEST_DEVIATION)
        )
        by_std = np.where(np.isinf(level), 0.0, normal.hazard(z) / (std * e))
    return value, by_mean, np.minimum(by_std, normal.LARGEST_DEVIATION)
