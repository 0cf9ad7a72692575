"""Expected hypervolume improvement of independent outcomes, as a logarithm.

The hypervolume that a point y adds is a sum over the boxes [l, u) of the undominated region,
product over k of (min(y_k, u_k) - l_k)+, so with psi_k(a) = E (y_k - a)+

    EHVI = sum over boxes of  prod_k (psi_k(l_k) - psi_k(u_k))

for any number of objectives that has boxes, 2 to 5 (Yang et al., 2019; Daulton et al., 2020). Boxes
share their sides: psi is computed once for each value that a side takes. All in logarithms, so that
hopeless points still have a slope towards better ones.

A normal y has psi(a) = std (phi(z) + z Phi(z)). Where a model bends values, volumes are those of
the user's units (`objective_units`): there the value v(y) of a normal y has, with v a straight line
of slope w_i between knots s_i and s_i+1, the sides and KNOTS more among them,

    psi(v(s_j)) = E (v(y) - v(s_j))+ = sum over i >= j of  w_i (psi_y(s_i) - psi_y(s_i+1))

which is exact where nothing is bent.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from pathmax.acquisition import normal
from pathmax.acquisition.hypervolume import Boxes, undominated_boxes
from pathmax.acquisition.joint import JointRule
from pathmax.acquisition.objective_units import AS_MODELLED, ObjectiveUnits
from pathmax.arrays import Array, Index
from pathmax.trials.value_transform import ValueTransform

BOX_CELLS = 1 << 18  # points times boxes at a time
KNOTS = 16  # between which bent values are on straight lines, besides the sides of boxes
TINY = np.finfo(float).tiny


@final
class ExpectedHypervolume(JointRule):
    """log EHVI over the front of some points (n, k), measured from a reference (k,).

    With `units` the volume is that of the user's; values above `top` (k,), by default the best of
    the points, go on there as straight lines.
    """

    def __init__(
        self,
        front: ArrayLike,
        reference: ArrayLike,
        *,
        units: ObjectiveUnits = AS_MODELLED,
        top: Array | None = None,
    ) -> None:
        self.boxes: Boxes = undominated_boxes(front, reference)
        self.units = units
        self.top = np.max(np.asarray(front, dtype=float), axis=0) if top is None else top

    @cached_property
    def sides(self) -> list[BoxSides]:
        """For each objective the values of sides, and which of them bound each box."""
        found = []
        for k, (low, high) in enumerate(zip(self.boxes.lower.T, self.boxes.upper.T, strict=True)):
            transform = self.units.bent(k)
            values, weights = knots(np.concatenate([low, high]), transform, float(self.top[k]))
            places = np.searchsorted(values, low), np.searchsorted(values, high)
            found.append(BoxSides(values, weights, *places))
        return found

    def __call__(self, mean: Array, std: Array) -> Array:
        return self._rows(mean, std, slopes=False)[0]

    def partials(self, mean: Array, std: Array) -> tuple[Array, Array, Array]:
        return self._rows(mean, std, slopes=True)

    def _rows(self, mean: Array, std: Array, *, slopes: bool) -> tuple[Array, Array, Array]:
        value, by_mean, by_std = np.empty(len(mean)), np.zeros_like(mean), np.zeros_like(std)
        step = max(1, BOX_CELLS // len(self.boxes))
        for start in range(0, len(mean), step):
            rows = slice(start, start + step)
            block = self._block(mean[rows], std[rows], slopes)
            value[rows], by_mean[rows], by_std[rows] = block
        return value, by_mean, by_std

    def _block(self, mean: Array, std: Array, slopes: bool) -> tuple[Array, Array, Array]:
        m, k = mean.shape
        total = np.zeros((m, len(self.boxes)))
        found = []
        for i, side in enumerate(self.sides):
            log_psi, *by = side.excess(mean[:, i, None], std[:, i, None], slopes)
            # log(psi(l) - psi(u)) and its derivatives, share = psi(u) / psi(l)
            share = np.exp(log_psi[:, side.high] - log_psi[:, side.low])
            rest = np.maximum(1.0 - share, TINY)
            total += log_psi[:, side.low] + np.log(rest)
            if slopes:
                found.append([(one[:, side.low] - share * one[:, side.high]) / rest for one in by])
        top = total.max(axis=1)
        weights = np.exp(total - top[:, None])
        mass = weights.sum(axis=1)
        weights /= mass[:, None]
        partial = np.zeros((2, m, k))
        for i, both in enumerate(found):
            for j, slope in enumerate(both):
                partial[j, :, i] = np.einsum("mb,mb->m", weights, slope)
        return top + np.log(mass), partial[0], partial[1]


@final
@dataclass(frozen=True, eq=False)
class BoxSides:
    """The values (v,) that sides take in one objective, the last infinite, and what is between.

    log_widths   (v - 1,) log w_i of the user's units between two of them; None where it is 0
    low, high    (B,) which values bound each box
    """

    values: Array
    log_widths: Array | None
    low: Index
    high: Index

    def excess(self, mean: Array, std: Array, slopes: bool) -> tuple[Array, Array, Array]:
        """log E (v(y) - v(s))+ of every value s, and its derivatives in mean and std: (m, v)."""
        log_psi, by_mean, by_std = log_excess(mean, std, self.values)
        if self.log_widths is None:
            return log_psi, by_mean, by_std
        share = np.exp(log_psi[:, 1:] - log_psi[:, :-1])
        rest = np.maximum(1.0 - share, TINY)
        parts = self.log_widths + log_psi[:, :-1] + np.log(rest)
        from_here = np.logaddexp.accumulate(parts[:, ::-1], axis=1)[:, ::-1]
        value = np.concatenate([from_here, np.full((len(mean), 1), -np.inf)], axis=1)
        if not slopes:
            return value, by_mean, by_std
        beyond = np.exp(value[:, 1:] - from_here).T  # (v - 1, m), the share of the later parts
        both = np.stack([by_mean.T, by_std.T], axis=1)  # (v, 2, m)
        own = (both[:-1] - share.T[:, None] * both[1:]) / rest.T[:, None]
        own *= (1.0 - beyond)[:, None]
        summed = np.zeros_like(both)
        for j in reversed(range(len(own))):
            summed[j] = own[j] + beyond[j] * summed[j + 1]
        return value, summed[:, 0].T, summed[:, 1].T


def knots(
    ends: Array, transform: ValueTransform | None, top: float
) -> tuple[Array, Array | None]:  # (2 B,) -> (v,), (v - 1,)
    """The values that ends of boxes take, ascending, with more among them where v is bent."""
    if transform is None:
        return np.unique(ends), None
    finite = ends[np.isfinite(ends)]
    low, high = float(finite.min()), max(top, float(finite.max()))
    even = np.linspace(low, high, KNOTS)
    values = np.unique(np.concatenate([finite, even]))
    if len(values) == 1:
        return np.append(values, np.inf), None
    slopes = np.diff(transform.straighten(values)) / np.diff(values)
    beyond = np.diff(transform.straighten(even[-2:])) / (even[-1] - even[-2])
    widths = np.concatenate([slopes, beyond])
    return np.append(values, np.inf), np.log(np.maximum(widths, TINY))


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
