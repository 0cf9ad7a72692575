"""Covariance functions: what a Gaussian process believes before it has seen anything.

A kernel is a frozen value, k(x, z) = outputscale * r(x, z). It looks at the coordinates `on` (all
of them by default), each divided by its own length scale or all by one. Matrices and derivatives
come from a `Link`, which holds the matrix between two sets of points together with what its
derivatives need, so that no distance is computed twice:

    link = kernel.link(X, Z)
    link.value                 K_ij = k(x_i, z_j)                                     (n, m)
    link.pull(W)               sum_j W_ij dk(x_i, z_j)/dx_i                           (n, d)
    link.pull_parameters(W)    sum_ij W_ij dK_ij/dtheta, theta the log parameters     (p,)

Our own kernels compute the contracted forms by BLAS calls of the size of the matrix: no (n, m, d)
array is made on the way to a gradient. `input_gradient` and `parameter_gradient` are the whole
arrays; the links of kernels that state nothing else (docs/extending.md) contract these.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache, partial
from typing import Any, ClassVar, final

import numpy as np

from pathmax.arrays import Array
from pathmax.errors import ModelError
from pathmax.gp.borrowed_features import AnyFeatures
from pathmax.gp.inputs import coordinates, positive_array
from pathmax.gp.linalg import BLOCK_CELLS, blocks

JSON = dict[str, Any]

STEP = 1e-5  # of a log parameter, in a central difference
FEW_ROWS = 32  # rows at a time, all pairs of which are computed to have the diagonal


class Link(ABC):
    """The matrix of a kernel between X (n, d) and Z (m, d), ready to be differentiated."""

    value: Array  # (n, m)

    @abstractmethod
    def pull(self, W: Array) -> Array:  # (n, m) or (m,) -> (n, d)
        """sum_j W_ij dk(x_i, z_j)/dx_i."""

    @abstractmethod
    def pull_parameters(self, W: Array) -> Array:  # (n, m) -> (p,)
        """sum_ij W_ij dK_ij/dtheta."""


class Kernel(ABC):
    """A covariance function. A kernel of one's own is a frozen dataclass that states three things:

        value           its formula
        input_gradient  its slope
        length_scales   over which distance it varies along each coordinate

    Its fields are its parameters: positive numbers, or one per coordinate, all of which are learnt,
    `outputscale` among them; those named in `constants` are not. Everything else follows, and may
    be overridden by something faster. With `draw_features` too, sample paths are functions of
    random features; without it they are joint draws at finitely many points, interpolated.
    """

    outputscale: float
    on: tuple[int, ...] | None = None
    constants: ClassVar[tuple[str, ...]] = ()  # fields besides `on` that are not learnt
    exact_up_to: int = 0  # points of a finite set on which paths are drawn without features

    @abstractmethod
    def value(self, X: Array, Z: Array) -> Array:  # (n, d), (m, d) -> (n, m)
        """k(x_i, z_j)."""

    @abstractmethod
    def input_gradient(self, X: Array, Z: Array) -> Array:  # -> (n, m, d)
        """dk(x_i, z_j)/dx_i, whole."""

    @abstractmethod
    def length_scales(self, d: int) -> Array:  # -> (d,)
        """The distance over which it varies along each coordinate; inf where it does not.

        A search looks about good points at a fraction of it.
        """

    def __post_init__(self) -> None:
        for name in (*self._learnt(), "outputscale"):
            numbers = positive_array(name, getattr(self, name))
            object.__setattr__(self, name, float(numbers) if numbers.ndim == 0 else numbers)
        object.__setattr__(self, "on", coordinates(self.on))

    def link(self, X: Array, Z: Array | None = None) -> Link:
        """The matrix between X and Z (X itself when Z is None) with its derivatives."""
        return PlainLink(self, X, X if Z is None else Z)

    def anchored(self, Z: Array) -> Callable[[Array], Link]:
        """X -> link(X, Z), for many X in turn."""
        return partial(self.link, Z=Z)

    def crossed(self, Z: Array) -> Callable[[Array], Array]:
        """X -> k(X, Z), for many X in turn where no derivative is wanted."""
        return partial(_value_of, self.anchored(Z))

    def parameter_gradient(self, X: Array, Z: Array | None = None) -> Array:  # -> (p, n, m)
        """dk(x_i, z_j)/dtheta, whole; theta holds the logarithms of the parameters.

        By central differences here, which are right to about ten digits.
        """
        Z, theta, slopes = X if Z is None else Z, self.theta, []
        for step in STEP * np.eye(len(theta)):
            up, down = self.with_theta(theta + step), self.with_theta(theta - step)
            slopes.append((up.value(X, Z) - down.value(X, Z)) / (2.0 * STEP))
        return np.stack(slopes)

    def diagonal(self, X: Array) -> Array:  # (n, d) -> (n,)
        """k(x_i, x_i)."""
        blocks = [self.value(x, x).diagonal() for x in _few(X)]
        return np.concatenate([*blocks, np.empty(0)])

    def diagonal_gradient(self, X: Array) -> Array:  # (n, d) -> (n, d)
        """The gradient of k(x, x): 0 for a stationary kernel, not for a linear one."""
        blocks = [2.0 * np.einsum("iik->ik", self.input_gradient(x, x)) for x in _few(X)]
        return np.concatenate([*blocks, np.empty((0, X.shape[1]))])

    def _learnt(self) -> tuple[str, ...]:
        """The names of the parameters but for the output scale."""
        return learnt_fields(type(self))

    @property
    def theta(self) -> Array:  # (p,)
        """The logarithms of the parameters, the output scale last."""
        values = [np.ravel(getattr(self, name)) for name in self._learnt()]
        return np.asarray(np.log(np.concatenate([*values, [self.outputscale]])))

    def with_theta(self, theta: Array) -> Kernel:
        """The same kernel with other parameters."""
        values, changed, start = np.exp(theta), dict[str, Any](), 0
        values.setflags(write=False)
        for name in self._learnt():
            shape = np.shape(getattr(self, name))
            stop = start + math.prod(shape)
            changed[name] = values[start:stop] if shape else float(values[start])
            start = stop
        changed["outputscale"] = float(values[-1])
        sound = 0.0 < values.min() and values.max() < math.inf  # False for NaN
        if not sound or type(self).__post_init__ is not Kernel.__post_init__:
            return replace(self, **changed)  # type: ignore[type-var]
        kernel = object.__new__(type(self))  # learning asks often: all that is left was checked
        same = {name: getattr(self, name) for name in all_fields(type(self))}
        vars(kernel).update(same | changed)
        return kernel

    @property
    def parameter_names(self) -> tuple[str, ...]:
        """A name for each entry of theta."""
        names: list[str] = []
        for name in self._learnt():
            shape = np.shape(getattr(self, name))
            at = range(math.prod(shape)) if self.on is None else self.on
            names += [f"{name}[{i}]" for i in at] if shape else [name]
        return (*names, "outputscale")

    @property
    def n_terms(self) -> int:
        """How many kernels it is a sum of: each has random features of its own."""
        return 1

    def n_weights(self, n_features: int) -> int:
        """How many standard normal weights make a draw from as many random features a term."""
        return 2 * n_features * self.n_terms

    @property
    def has_features(self) -> bool:
        """Whether `draw_features` is defined."""
        return type(self).draw_features is not Kernel.draw_features

    def draw_features(self, rng: np.random.Generator, n_features: int, d: int) -> AnyFeatures:
        """Random features phi with E[phi(x)' phi(z)] = k(x, z): what prior paths are made of.

        Not every kernel has them: see `has_features`.
        """
        raise self.no_features()

    def no_features(self) -> ModelError:
        """What to say when features are asked of a kernel that has none."""
        return ModelError(
            f"{type(self).__name__} does not say how to draw random features; draw its paths with "
            'kind="exact" on points=(N, d), or with kind="pathwise" and points=(N, d) that fill '
            "the domain: exact there and interpolated in between"
        )

    def axis_kernels(self, d: int) -> list[Kernel] | None:
        """One kernel per coordinate whose product (times the output scale) is this kernel.

        Each looks at the single column of a (n, 1) array. None when the kernel does not separate.
        """
        return None

    def to_json(self) -> JSON:
        """What `from_json` makes this kernel from."""
        named = {name: _plain(getattr(self, name)) for name in all_fields(type(self))}
        return {"kernel": type(self).__name__} | named

    def __call__(self, X: Array, Z: Array | None = None) -> Array:  # (n, d), (m, d) -> (n, m)
        return self.link(X, Z).value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Kernel) and self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash(str(self.to_json()))

    def __mul__(self, other: Kernel) -> Kernel:
        from pathmax.gp.kernels.products import Product  # products are made of kernels

        return Product((self, other))

    def __add__(self, other: Kernel) -> Kernel:
        from pathmax.gp.kernels.sums import Sum  # sums are made of kernels

        return Sum((self, other))


class DiscreteKernel(Kernel):
    """A kernel between things with nothing in between: categories, molecules."""

    def diagonal(self, X: Array) -> Array:  # (n, d) -> (n,)
        return np.full(len(X), self.outputscale)

    def diagonal_gradient(self, X: Array) -> Array:  # (n, d) -> (n, d)
        return np.zeros_like(X)

    def input_gradient(self, X: Array, Z: Array) -> Array:  # -> (n, m, d)
        return np.zeros((len(X), len(Z), X.shape[1]))

    def length_scales(self, d: int) -> Array:  # -> (d,)
        return np.full(d, np.inf)


@cache
def all_fields(kind: type[Kernel]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))  # type: ignore[arg-type]


@cache
def learnt_fields(kind: type[Kernel]) -> tuple[str, ...]:
    """The fields of a kernel that are learnt, but for the output scale."""
    names: list[str] = [field.name for field in fields(kind)] if is_dataclass(kind) else []
    if "outputscale" not in names:
        raise ModelError(
            f"{kind.__name__} must be a dataclass with a field outputscale: write "
            "@dataclass(frozen=True, eq=False) above the class and outputscale: float = 1.0 "
            "among its fields"
        )
    return tuple(name for name in names if name not in (*kind.constants, "on", "outputscale"))


@final
class PlainLink(Link):
    """The link of a kernel that states its value and its input gradient, and no more."""

    def __init__(self, kernel: Kernel, X: Array, Z: Array) -> None:
        self.kernel, self.X, self.Z = kernel, X, Z
        self.value = np.asarray(kernel.value(X, Z), dtype=float)

    def pull(self, W: Array) -> Array:
        W = np.broadcast_to(W, self.value.shape)
        gradient = self.kernel.input_gradient(self.X, self.Z)
        return np.asarray(np.einsum("ij,ijk->ik", W, gradient))

    def pull_parameters(self, W: Array) -> Array:
        gradient = self.kernel.parameter_gradient(self.X, self.Z)
        return np.asarray(np.einsum("ij,pij->p", W, gradient))


def _few(X: Array) -> Iterator[Array]:
    """X in blocks of a few rows."""
    return (X[start : start + FEW_ROWS] for start in range(0, len(X), FEW_ROWS))


def _value_of(link: Callable[[Array], Link], X: Array) -> Array:
    return link(X).value


def _plain(value: object) -> Any:
    plain = value.tolist() if isinstance(value, np.ndarray) else value
    return list(plain) if isinstance(plain, tuple) else plain


def gram(kernel: Kernel, X: Array) -> Array:  # (n, d) -> (n, n)
    """k(X, X), in blocks of rows where it is large."""
    if len(X) ** 2 <= BLOCK_CELLS:
        return kernel(X)
    K = np.empty((len(X), len(X)))
    for rows in blocks(*K.shape):
        K[rows] = kernel(X[rows], X)
    K.flat[:: len(K) + 1] = kernel.diagonal(X)
    return K
