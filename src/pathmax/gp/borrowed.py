"""Borrowed: a process whose prior is made of what others know.

    f(x) = own(x) + sum_s weight_s lender_s(x),      own ~ GP(m, k),   weight_s >= 0

A lender is a process that has seen data of its own: an older study. Given those data f is again a
Gaussian process, with

    mean        m(x) + sum_s weight_s mean_s(x)                          `Lenders`, a trend
    covariance  k(x, z) + sum_s weight_s^2 covariance_s(x, z)            `Borrowed`, a kernel

both of posteriors. This is the autoregressive form of coregionalisation (Kennedy and O'Hagan,
Biometrika 87, 2000): what two studies have in common has a weight, and the difference is a process
of its own. A weight of 0 is a lender that is ignored: what is left is the process without it. A
lender learns nothing from f, so that its model is made once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple, final

import numpy as np

from pathmax.arrays import Array
from pathmax.gp import linalg
from pathmax.gp.borrowed_features import AnyFeatures, BorrowedFeatures, LentFeatures
from pathmax.gp.kernels.base import JSON, Kernel, Link
from pathmax.gp.process import GaussianProcess

LENT_HINTS = 16  # points of each lender that a search begins from too


@final
class LentMoments:
    """What a lender says of some points, kept while they are asked about: each part once."""

    def __init__(self, lender: Lender, X: Array) -> None:  # (m, d)
        self.lender, self.X = lender, X.copy()
        self.link = lender.process.shift.update.link(X)

    @cached_property
    def mean(self) -> Array:  # (m,)
        shift = self.lender.process.shift
        return shift.add_to(np.zeros(len(self.X)), self.X, self.link.value)

    @cached_property
    def half(self) -> Array:  # (n, m)
        return self.lender.root.lower(self.link.value.T)

    @cached_property
    def variance(self) -> Array:  # (m,)
        std = self.lender.process.moments(self.X, self.link.value, self.half).std
        return np.asarray(std**2)


@final
class Lender:
    """A process that has seen data, as another one borrows from it."""

    def __init__(self, process: GaussianProcess) -> None:
        self.process = process
        self._seen: LentMoments | None = None
        self._gram: tuple[Array, Array] | None = None

    def __getstate__(self) -> GaussianProcess:
        return self.process

    def __setstate__(self, process: GaussianProcess) -> None:
        self.__init__(process)

    def seen(self, X: Array) -> LentMoments:  # (m, d)
        """What it says of X: values, slopes and variances are asked for one after the other."""
        last = self._seen  # read once: threads share it
        if last is None or not np.array_equal(last.X, X):
            self._seen = last = LentMoments(self, X)
        return last

    def link(self, X: Array) -> Link:  # (m, d)
        """k(X, data)."""
        return self.seen(X).link

    @cached_property
    def root(self) -> linalg.Root:
        return linalg.Root(self.process.cholesky)

    def solved(self, Z: Array) -> Array:  # (k, d) -> (n, k)
        """(K + noise)^{-1} k(data, Z)."""
        return linalg.solve(self.process.cholesky, self.process.kernel(Z, self.process.X).T)

    def gram(self, X: Array) -> Array:  # (m, d) -> (m, m)
        """The covariance of X with itself; fits ask for it again and again."""
        last = self._gram
        if last is None or not np.array_equal(last[0], X):
            self._gram = last = (X.copy(), self.process.joint(X).covariance)
        return last[1]


class Loan(NamedTuple):
    """A lender, and how much of it is borrowed."""

    weight: float
    lender: Lender


@final
@dataclass(frozen=True, eq=False)
class Lenders:
    """x -> sum_s weight_s mean_s(x): what the lenders expect."""

    loans: tuple[Loan, ...]

    def __call__(self, X: Array) -> Array:  # (m, d) -> (m,)
        means = [weight * lender.seen(X).mean for weight, lender in self.loans]
        return np.sum(means, axis=0) if len(X) else np.zeros(0)

    def gradient(self, X: Array) -> Array:  # (m, d) -> (m, d)
        """Its gradient at each point."""
        total = np.zeros_like(X)
        for weight, lender in self.loans:
            shift = lender.process.shift
            total += weight * shift.add_gradient_to(np.zeros_like(X), X, lender.seen(X).link)
        return total

    @property
    def hints(self) -> Array:  # (k, d)
        """The points of the lenders where they expect most."""
        some = []
        for _, lender in self.loans:
            best = np.argsort(-lender.process.fitted, kind="stable")[:LENT_HINTS]
            some.append(lender.process.X[best])
        return np.concatenate(some)


@final
@dataclass(frozen=True, eq=False)
class Borrowed(Kernel):
    """k(x, z) = own(x, z) + sum_s weight_s^2 covariance_s(x, z), with the parameters of own."""

    own: Kernel
    loans: tuple[Loan, ...] = field(default=())

    def __post_init__(self) -> None:
        """Nothing to check: the parts were."""

    @property
    def outputscale(self) -> float:  # type: ignore[override]
        """That of its own part."""
        return self.own.outputscale

    @property
    def exact_up_to(self) -> int:  # type: ignore[override]
        return self.own.exact_up_to

    def value(self, X: Array, Z: Array) -> Array:
        return self.link(X, Z).value

    def length_scales(self, d: int) -> Array:
        lent = [lender.process.kernel.length_scales(d) for _, lender in self.loans]
        return np.asarray(np.min([self.own.length_scales(d), *lent], axis=0))

    def link(self, X: Array, Z: Array | None = None) -> Link:
        own = self.own.link(X, Z)
        if Z is None:
            covariances = [weight**2 * lender.gram(X) for weight, lender in self.loans]
            return BorrowedLink(self, X, X, own, np.sum([own.value, *covariances], axis=0))
        return BorrowedLink(self, X, Z, own)

    def anchored(self, Z: Array) -> Callable[[Array], Link]:
        own = self.own.anchored(Z)
        anchors = anchors_of(self.loans, Z)
        return lambda X: BorrowedLink(self, X, Z, own(X), anchors=anchors)

    def diagonal(self, X: Array) -> Array:
        lent = [weight**2 * lender.seen(X).variance for weight, lender in self.loans]
        return np.asarray(np.sum([self.own.diagonal(X), *lent], axis=0))

    def diagonal_gradient(self, X: Array) -> Array:
        total = self.own.diagonal_gradient(X)
        for weight, lender in self.loans:
            process, seen = lender.process, lender.seen(X)
            solved = lender.root.upper(seen.half).T  # (m, n)
            told = 2.0 * seen.link.pull(solved)
            total = total + weight**2 * (process.kernel.diagonal_gradient(X) - told)
        return total

    def input_gradient(self, X: Array, Z: Array) -> Array:
        total = self.own.input_gradient(X, Z)
        for weight, lender in self.loans:
            process = lender.process
            told = process.kernel.input_gradient(X, process.X)  # (m, n, d)
            told = np.einsum("mnd,nk->mkd", told, lender.solved(Z))
            total = total + weight**2 * (process.kernel.input_gradient(X, Z) - told)
        return total

    def parameter_gradient(self, X: Array, Z: Array | None = None) -> Array:
        return self.own.parameter_gradient(X, Z)

    @property
    def theta(self) -> Array:
        return self.own.theta

    def with_theta(self, theta: Array) -> Kernel:
        return replace(self, own=self.own.with_theta(theta))

    @property
    def parameter_names(self) -> tuple[str, ...]:
        return self.own.parameter_names

    @property
    def n_terms(self) -> int:
        return self.own.n_terms

    def n_weights(self, n_features: int) -> int:
        lenders = [lender.process for _, lender in self.loans]
        lent = sum(one.kernel.n_weights(n_features) + one.n for one in lenders)
        return self.own.n_weights(n_features) + lent

    @property
    def has_features(self) -> bool:
        lent = (lender.process.kernel.has_features for _, lender in self.loans)
        return self.own.has_features and all(lent)

    def draw_features(self, rng: np.random.Generator, n_features: int, d: int) -> AnyFeatures:
        own = self.own.draw_features(rng, n_features, d)
        assert not isinstance(own, BorrowedFeatures), "what borrows does not lend"
        lent = []
        for weight, lender in self.loans:
            process = lender.process
            prior = process.kernel.draw_features(rng, n_features, d)
            assert not isinstance(prior, BorrowedFeatures), "what borrows does not lend"
            deviations = np.sqrt(process.noises + process.jitter)
            lent.append(
                LentFeatures(prior, weight, process.X, deviations, process.cholesky, lender)
            )
        return BorrowedFeatures(own, tuple(lent))

    def to_json(self) -> JSON:
        """For comparisons; what is stored is the own part and the weights."""
        weights = [weight for weight, _ in self.loans]
        return {"kernel": "Borrowed", "own": self.own.to_json(), "weights": weights}


Anchors = Sequence[tuple[Callable[[Array], Link], Array]]


def anchors_of(loans: Sequence[Loan], Z: Array) -> Anchors:
    """Of each lender x -> k(x, Z), and (K + noise)^{-1} k(data, Z)."""
    lenders = [loan.lender for loan in loans]
    return [(one.process.kernel.anchored(Z), one.solved(Z)) for one in lenders]


class BorrowedLink(Link):
    """The matrix between X and Z; `anchors` are what does not depend on X."""

    def __init__(
        self,
        kernel: Borrowed,
        X: Array,
        Z: Array,
        own: Link,
        value: Array | None = None,
        anchors: Anchors | None = None,
    ) -> None:
        self.kernel, self.X, self.Z, self.own = kernel, X, Z, own
        self._anchors = anchors
        if value is None:
            value = own.value.copy()
            for weight, prior, told, solved in self._parts:
                value += weight**2 * (prior.value - told.value @ solved)
        self.value = value

    @cached_property
    def _parts(self) -> list[tuple[float, Link, Link, Array]]:
        """Of each lender: its weight, k(X, Z), k(X, data), and (K + noise)^{-1} k(data, Z)."""
        anchors = anchors_of(self.kernel.loans, self.Z) if self._anchors is None else self._anchors
        return [
            (loan.weight, prior(self.X), loan.lender.seen(self.X).link, solved)
            for loan, (prior, solved) in zip(self.kernel.loans, anchors, strict=True)
        ]

    def pull(self, W: Array) -> Array:
        total = self.own.pull(W)
        for weight, prior, told, solved in self._parts:
            total = total + weight**2 * (prior.pull(W) - told.pull(W @ solved.T))
        return total

    def pull_parameters(self, W: Array) -> Array:
        return self.own.pull_parameters(W)


def borrowing(own: GaussianProcess, loans: Sequence[Loan]) -> GaussianProcess:
    """A process that has seen no data yet, with what others lend to it; 0 is nothing."""
    used = tuple(loan for loan in loans if loan.weight > 0.0)
    if not used:
        return own
    kernel = Borrowed(own.kernel, used)
    return GaussianProcess(kernel, own.noise, own.mean, bowl=own.bowl, trend=Lenders(used))
