"""What turns a draw of the prior into a draw of the posterior: the prior mean and the update.

    (f | y)(x) = prior(x) + mean(x) + k(x, X) v

Without a prior draw and with v = (K + noise)^{-1} (y - mean(X)) this is the posterior mean. With a
draw of the zero-mean prior and v = (K + noise)^{-1} (y - mean(X) - prior(X) - eps) it is a sample
path (Matheron's rule). Everything that has one of these shapes is evaluated by `Shift`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from pathmax.arrays import Array
from pathmax.gp.kernels.base import Kernel, Link
from pathmax.gp.kernels.stationary import Anchor
from pathmax.gp.linalg import blocks
from pathmax.gp.prior_mean import PriorMean

LARGEST_WEIGHT = 1e290  # sums of such weights are finite


@final
@dataclass(frozen=True, eq=False)
class Reach:
    """x -> k(x, X): what the mean of a process and all of its paths share."""

    kernel: Kernel
    X: Array  # (n, d)

    @cached_property
    def link(self) -> Callable[[Array], Link]:
        """With its derivatives."""
        return self.kernel.anchored(self.X)

    @cached_property
    def cross(self) -> Callable[[Array], Array]:
        """Alone."""
        link = self.link
        return link.values if isinstance(link, Anchor) else self.kernel.crossed(self.X)

    def __getstate__(self) -> dict[str, Any]:
        # what is cached are functions, which do not travel to other processes; quickly made again
        return {"kernel": self.kernel, "X": self.X}


@final
@dataclass(frozen=True, eq=False)
class Update:
    """x -> unit * k(x, X) v, for one vector v (n,) or several (n, p).

    The unit is apart where values are so large that unit * v would overflow.
    """

    reach: Reach
    v: Array  # (n,) or (n, p)
    unit: float = 1.0

    @staticmethod
    def of(reach: Reach, v: Array, unit: float) -> Update:
        """With the unit multiplied into v where that is possible."""
        if np.abs(v).max(initial=0.0) < LARGEST_WEIGHT / float(unit):
            v, unit = unit * v, 1.0
        return Update(reach, v, unit)

    @staticmethod
    def none(kernel: Kernel, p: int) -> Update:
        """The update of p paths that have seen no data."""
        return Update(Reach(kernel, np.empty((0, 0))), np.empty((0, p)))

    def __getitem__(self, i: int) -> Update:
        return Update(self.reach, self.v[:, i], self.unit)

    @property
    def kernel(self) -> Kernel:
        return self.reach.kernel

    @property
    def n(self) -> int:
        """How many observations it moves through."""
        return len(self.reach.X)

    @property
    def link(self) -> Callable[[Array], Link]:
        """x -> k(x, X) with its derivatives."""
        return self.reach.link

    @property
    def cross(self) -> Callable[[Array], Array]:
        """x -> k(x, X) alone."""
        return self.reach.cross

    def of_matrix(self, cross: Array) -> Array:  # (m, n) -> (m,) or (m, p)
        """Its values where k(x, X) is `cross`."""
        moved: Array = cross @ self.v
        return moved if self.unit == 1.0 else self.unit * moved

    def of_slopes(self, link: Link) -> Array:  # -> (m, d) or (p, m, d)
        """Its gradients where k(x, X) is that of `link`."""
        pulled = (
            link.pull(self.v) if self.v.ndim == 1 else np.stack([link.pull(v) for v in self.v.T])
        )
        return pulled if self.unit == 1.0 else self.unit * pulled


@final
@dataclass(frozen=True, eq=False)
class Shift:
    """x -> mean(x) + update(x), added to a draw of the zero-mean prior or to nothing."""

    mean: PriorMean
    update: Update

    def __getitem__(self, i: int) -> Shift:
        return Shift(self.mean, self.update[i])

    def add_to(self, prior: Array, X: Array, cross: Array | None = None) -> Array:
        """prior + mean(X) + update(X), in the memory of `prior`: (m,) or (m, p).

        cross: k(X, data) if it is known already.
        """
        self.mean.add_to(prior, X)
        if cross is not None:
            prior += self.update.of_matrix(cross)
        elif self.update.n:
            for rows in blocks(len(X), self.update.n):
                prior[rows] += self.update.of_matrix(self.update.cross(X[rows]))
        return prior

    def add_gradient_to(self, prior: Array, X: Array, link: Link | None = None) -> Array:
        """The gradient of `add_to`, in the memory of the prior's: (m, d) or (p, m, d)."""
        self.mean.add_gradient_to(prior, X)
        if self.update.n:
            prior += self.update.of_slopes(self.update.link(X) if link is None else link)
        return prior

    def add_both_to(self, value: Array, gradient: Array, X: Array) -> tuple[Array, Array]:
        """Values and gradients of one draw, (m,) and (m, d), with one look at the data."""
        link = self.update.link(X) if self.update.n else None
        self.add_to(value, X, None if link is None else link.value)
        return value, self.add_gradient_to(gradient, X, link)
