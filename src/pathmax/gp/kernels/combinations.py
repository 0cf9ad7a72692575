"""Products and sums of kernels, each on its own coordinates.

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
from dataclasses import dataclass, replace
from functools import partial, reduce
from operator import mul
from typing import final

import numpy as np

from pathmax.arrays import Array
from pathmax.errors import ModelError
from pathmax.gp.features import AnyFeatures, EmbeddedFeatures, Features, FeatureSum
from pathmax.gp.kernels.base import JSON, Kernel, Link, positive
from pathmax.gp.kernels.stationary import RBF


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
    def has_features(self) -> bool:
        """Whether all parts have random features."""
        return all(part.has_features for part in self.parts)

    def no_features(self) -> ModelError:
        """What the first part that has none says."""
        return next(part.no_features() for part in self.parts if not part.has_features)


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
        outputscale = gathered * float(positive("outputscale", self.outputscale))
        object.__setattr__(self, "outputscale", float(positive("outputscale", outputscale)))

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
        drawn = [plain(factor.draw_features(rng, n_features, d)) for factor in self.factors]
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


@final
@dataclass(frozen=True, eq=False)
class Sum(Combination):
    """The sum of kernels, each on its own coordinates; also written `k1 + k2`.

    k = outputscale * (terms[0] + terms[1] + ...), where the first term has output scale 1.
    """

    terms: tuple[Kernel, ...]
    outputscale: float = 1.0

    def __post_init__(self) -> None:
        check_parts(self)
        flat: list[Kernel] = []
        for term in self.terms:
            inside = term.terms if isinstance(term, Sum) else (term,)
            flat.extend(scaled(one, term.outputscale) if one is not term else one for one in inside)
        first = flat[0].outputscale
        object.__setattr__(self, "terms", tuple(scaled(term, 1.0 / first) for term in flat))
        outputscale = first * float(positive("outputscale", self.outputscale))
        object.__setattr__(self, "outputscale", float(positive("outputscale", outputscale)))

    @property
    def parts(self) -> tuple[Kernel, ...]:
        """The terms."""
        return self.terms

    def kept(self, i: int) -> int:
        """All, but for the output scale of the first."""
        return len(self.terms[i].theta) - (i == 0)

    def named(self, i: int) -> str:
        """Its number; `Priors` tells the terms of a sum from the factors of a product by it."""
        return f"term{i}"

    def join(self, links: list[Link]) -> Link:
        """The sum of the links."""
        return SumLink(self, links)

    def diagonal(self, X: Array) -> Array:
        return self.total([term.diagonal(X) for term in self.terms])

    def diagonal_gradient(self, X: Array) -> Array:
        return self.total([term.diagonal_gradient(X) for term in self.terms])

    def input_gradient(self, X: Array, Z: Array) -> Array:
        return self.total([term.input_gradient(X, Z) for term in self.terms])

    def total(self, parts: list[Array]) -> Array:
        """The sum of something of each term, times the output scale."""
        return np.asarray(self.outputscale * np.sum(parts, axis=0))

    def parameter_gradient(self, X: Array, Z: Array | None = None) -> Array:
        kept = self.own(self.outputscale * term.parameter_gradient(X, Z) for term in self.terms)
        return np.concatenate([*kept, self(X, Z)[None]])

    @property
    def n_terms(self) -> int:
        """How many terms it has."""
        return sum(term.n_terms for term in self.terms)

    def draw_features(self, rng: np.random.Generator, n_features: int, d: int) -> AnyFeatures:
        drawn = [plain(term.draw_features(rng, n_features, d)) for term in self.terms]
        return FeatureSum(tuple(part for one in drawn for part in one.parts)).scaled(
            self.outputscale
        )

    def to_json(self) -> JSON:
        terms = [term.to_json() for term in self.terms]
        return {"kernel": "Sum", "terms": terms, "outputscale": self.outputscale}


class SumLink(Link):
    def __init__(self, kernel: Sum, links: list[Link]) -> None:
        self.kernel, self.links = kernel, links
        self.value = kernel.total([link.value for link in links])

    def pull(self, W: Array) -> Array:
        return self.kernel.total([link.pull(W) for link in self.links])

    def pull_parameters(self, W: Array) -> Array:
        W = self.kernel.outputscale * W
        kept = self.kernel.own(link.pull_parameters(W) for link in self.links)
        whole = np.vdot(W, self.value) / self.kernel.outputscale
        return np.concatenate([*kept, [whole]])


def plain(features: AnyFeatures) -> Features | FeatureSum:
    """The features of a part, which can be multiplied and added."""
    if isinstance(features, EmbeddedFeatures):
        raise ModelError(
            "an embedded kernel is no part of a product or a sum; embed the product or the sum"
        )
    return features


def scaled(kernel: Kernel, factor: float) -> Kernel:
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
