"""The regret bounds of the paper.

    BCR_T = E[ sum_{t<=T} f(x*) - f(x_t) ]          Bayesian cumulative regret
    BSR_T = E[ f(x*) - max_{t<=T} f(x_t) ]          Bayesian simple regret

The expectation is over f ~ GP(0, k), the noise and the method's own randomness.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pathmax import arguments
from pathmax.arrays import Array
from pathmax.errors import ModelError
from pathmax.theory.confidence import c1, c2, gp_ucb_beta
from pathmax.theory.lattices import lattice_points, m_t, s_t
from pathmax.theory.smoothness import lipschitz_std

if TYPE_CHECKING:
    from pathmax.gp import Kernel

BOUNDED_METHODS = ("pims", "ts", "irgp-ucb", "gp-ucb")
BASEL = math.pi**2 / 6.0  # sum of 1 / t^2, what the lattices X_t cost in all


class DomainKeywords(TypedDict, total=False):
    """What `bcr_bound` and `bsr_bound` take to describe the domain."""

    cardinality: float | None  # |X| of a finite domain
    dimension: int | None  # d of a continuous one inside [0, r]^d
    r: float
    a: float | None  # Assumption 2.1
    b: float | None
    lengthscale: float | None  # of an RBF kernel, for L_sigma
    kernel: Kernel | None
    discretised: bool  # the appendix's variants
    initial: int  # observations before the first step
    outputscale: float | None  # k(x, x)


@overload
def bcr_bound(
    method: str = ..., *, horizon: int, noise: float, gamma: float, **domain: Unpack[DomainKeywords]
) -> float: ...
@overload
def bcr_bound(
    method: str = ...,
    *,
    horizon: NDArray[np.integer] | Array,
    noise: float,
    gamma: Array,
    **domain: Unpack[DomainKeywords],
) -> Array: ...
def bcr_bound(
    method: str = "pims",
    *,
    horizon: ArrayLike,
    noise: float,
    gamma: ArrayLike,
    **domain: Unpack[DomainKeywords],
) -> float | Array:
    """The upper bound on the Bayesian cumulative regret after `horizon` evaluations.

    `gamma` is the maximum information gain gamma_T (or any upper bound on it), `noise` the
    variance sigma^2. Arrays of horizons and gammas give the whole curve at once.

    A finite domain is given by its `cardinality=` |X|:

    - `pims`: Theorem 4.1, `ts`: Theorem 3.1, sqrt(C_1 C_2 T gamma_T);
    - `irgp-ucb`: the same (Theorem 4.2 of Takeno et al., 2023);
    - `gp-ucb`: pi^2 / 6 + sqrt(C_1 beta_T T gamma_T) (Theorem B.1 there).

    A continuous one inside [0, r]^d by `dimension=`, `r=` (default 1) and the constants `a=`, `b=`
    of Assumption 2.1 (see `derivative_tail`):

    - `pims`: Theorem 4.2, pi^2 / 6 + sqrt(C_1 T gamma_T m_T), with `initial=` (default 0)
      observations before the first step;
    - `ts`: Theorem 3.2, pi^2 / 3 + pi^2 / 6 sqrt(s_T) + sqrt(C_1 T gamma_T s_T), which also needs
      `kernel=`, or `lengthscale=` of an RBF kernel, for L_sigma;
    - `discretised=True`: the appendix's variants, in which the path is maximised over the lattice
      X_t: pi^2 / 6 + sqrt(C_1 T gamma_T s_T) for `ts`, and the same with m_T for `pims`;
    - `irgp-ucb`: pi^2 / 6 + sqrt(C_1 T gamma_T s_T) with zeta_t = 2 log(|X_t| / 2) + Exp(1/2)
      (Theorem 4.3 of Takeno et al., 2023);
    - `gp-ucb`: pi^2 / 3 + sqrt(C_1 T gamma_T beta_T) with beta_t = 2 log(|X_t| t^2 / sqrt(2 pi))
      (Theorem B.1 there). Both are the second row of the paper's Table 1; X_t is the lattice of
      the expected slope, and the methods choose from the whole box.

    `outputscale=` (default: the kernel's, else 1) is k(x, x); see the package's docstring.
    """
    place = _domain(method, domain)
    steps, information = _curve(horizon, gamma)
    bound = place.scale * place.unit_bcr(method, steps, noise, information)
    return bound if bound.ndim else float(bound)


def bsr_bound(
    method: str = "pims",
    *,
    horizon: int,
    noise: float,
    gamma: float,
    recommended: bool = True,
    **domain: Unpack[DomainKeywords],
) -> float:
    """The upper bound on the Bayesian simple regret after `horizon` evaluations.

    BCR_T / T by Lemma 2.1, both for the best point evaluated and (`recommended=True`) for the
    maximiser of the posterior mean. For the latter PIMS on a continuous domain has the tighter
    Theorem 4.3, pi^2 / (6 T) + sqrt(C_1 gamma_T m_T / T), whose m_T is free of the noise factor.
    (Its printed proof minimises over the lattice X_t to define x~_t but compares it with x_t,
    which lies anywhere in X; with x~_t minimised over X every step holds.)

    The other arguments are those of `bcr_bound`.
    """
    if recommended and method == "pims" and domain.get("dimension") is not None:
        domain["discretised"] = True  # its BCR bound divided by T is Theorem 4.3 to the letter
    return bcr_bound(method, horizon=horizon, noise=noise, gamma=gamma, **domain) / horizon


@dataclass(frozen=True, slots=True, kw_only=True)
class _Finite:
    cardinality: float
    scale: float  # s: the bounds below are for f / s

    def unit_bcr(self, method: str, t: Array, noise: float, gamma: Array) -> Array:
        learnt = c1(noise / self.scale**2) * t * gamma  # C_1 T gamma_T
        if method == "gp-ucb":
            beta = gp_ucb_beta(t, cardinality=self.cardinality)
            return np.asarray(BASEL + np.sqrt(learnt * beta))
        return np.sqrt(learnt * c2(self.cardinality))  # Theorems 3.1 and 4.1


@dataclass(frozen=True, slots=True, kw_only=True)
class _Continuous:
    dimension: int
    r: float
    a: float
    b: float
    lipschitz: float | None
    discretised: bool
    initial: int
    scale: float

    def unit_bcr(self, method: str, t: Array, noise: float, gamma: Array) -> Array:
        variance = arguments.positive("noise", noise) / self.scale**2
        learnt = c1(variance) * t * gamma  # C_1 T gamma_T
        if method == "gp-ucb":
            # f(x*) - f([x*]_t) costs pi^2 / 6, f above its bound on X_t as much again
            beta = self._lattice_beta(t)
            return np.asarray(2.0 * BASEL + np.sqrt(learnt * beta))
        if method == "pims":
            observed = None if self.discretised else variance
            m = m_t(t, **self.box, noise=observed, initial=self.initial)
            return np.asarray(BASEL + np.sqrt(learnt * m))  # Theorem 4.2
        s = s_t(t, **self.box, lipschitz=0.0 if self.on_lattice(method) else self._l_sigma())
        if self.on_lattice(method):
            return np.asarray(BASEL + np.sqrt(learnt * s))
        return np.asarray(2.0 * BASEL + BASEL * np.sqrt(s) + np.sqrt(learnt * s))  # Theorem 3.2

    @property
    def box(self) -> dict[str, Any]:
        """The box and the constants of Assumption 2.1, as the lattices take them."""
        return {"dimension": self.dimension, "r": self.r, "a": self.a, "b": self.b}

    def on_lattice(self, method: str) -> bool:
        """Whether only paths, not deviations, are compared with their values on X_t."""
        return self.discretised or method == "irgp-ucb"

    def _lattice_beta(self, t: Array) -> Array:
        """2 log(|X_t| t^2 / sqrt(2 pi)) with |X_t| = tau_t^d."""
        tau = lattice_points("4.3", t, **self.box)
        log_size = self.dimension * np.log(tau)
        beta = 2.0 * (log_size + 2.0 * np.log(t) - 0.5 * math.log(2.0 * math.pi))
        return np.maximum(beta, 0.0)

    def _l_sigma(self) -> float:
        if self.lipschitz is None:
            raise ModelError(
                "Theorem 3.2 (ts, continuous) needs L_sigma: give kernel=, or lengthscale= of an "
                "RBF kernel"
            )
        return self.lipschitz


def _one_variance(kernel: Kernel) -> float:
    """k(x, x), which the theorems need to be the same everywhere."""
    from pathmax.gp import Linear  # not needed by those who give numbers only

    if any(isinstance(part, Linear) for part in getattr(kernel, "factors", (kernel,))):
        raise ModelError(
            "the bounds hold for kernels with the same variance everywhere, and that of a linear "
            "kernel grows with |x|; give a stationary kernel such as gp.RBF or gp.Matern52"
        )
    return kernel.outputscale


def _domain(method: str, given: DomainKeywords) -> _Finite | _Continuous:
    if method not in BOUNDED_METHODS:
        raise ModelError(f"method must be one of {', '.join(BOUNDED_METHODS)}, got {method!r}")
    if unknown := sorted(set(given) - set(DomainKeywords.__annotations__)):
        raise ModelError(
            f"unknown argument {unknown[0]!r}; the domain is described by "
            f"{', '.join(DomainKeywords.__annotations__)}"
        )
    cardinality, dimension = given.get("cardinality"), given.get("dimension")
    kernel, lengthscale = given.get("kernel"), given.get("lengthscale")
    variance = given.get("outputscale")
    if variance is None:
        variance = 1.0 if kernel is None else _one_variance(kernel)
    scale = math.sqrt(arguments.positive("outputscale", variance))
    if cardinality is not None and dimension is None:
        return _Finite(cardinality=cardinality, scale=scale)
    if cardinality is not None or dimension is None:
        raise ModelError(
            "give cardinality= for a finite domain or dimension=, r=, a=, b= for a continuous "
            f"one, got cardinality={cardinality!r}, dimension={dimension!r}"
        )
    a, b = given.get("a"), given.get("b")
    if a is None or b is None:
        raise ModelError(
            "a continuous domain needs a= and b= of Assumption 2.1; "
            "theory.derivative_tail(kernel, dimension, rng) estimates them"
        )
    lipschitz = None
    if kernel is not None:
        lipschitz = lipschitz_std(kernel) / scale
    elif lengthscale is not None:
        lipschitz = math.sqrt(2.0) / arguments.positive("lengthscale", lengthscale)
    return _Continuous(
        dimension=arguments.count("dimension", dimension, least=1),
        r=given.get("r", 1.0),
        a=a,
        b=arguments.positive("b", b) / scale,
        lipschitz=lipschitz,
        discretised=given.get("discretised", False),
        initial=given.get("initial", 0),
        scale=scale,
    )


def _curve(horizon: ArrayLike, gamma: ArrayLike) -> tuple[Array, Array]:
    steps = arguments.counts("horizon", horizon, least=1)
    information = np.asarray(gamma, dtype=np.float64)
    if steps.shape != information.shape:
        raise ModelError(
            f"horizon and gamma must go together, got shapes {steps.shape} and "
            f"{information.shape}; give one gamma_T for each horizon T"
        )
    if not np.all(np.isfinite(information)) or np.any(information < 0.0):
        raise ModelError(f"gamma must be finite and not negative, got {gamma!r}")
    return steps, information
