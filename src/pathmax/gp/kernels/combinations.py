"""What products and sums of kernels, each on its own coordinates, have in common.

A mixed space has a product: a Matern kernel on its numbers times a Hamming kernel on its
categories. A sum is a function that is made of several: a trend and what varies about it. Sample
paths follow from `draw_features`, which multiplies the features of factors and puts those of terms
side by side.

The output scale of a combination is one parameter of its own. Factors have none then; of a sum the
first term has none, and those of the others are relative to it.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from pathmax.arrays import Array
from pathmax.errors import ModelError
from pathmax.gp.borrowed_features import AnyFeatures
from pathmax.gp.features import Features, FeatureSum
from pathmax.gp.kernels.base import Kernel, Link


class Combination(Kernel):
    """What products and sums have in common: parameters are those of the parts, one by one."""

    @property
    @abstractmethod
    def parts(self) -> tuple[Kernel, ...]:
        """The kernels that it is made of."""

    @abstractmethod
    def kept(self, i: int) -> int:
        """How many entries of part i's theta are parameters of the whole."""

    @abstractmethod
    def join(self, links: list[Link]) -> Link:
        """The link of the whole from those of the parts."""

    @abstractmethod
    def named(self, i: int) -> str:
        """What part i is called in the names of parameters."""

    @property
    def on(self) -> tuple[int, ...] | None:  # type: ignore[override]
        """The coordinates that any part looks at; None for all."""
        if any(part.on is None for part in self.parts):
            return None
        return tuple(sorted({i for part in self.parts for i in part.on or ()}))

    def value(self, X: Array, Z: Array) -> Array:
        return self.link(X, Z).value

    def length_scales(self, d: int) -> Array:
        return np.asarray(np.min([part.length_scales(d) for part in self.parts], axis=0))

    def link(self, X: Array, Z: Array | None = None) -> Link:
        return self.join([part.link(X, Z) for part in self.parts])

    def anchored(self, Z: Array) -> Callable[[Array], Link]:
        return partial(self._anchored, [part.anchored(Z) for part in self.parts])

    def _anchored(self, anchors: list[Callable[[Array], Link]], X: Array) -> Link:
        return self.join([anchor(X) for anchor in anchors])

    def own(self, whole: Iterator[Array]) -> list[Array]:
        """Of something per entry of each part's theta, what belongs to the whole."""
        return [entries[: self.kept(i)] for i, entries in enumerate(whole)]

    @property
    def theta(self) -> Array:
        kept = self.own(part.theta for part in self.parts)
        return np.concatenate([*kept, [math.log(self.outputscale)]])

    def with_theta(self, theta: Array) -> Kernel:
        parts, start = [], 0
        for i, part in enumerate(self.parts):
            stop = start + self.kept(i)
            left_out = [0.0] * (len(part.theta) - self.kept(i))
            parts.append(part.with_theta(np.append(theta[start:stop], left_out)))
            start = stop
        return type(self)(tuple(parts), math.exp(theta[-1]))  # type: ignore[call-arg]

    @property
    def parameter_names(self) -> tuple[str, ...]:
        names = [
            f"{self.named(i)}.{name}"
            for i, part in enumerate(self.parts)
            for name in part.parameter_names[: self.kept(i)]
        ]
        return (*names, "outputscale")

    @property
    def exact_up_to(self) -> int:  # type: ignore[override]
        """As the part that asks for most."""
        return max(part.exact_up_to for part in self.parts)

    @property
    def has_features(self) -> bool:
        """Whether all parts have random features."""
        return all(part.has_features for part in self.parts)

    def no_features(self) -> ModelError:
        """What the first part that has none says."""
        return next(part.no_features() for part in self.parts if not part.has_features)


def plain_features(features: AnyFeatures) -> Features | FeatureSum:
    """The features of a part, which can be multiplied and added."""
    if not isinstance(features, Features | FeatureSum):
        raise ModelError(
            "an embedded kernel is no part of a product or a sum; embed the product or the sum"
        )
    return features


def times(kernel: Kernel, factor: float) -> Kernel:
    """The kernel times a factor, its other parameters untouched to the last bit."""
    if factor == 1.0:
        return kernel
    return replace(kernel, outputscale=kernel.outputscale * factor)  # type: ignore[type-var]


def check_parts(kernel: Combination) -> None:
    """Refuse a combination of nothing, or of something that is not a kernel."""
    name = type(kernel).__name__
    if not kernel.parts:
        raise ModelError(f"{name} needs at least one kernel, got none")
    for part in kernel.parts:
        if not isinstance(part, Kernel):
            raise ModelError(f"{name} is made of kernels such as gp.RBF(), got {part!r}")
