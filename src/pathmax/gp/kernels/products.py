"""Products of kernels over subsets of the coordinates, and kernels from what was stored.

A mixed space has one product: a Matern kernel on its numbers times a Hamming kernel on its
categories. Sample paths follow from `draw_features`, which multiplies the features of the factors.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, final

import numpy as np

from pathmax.arrays import Array
from pathmax.errors import ModelError
from pathmax.gp.features import AnyFeatures
from pathmax.gp.kernels.base import JSON, Kernel, Link, positive
from pathmax.gp.kernels.categorical import Categorical
from pathmax.gp.kernels.linear import Linear
from pathmax.gp.kernels.stationary import RBF, Matern12, Matern32, Matern52


@final
@dataclass(frozen=True, eq=False)
class Product(Kernel):
    """The product of kernels, each on its own coordinates; also written `k1 * k2`.

    The output scales of the factors are gathered into one, so that it is learnt once.
    """

    factors: tuple[Kernel, ...]
    outputscale: float = 1.0

    def __post_init__(self) -> None:
        if not self.factors:
            raise ModelError("Product needs at least one kernel, got none")
        flat: list[Kernel] = []
        for factor in self.factors:
            flat.extend(factor.factors if isinstance(factor, Product) else (factor,))
        gathered = math.prod(factor.outputscale for factor in self.factors)
        unit = tuple(factor.with_theta(np.append(factor.theta[:-1], 0.0)) for factor in flat)
        object.__setattr__(self, "factors", unit)
        outputscale = gathered * float(positive("outputscale", self.outputscale))
        object.__setattr__(self, "outputscale", float(positive("outputscale", outputscale)))

    @property
    def on(self) -> tuple[int, ...] | None:  # type: ignore[override]
        """The coordinates that any factor looks at; None for all."""
        if any(factor.on is None for factor in self.factors):
            return None
        return tuple(sorted({i for factor in self.factors for i in factor.on or ()}))

    def link(self, X: Array, Z: Array | None = None) -> Link:
        return self._links(X, Z)

    def _links(self, X: Array, Z: Array | None) -> ProductLink:
        return ProductLink(self, [factor.link(X, Z) for factor in self.factors])

    def anchored(self, Z: Array) -> Callable[[Array], Link]:
        return partial(self._anchored, [factor.anchored(Z) for factor in self.factors])

    def _anchored(self, anchors: list[Callable[[Array], Link]], X: Array) -> Link:
        return ProductLink(self, [anchor(X) for anchor in anchors])

    def diagonal(self, X: Array) -> Array:
        diagonals = [factor.diagonal(X) for factor in self.factors]
        return np.asarray(self.outputscale * np.prod(diagonals, axis=0))

    def diagonal_gradient(self, X: Array) -> Array:
        diagonals = np.stack([factor.diagonal(X) for factor in self.factors])
        whole = np.zeros_like(X)
        for i, factor in enumerate(self.factors):
            others = self.outputscale * np.prod(np.delete(diagonals, i, axis=0), axis=0)
            whole += others[:, None] * factor.diagonal_gradient(X)
        return whole

    def input_gradient(self, X: Array, Z: Array) -> Array:
        others = self._links(X, Z).others()
        terms = zip(others, self.factors, strict=True)
        whole = np.zeros((len(X), len(Z), X.shape[1]))
        for other, factor in terms:
            whole += other[:, :, None] * factor.input_gradient(X, Z)
        return whole

    def parameter_gradient(self, X: Array, Z: Array | None = None) -> Array:
        link = self._links(X, Z)
        terms = zip(link.others(), self.factors, strict=True)
        gradients = [other * f.parameter_gradient(X, Z)[:-1] for other, f in terms]
        return np.concatenate([*gradients, link.value[None]])

    @property
    def theta(self) -> Array:
        return np.concatenate([*(f.theta[:-1] for f in self.factors), [math.log(self.outputscale)]])

    def with_theta(self, theta: Array) -> Kernel:
        factors, start = [], 0
        for factor in self.factors:
            stop = start + len(factor.theta) - 1
            factors.append(factor.with_theta(np.append(theta[start:stop], 0.0)))
            start = stop
        return Product(tuple(factors), math.exp(theta[-1]))

    @property
    def parameter_names(self) -> tuple[str, ...]:
        names = [
            f"{i}.{name}" for i, f in enumerate(self.factors) for name in f.parameter_names[:-1]
        ]
        return (*names, "outputscale")

    def draw_features(self, rng: np.random.Generator, n_features: int, d: int) -> AnyFeatures:
        features = self.factors[0].draw_features(rng, n_features, d)
        for factor in self.factors[1:]:
            features = features * factor.draw_features(rng, n_features, d)
        return features.scaled(self.outputscale)

    def axis_kernels(self, d: int) -> list[Kernel] | None:
        columns: list[list[Kernel]] = [[] for _ in range(d)]
        for factor in self.factors:
            axes = factor.axis_kernels(d)
            if axes is None:
                return None
            for i, axis in enumerate(axes):
                if factor.on is None or i in factor.on:
                    columns[i].append(axis)
        unseen = RBF(lengthscale=1e150)
        return [c[0] if len(c) == 1 else Product(tuple(c)) if c else unseen for c in columns]

    def to_json(self) -> JSON:
        factors = [factor.to_json() for factor in self.factors]
        return {"kernel": "Product", "factors": factors, "outputscale": self.outputscale}


class ProductLink(Link):
    def __init__(self, kernel: Product, links: list[Link]) -> None:
        self.kernel, self.links = kernel, links
        self.value = kernel.outputscale * self.links[0].value
        for link in self.links[1:]:
            self.value *= link.value

    def others(self) -> list[Array]:
        """For each factor the product of all the others, output scale included."""
        products = []
        for i in range(len(self.links)):
            product = np.full(self.value.shape, self.kernel.outputscale)
            for j, link in enumerate(self.links):
                if j != i:
                    product *= link.value
            products.append(product)
        return products

    def pull(self, W: Array) -> Array:
        terms = zip(self.links, self.others(), strict=True)
        return np.asarray(np.sum([link.pull(W * other) for link, other in terms], axis=0))

    def pull_parameters(self, W: Array) -> Array:
        terms = zip(self.links, self.others(), strict=True)
        parts = [link.pull_parameters(W * other)[:-1] for link, other in terms]
        return np.concatenate([*parts, [np.vdot(W, self.value)]])


SIMPLE = (RBF, Matern12, Matern32, Matern52, Linear, Categorical)
KINDS: dict[str, type[Kernel]] = {kind.__name__: kind for kind in SIMPLE}


def from_json(stored: dict[str, Any]) -> Kernel:
    """The kernel that `to_json` wrote."""
    try:
        fields = dict(stored)
        name = fields.pop("kernel")
        if name == "Product":
            factors = tuple(from_json(factor) for factor in fields["factors"])
            return Product(factors, float(fields["outputscale"]))
        on = fields.pop("on", None)
        return KINDS[name](**fields, on=None if on is None else tuple(on))  # type: ignore[call-arg]
    except (KeyError, TypeError, ValueError) as mistake:
        known = ", ".join([*KINDS, "Product"])
        raise ModelError(
            f"a stored kernel must be one of {known} with its parameters; got {stored!r}"
        ) from mistake
