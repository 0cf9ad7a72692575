"""The product of kernels."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import reduce
from operator import mul
from typing import final

import numpy as np

from pathmax.arrays import Array
from pathmax.gp.borrowed_features import AnyFeatures
from pathmax.gp.inputs import positive_array
from pathmax.gp.kernels.base import JSON, Kernel, Link
from pathmax.gp.kernels.combinations import Combination, check_parts, plain_features
from pathmax.gp.kernels.stationary import RBF


@final
@dataclass(frozen=True, eq=False)
class Product(Combination):
    """The product of kernels, each on its own coordinates; also written `k1 * k2`.

    The output scales of the factors are gathered into one, so that it is learnt once.
    """

    factors: tuple[Kernel, ...]
    outputscale: float = 1.0

    def __post_init__(self) -> None:
        check_parts(self)
        flat: list[Kernel] = []
        for factor in self.factors:
            flat.extend(factor.factors if isinstance(factor, Product) else (factor,))
        gathered = math.prod(factor.outputscale for factor in self.factors)
        unit = tuple(factor.with_theta(np.append(factor.theta[:-1], 0.0)) for factor in flat)
        object.__setattr__(self, "factors", unit)
        outputscale = gathered * float(positive_array("outputscale", self.outputscale))
        object.__setattr__(self, "outputscale", float(positive_array("outputscale", outputscale)))

    @property
    def parts(self) -> tuple[Kernel, ...]:
        """The factors."""
        return self.factors

    def kept(self, i: int) -> int:
        """All but the output scale."""
        return len(self.factors[i].theta) - 1

    def named(self, i: int) -> str:
        """Its number."""
        return str(i)

    def join(self, links: list[Link]) -> ProductLink:
        """The product of the links."""
        return ProductLink(self, links)

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
        others = self.join([factor.link(X, Z) for factor in self.factors]).others()
        whole = np.zeros((len(X), len(Z), X.shape[1]))
        for other, factor in zip(others, self.factors, strict=True):
            whole += other[:, :, None] * factor.input_gradient(X, Z)
        return whole

    def parameter_gradient(self, X: Array, Z: Array | None = None) -> Array:
        link = self.join([factor.link(X, Z) for factor in self.factors])
        terms = zip(link.others(), self.factors, strict=True)
        kept = self.own(other * f.parameter_gradient(X, Z) for other, f in terms)
        return np.concatenate([*kept, link.value[None]])

    @property
    def n_terms(self) -> int:
        """How many terms it has when it is multiplied out."""
        return math.prod(factor.n_terms for factor in self.factors)

    def draw_features(self, rng: np.random.Generator, n_features: int, d: int) -> AnyFeatures:
        drawn = [plain_features(one.draw_features(rng, n_features, d)) for one in self.factors]
        return reduce(mul, drawn).scaled(self.outputscale)

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
        kept = self.kernel.own(link.pull_parameters(W * other) for link, other in terms)
        return np.concatenate([*kept, [np.vdot(W, self.value)]])
