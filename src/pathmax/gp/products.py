"""Kernels beyond distance: linear, categorical, and products over subsets of the coordinates.

A mixed space has one product: a Matern kernel on its numbers times a Hamming kernel on its
categories. Sample paths follow from `draw_features`, which multiplies the features of the factors.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from pathmax.errors import ModelError
from pathmax.gp import kernels
from pathmax.gp.features import Features, Signs
from pathmax.gp.kernels import JSON, Kernel, Link, Scaled, positive
from pathmax.gp.linalg import Array


@final
@dataclass(frozen=True, eq=False)
class Linear(Scaled):
    """k(x, z) = outputscale * sum_k x_k z_k / lengthscale_k^2: lines through the origin."""

    varies = True

    def link(self, X: Array, Z: Array | None = None) -> Link:
        return LinearLink(self, X, Z)

    def diagonal(self, X: Array) -> Array:
        x = self.select(X)
        return np.asarray(self.outputscale * np.einsum("ik,ik->i", x, x))

    def input_gradient(self, X: Array, Z: Array) -> Array:
        z = np.broadcast_to(self.select(Z), (len(X), *self.select(Z).shape))
        return self.spread(self.outputscale * z, X.shape[1])

    def parameter_gradient(self, X: Array, Z: Array | None = None) -> Array:
        x, z = self.select(X), self.select(X if Z is None else Z)
        by_scale = -2.0 * self.outputscale * np.einsum("ik,jk->kij", x, z)
        if not self.scales.ndim:
            by_scale = by_scale.sum(axis=0, keepdims=True)
        return np.concatenate([by_scale, self.link(X, Z).value[None]])

    def draw_features(self, rng: np.random.Generator, n_features: int, d: int) -> Features:
        scales = self.per_axis(d)
        slopes = np.zeros((n_features, d))
        basis = rng.standard_normal((n_features, len(scales)))
        if n_features >= len(scales):
            # orthogonal columns: alone the features give x'z / l^2 exactly, in a product on average
            basis = math.sqrt(n_features) * np.linalg.qr(basis)[0]
        slopes[:, list(scales)] = basis / np.array(list(scales.values()))
        return Features(np.zeros((n_features, d)), self.outputscale, slopes=(slopes,))

    def axis_kernels(self, d: int) -> list[Kernel] | None:
        return None  # a sum over coordinates, not a product


class LinearLink(Link):
    def __init__(self, kernel: Linear, X: Array, Z: Array | None) -> None:
        self.kernel, self.dimension = kernel, X.shape[1]
        self.x = kernel.select(X)
        self.z = self.x if Z is None else kernel.select(Z)
        self.value = kernel.outputscale * (self.x @ self.z.T)

    def pull(self, W: Array) -> Array:
        W = np.broadcast_to(W, self.value.shape)
        return self.kernel.spread(self.kernel.outputscale * (W @ self.z), self.dimension)

    def pull_parameters(self, W: Array) -> Array:
        by_scale = -2.0 * self.kernel.outputscale * np.einsum("ik,ik->k", self.x, W @ self.z)
        if not self.kernel.scales.ndim:
            by_scale = by_scale.sum(keepdims=True)
        return np.append(by_scale, np.vdot(W, self.value))


@final
@dataclass(frozen=True, eq=False)
class Categorical(Kernel):
    """The Hamming kernel: prod_j [rho_j + (1 - rho_j) 1{x_j = z_j}] over category codes.

    rho_j in (0, 1) is how much two different categories of coordinate j have in common. Fitting
    works on log l_j with rho_j = exp(-1 / l_j), so that l_j is a length scale like any other.
    """

    rho: float | Sequence[float] | Array = 0.5
    outputscale: float = 1.0
    on: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        rho = positive("rho", self.rho)
        if (rho >= 1.0).any():
            raise ModelError(f"rho must lie between 0 and 1, got {self.rho!r}")
        object.__setattr__(self, "rho", float(rho) if rho.ndim == 0 else rho)
        object.__setattr__(self, "outputscale", float(positive("outputscale", self.outputscale)))
        if self.on is not None:
            object.__setattr__(self, "on", tuple(int(i) for i in self.on))

    @property
    def rhos(self) -> Array:
        return np.asarray(self.rho, dtype=float)

    def coordinates(self, d: int) -> list[int]:
        coordinates = list(range(d)) if self.on is None else list(self.on)
        if self.rhos.ndim and self.rhos.size != len(coordinates):
            raise ModelError(
                f"Categorical has {self.rhos.size} values of rho but looks at {len(coordinates)} "
                "coordinates; give one per coordinate, or a single one"
            )
        return coordinates

    def agreements(self, X: Array, Z: Array | None) -> np.ndarray:  # -> (c, n, m) bool
        columns = self.coordinates(X.shape[1])
        x, z = X[:, columns].T, (X if Z is None else Z)[:, columns].T
        return np.asarray(x[:, :, None] == z[:, None, :])

    def link(self, X: Array, Z: Array | None = None) -> Link:
        return CategoricalLink(self, X, Z)

    def diagonal(self, X: Array) -> Array:
        return np.full(len(X), self.outputscale)

    def input_gradient(self, X: Array, Z: Array) -> Array:
        return np.zeros((len(X), len(Z), X.shape[1]))

    def parameter_gradient(self, X: Array, Z: Array | None = None) -> Array:
        link = CategoricalLink(self, X, Z)
        slope = -np.log(self.rhos)  # d log rho / d log l = 1 / l = -log rho
        by_rho = np.broadcast_to(slope, len(link.agree))[:, None, None] * ~link.agree * link.value
        if not self.rhos.ndim:
            by_rho = by_rho.sum(axis=0, keepdims=True)
        return np.concatenate([by_rho, link.value[None]])

    @property
    def theta(self) -> Array:
        return np.append(
            np.log(-1.0 / np.log(np.atleast_1d(self.rhos))), math.log(self.outputscale)
        )

    def with_theta(self, theta: Array) -> Kernel:
        rho = np.clip(np.exp(-np.exp(-theta[:-1])), 1e-12, 1.0 - 1e-12)
        outputscale = math.exp(theta[-1])
        return replace(self, rho=rho if self.rhos.ndim else float(rho[0]), outputscale=outputscale)

    @property
    def parameter_names(self) -> tuple[str, ...]:
        if not self.rhos.ndim:
            return ("rho", "outputscale")
        coordinates = self.on if self.on is not None else range(self.rhos.size)
        return (*(f"rho[{i}]" for i in coordinates), "outputscale")

    def draw_features(self, rng: np.random.Generator, n_features: int, d: int) -> Features:
        columns = self.coordinates(d)
        signs = []
        for coordinate, rho in zip(columns, np.broadcast_to(self.rhos, len(columns)), strict=True):
            common = np.asarray(2.0 * rng.integers(0, 2, n_features) - 1.0, dtype=float)
            shared = rng.random(n_features) < rho
            signs.append(Signs(coordinate, common, shared, int(rng.integers(2**62))))
        return Features(np.zeros((n_features, d)), self.outputscale, signs=tuple(signs))

    def axis_kernels(self, d: int) -> list[Kernel] | None:
        columns = self.coordinates(d)
        rho = dict(zip(columns, np.broadcast_to(self.rhos, len(columns)), strict=True))
        unseen: Kernel = kernels.RBF(lengthscale=1e150)  # constant correlation
        return [Categorical(float(rho[i])) if i in rho else unseen for i in range(d)]

    def to_json(self) -> JSON:
        on = None if self.on is None else list(self.on)
        rho = self.rhos.tolist()
        return {"kernel": "Categorical", "rho": rho, "outputscale": self.outputscale, "on": on}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Kernel) and self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash(str(self.to_json()))


class CategoricalLink(Link):
    def __init__(self, kernel: Categorical, X: Array, Z: Array | None) -> None:
        self.kernel, self.dimension = kernel, X.shape[1]
        self.agree = kernel.agreements(X, Z)
        self.value = np.full(self.agree.shape[1:], kernel.outputscale)
        rhos = np.broadcast_to(kernel.rhos, len(self.agree))
        for agree, rho in zip(self.agree, rhos, strict=True):
            self.value *= np.where(agree, 1.0, rho)

    def pull(self, W: Array) -> Array:
        return np.zeros((len(self.value), self.dimension))  # categories do not vary smoothly

    def pull_parameters(self, W: Array) -> Array:
        A = W * self.value
        by_rho = -np.log(self.kernel.rhos) * np.array([A[~agree].sum() for agree in self.agree])
        if not self.kernel.rhos.ndim:
            by_rho = by_rho.sum(keepdims=True)
        return np.append(by_rho, A.sum())


@final
@dataclass(frozen=True, eq=False)
class Product(Kernel):
    """The product of kernels, each on its own coordinates; also written `k1 * k2`.

    The output scales of the factors are gathered into one, so that it is learnt once.
    """

    factors: tuple[Kernel, ...]
    outputscale: float = 1.0
    varies = True  # a linear factor may be among them

    def __post_init__(self) -> None:
        if not self.factors:
            raise ModelError("Product needs at least one kernel, got none")
        flat: list[Kernel] = []
        for factor in self.factors:
            flat.extend(factor.factors if isinstance(factor, Product) else (factor,))
        gathered = math.prod(factor.outputscale for factor in self.factors)
        unit = tuple(factor.with_theta(np.append(factor.theta[:-1], 0.0)) for factor in flat)
        object.__setattr__(self, "factors", unit)
        object.__setattr__(self, "outputscale", self.outputscale * gathered)

    @property
    def on(self) -> tuple[int, ...] | None:  # type: ignore[override]
        if any(factor.on is None for factor in self.factors):
            return None
        return tuple(sorted({i for factor in self.factors for i in factor.on or ()}))

    def link(self, X: Array, Z: Array | None = None) -> Link:
        return ProductLink(self, X, Z)

    def diagonal(self, X: Array) -> Array:
        diagonals = [factor.diagonal(X) for factor in self.factors]
        return np.asarray(self.outputscale * np.prod(diagonals, axis=0))

    def input_gradient(self, X: Array, Z: Array) -> Array:
        others = ProductLink(self, X, Z).others()
        terms = zip(others, self.factors, strict=True)
        whole = np.zeros((len(X), len(Z), X.shape[1]))
        for other, factor in terms:
            whole += other[:, :, None] * factor.input_gradient(X, Z)
        return whole

    def parameter_gradient(self, X: Array, Z: Array | None = None) -> Array:
        link = ProductLink(self, X, Z)
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

    def draw_features(self, rng: np.random.Generator, n_features: int, d: int) -> Features:
        features = self.factors[0].draw_features(rng, n_features, d)
        for factor in self.factors[1:]:
            features = features * factor.draw_features(rng, n_features, d)
        return features.rescaled(self.outputscale)

    def axis_kernels(self, d: int) -> list[Kernel] | None:
        columns: list[list[Kernel]] = [[] for _ in range(d)]
        for factor in self.factors:
            axes = factor.axis_kernels(d)
            if axes is None:
                return None
            for i, axis in enumerate(axes):
                if factor.on is None or i in factor.on:
                    columns[i].append(axis)
        unseen = kernels.RBF(lengthscale=1e150)
        return [c[0] if len(c) == 1 else Product(tuple(c)) if c else unseen for c in columns]

    def to_json(self) -> JSON:
        factors = [factor.to_json() for factor in self.factors]
        return {"kernel": "Product", "factors": factors, "outputscale": self.outputscale}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Kernel) and self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash(str(self.to_json()))


class ProductLink(Link):
    def __init__(self, kernel: Product, X: Array, Z: Array | None) -> None:
        self.kernel = kernel
        self.links = [factor.link(X, Z) for factor in kernel.factors]
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


KINDS: dict[str, type[Kernel]] = {
    kind.__name__: kind
    for kind in (
        kernels.RBF,
        kernels.Matern12,
        kernels.Matern32,
        kernels.Matern52,
        Linear,
        Categorical,
    )
}


def from_json(stored: dict[str, Any]) -> Kernel:
    """The kernel that `to_json` wrote."""
    fields = dict(stored)
    name = fields.pop("kernel", None)
    if name == "Product":
        return Product(tuple(from_json(f) for f in fields["factors"]), float(fields["outputscale"]))
    if name not in KINDS:
        known = ", ".join([*KINDS, "Product"])
        raise ModelError(f"a stored kernel must be one of {known}; got {name!r}")
    on = fields.pop("on", None)
    return KINDS[name](**fields, on=None if on is None else tuple(on))  # type: ignore[call-arg]
