"""Values on their way in and out of the model: flipped and standardised once, here.

What people tell is in their units, and larger may be worse. Below the study larger is better and
values have mean 0 and standard deviation 1, and as normal a shape as a power gives them:

    y = (T((sign * value - shift) / scale) - centre) / unit      T: `yeo_johnson`

The power divides the regret after 60 trials by 1.6 on average (benchmarks/surrogate.md); whether it
is used, the model decides where there is one objective (`suggestion.surrogate`). Rank copulas,
half-rank and log-gap warps were worse than none. A study with a fixed model (`refit_every=None`)
takes values as they are but for the sign, so that its kernel and noise are in the user's units.

Where bad values are 100 to 1e5 times the good ones, shift and scale are those of the bad ones, and
the good ones lie too close for a power to draw them apart: a front among them looks like a point.
`standardise_by_better` takes shift and scale of the better half instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pathmax.arrays import Array
from pathmax.trials import bilog, yeo_johnson

EXPLODING_POWER = 2.0  # takes logarithms of bad values; beyond it even these spread too far
EXPLODING = 20.0  # times as far as the better half all values spread (benchmarks/choices.md)
ABSURD = 1e12  # the same: a bad value then stands for "failed", and is not to be seen as a number
LARGEST_NUMBER = float(np.finfo(float).max)
SMALLEST_NUMBER = float(np.finfo(float).tiny)


@dataclass(frozen=True, slots=True)
class ValueTransform:
    """The way in (`inward`) and the way out (`outward`) for the values of one study."""

    sign: float
    shift: float = 0.0
    scale: float = 1.0
    power: float = 1.0
    worst: float = 0.0  # the least (sign * value - shift) / scale seen
    centre: float = 0.0
    unit: float = 1.0
    about_bound: bool = False  # bent by `bilog` about a bound, which is the shift, and not by power
    by_better: bool = False  # shift and scale are those of the better half

    def inward(self, values: ArrayLike) -> Array:  # (n,) user units -> (n,) larger is better
        with np.errstate(over="ignore"):  # far off the scale of the last fit: it is made anew
            y = (self._bent(self._relative(values)) - self.centre) / self.unit
        return np.clip(y, -1e150, 1e150)

    def outward(self, y: ArrayLike) -> Array:  # (n,) -> (n,) user units
        with np.errstate(over="ignore"):
            bent = np.asarray(y, dtype=float) * self.unit + self.centre
            values = self.sign * (self._unbent(bent) * self.scale + self.shift)
        return np.clip(values, -LARGEST_NUMBER, LARGEST_NUMBER)

    def straighten(self, y: ArrayLike) -> Array:  # (n,) -> (n,)
        """y as it would be without the bend: larger is better, in the user's units but for scale.

        The same bits where there is none.
        """
        with np.errstate(over="ignore"):
            z = self._unbent(np.asarray(y, dtype=float) * self.unit + self.centre)
        return np.clip(z, -1e150, 1e150)

    def bend(self, straight: ArrayLike) -> Array:  # (n,) -> (n,)
        """The y that `straighten` makes this of."""
        with np.errstate(over="ignore"):
            y = (self._bent(np.asarray(straight, dtype=float)) - self.centre) / self.unit
        return np.clip(y, -1e150, 1e150)

    def spread(self, mean: ArrayLike, std: ArrayLike) -> Array:  # both in y -> user units
        """The standard deviation as half the way from one below the mean to one above it."""
        mean, std = np.asarray(mean, dtype=float), np.asarray(std, dtype=float)
        with np.errstate(over="ignore"):
            if not self.is_bent:
                return np.minimum(std * self.unit * self.scale, LARGEST_NUMBER, dtype=float)
            above, below = self.outward(mean + std), self.outward(mean - std)
            return np.abs(0.5 * above - 0.5 * below)

    def convert(self, other: ValueTransform, mean: Array, std: Array) -> tuple[Array, Array]:
        """Mean and std of another transform's y, as those of this one's."""
        if other == self:
            return mean, std
        middle, above, below = (
            self.inward(other.outward(y)) for y in (mean, mean + std, mean - std)
        )
        return middle, np.abs(0.5 * above - 0.5 * below)

    def variance_inward(self, noise: ArrayLike, values: ArrayLike) -> Array:
        """Variances of y from those of `values`, which are in user units (squared)."""
        noise = np.asarray(noise, dtype=float)
        if np.isnan(noise).all():
            return noise
        with np.errstate(over="ignore", under="ignore"):
            stretch = max(self.scale * self.unit, SMALLEST_NUMBER)
            relative: Array = np.sqrt(noise) / stretch
            if self.is_bent:
                relative = np.minimum(relative, 1e150) * self._slope(values)
            return np.minimum(relative**2, 1e150, dtype=float)

    def log_slope(self, values: ArrayLike) -> float:  # (n,)
        """The sum of the logarithms of dy/dvalue: what a density of y lacks as one of values."""
        n, stretch = np.size(values), np.log(self.scale) + np.log(self.unit)
        bent = float(np.log(self._slope(values)).sum()) if self.is_bent else 0.0
        return bent - n * float(stretch)

    def _relative(self, values: ArrayLike) -> Array:
        flipped = self.sign * np.asarray(values, dtype=float)
        with np.errstate(over="ignore"):
            relative = (0.5 * flipped - 0.5 * self.shift) / (
                0.5 * self.scale
            )  # halves: no overflow
        return np.clip(relative, -1e150, 1e150)

    @property
    def is_bent(self) -> bool:
        """Whether it is more than a shift and a scale."""
        return self.about_bound or self.power != 1.0

    @property
    def straight(self) -> ValueTransform:
        """The same without the bend by a power: what `standardise` gives without a warp."""
        return ValueTransform(self.sign, self.shift, self.scale)

    @property
    def shape(self) -> str:
        """What kind of transform it is, whatever its numbers."""
        if self.about_bound:
            return "about a bound"
        if self.by_better:
            return "by the better half"
        return "bent" if self.is_bent else "straight"

    def _slope(self, values: ArrayLike) -> Array:
        if self.about_bound:
            return bilog.squash_slope(self._relative(values))
        return yeo_johnson.slope(self._relative(values), self.power, self.worst)

    def _bent(self, relative: Array) -> Array:
        if self.about_bound:
            return bilog.squash(relative)
        return relative if self.power == 1.0 else yeo_johnson.bend(relative, self.power, self.worst)

    def _unbent(self, bent: Array) -> Array:
        if self.about_bound:
            return bilog.unsquash(bent)
        return bent if self.power == 1.0 else yeo_johnson.unbend(bent, self.power, self.worst)

    def to_json(self) -> dict[str, float]:
        marks = [name for name in MARKS if getattr(self, name)]
        return {name: getattr(self, name) for name in (*STORED_NUMBERS, *marks)}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> ValueTransform:
        about_bound, by_better = (bool(stored.get(name, False)) for name in MARKS)
        numbers = {name: float(v) for name, v in stored.items() if name not in MARKS}
        return cls(**numbers, about_bound=about_bound, by_better=by_better)


MARKS = ("about_bound", "by_better")  # stored where they are true
STORED_NUMBERS = tuple(one.name for one in fields(ValueTransform) if one.name not in MARKS)


def standardise(
    sign: float, values: ArrayLike, *, warp: bool = True
) -> ValueTransform:  # (n,) user units
    """The transform to mean 0, standard deviation 1 and, when warped, a normal shape.

    Works from 1e-300 to 1e300: everything is computed relative to the largest. Values that are all
    equal keep the size of that value as their unit, so nothing is divided by zero.
    """
    flipped = sign * np.asarray(values, dtype=float)
    largest = max(float(np.abs(flipped).max(initial=0.0)), SMALLEST_NUMBER)
    relative = flipped / largest
    shift = float(relative.mean()) * largest if relative.size else 0.0
    if constant(values):
        return ValueTransform(sign, shift, largest if largest > SMALLEST_NUMBER else 1.0)
    plain = ValueTransform(sign, shift, max(float(relative.std()) * largest, SMALLEST_NUMBER))
    return _bent_to_normal(plain, values) if warp else plain


def standardise_by_better(usual: ValueTransform, values: ArrayLike) -> ValueTransform:
    """The transform in the unit of the better half, or the `usual` one where no values explode.

    They do where that bends them much and all of them spread far wider than the better half.
    """
    if usual.power <= EXPLODING_POWER:
        return usual
    flipped = np.sort(usual.sign * np.asarray(values, dtype=float))
    better = usual.sign * flipped[len(flipped) // 2 :]
    half = standardise(usual.sign, better, warp=False)
    if constant(better) or not EXPLODING < usual.scale / half.scale < ABSURD:
        return usual
    return _bent_to_normal(replace(half, by_better=True), values)


def _bent_to_normal(plain: ValueTransform, values: ArrayLike) -> ValueTransform:
    """The same shift and scale, and the power under which values are most normal."""
    z = plain.inward(values)
    power = yeo_johnson.most_normal(z)
    if power == 1.0:
        return plain
    worst = float(z.min())
    bent = yeo_johnson.bend(z, power, worst)
    centre, unit = float(bent.mean()), float(bent.std())
    if not unit > 0.0:  # bent until nothing is left of the differences
        return plain
    return replace(plain, power=power, worst=worst, centre=centre, unit=unit)


def standardise_about(sign: float, values: ArrayLike, bound: float) -> ValueTransform:
    """The transform of an outcome that only has to stay on one side of a bound: `bilog`.

    What counts is how it behaves about the bound, while its values may range over many orders of
    magnitude on either side, and a cliff on one side be flat on the other.
    """
    unit = bilog.unit_about(np.asarray(values, dtype=float), bound)
    if constant(values) or unit is None:
        return standardise(sign, values)
    plain = ValueTransform(sign, sign * bound, max(unit, SMALLEST_NUMBER), about_bound=True)
    bent = plain.inward(values)
    spread = float(bent.std())
    if not spread > 0.0:  # seen from the bound they are all equally far
        return standardise(sign, values)
    return replace(plain, centre=float(bent.mean()), unit=spread)


def constant(values: ArrayLike) -> bool:
    """Whether the values are equal up to rounding."""
    values = np.asarray(values, dtype=float)
    if not values.size:
        return True
    largest = max(float(np.abs(values).max()), SMALLEST_NUMBER)
    return float(np.ptp(values / largest)) <= 8 * float(np.finfo(float).eps)
