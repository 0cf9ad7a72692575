"""The finite sets X_t of the proofs on continuous domains, and what is lost between their points.

Each axis of [0, r]^d is divided equally by tau_t points, so |X_t| = tau_t^d, and no point of the
domain is farther than d r / tau_t (in the 1-norm) from the nearest of X_t:

    paths        E sup_x |f(x) - f([x]_t)|           <= d r E[L_max] / tau_t       Lemma D.3
    deviations   sup_x |std(x) - std([x]_t)|         <= d r L_sigma / tau_t        Lemma D.4

With tau_t large enough both are at most 1 / t^2, and the sum over all steps at most pi^2 / 6.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from pathmax import arguments
from pathmax.arrays import Array
from pathmax.errors import ModelError
from pathmax.theory.confidence import variance_floor
from pathmax.theory.smoothness import expected_slope

THEOREMS = ("3.2", "4.2", "4.3", "B.1", "C.1")


def lattice_points(
    theorem: str,
    t: ArrayLike,
    *,
    dimension: int,
    r: float = 1.0,
    a: float,
    b: float,
    lipschitz: float | None = None,
    noise: float | None = None,
    initial: int = 0,
) -> Array:
    """tau_t, the points an axis of the lattice X_t that the proof of a theorem uses at step t.

    - "3.2" (TS): ceil(d r L t^2), L the larger of `lipschitz` = L_sigma (see `lipschitz_std`) and
      the expected slope b (sqrt(log(a d)) + sqrt(pi) / 2);
    - "4.2" (PIMS): the expected slope alone, times sqrt((sigma^2 + n_t) / sigma^2) with `noise` =
      sigma^2 and n_t = `initial` + t;
    - "4.3" (PIMS, simple regret), "B.1" and "C.1" (the appendix's discretised TS and PIMS): the
      expected slope alone. In a box `options={"discretization": int(tau)}` of "ts" and "pims"
      chooses on that set; beyond a few dimensions it is too large to be listed.
    """
    if theorem not in THEOREMS:
        raise ModelError(f"theorem must be one of {', '.join(THEOREMS)}, got {theorem!r}")
    step = arguments.counts("t", t, least=1)
    slope = expected_slope(a, b, dimension)
    if theorem == "3.2":
        if lipschitz is None:
            raise ModelError(
                "Theorem 3.2 needs lipschitz=, L_sigma of theory.lipschitz_std(kernel)"
            )
        slope = max(slope, arguments.at_least("lipschitz", lipschitz, 0.0))
    points = step**2 * dimension * arguments.positive("r", r) * slope
    if theorem == "4.2":
        if noise is None:
            raise ModelError("the lattice of Theorem 4.2 depends on the noise: give noise=")
        observed = step + arguments.count("initial", initial, least=0)
        points = points / np.sqrt(variance_floor(noise, observed))
    return np.maximum(np.ceil(points), 1.0)


def s_t(
    t: ArrayLike, *, dimension: int, r: float, a: float, b: float, lipschitz: float = 0.0
) -> Array:
    """s_t = 2 - 2 log 2 + 2 d log(ceil(d r L t^2)) of Theorem 3.2 (Thompson sampling).

    L = max(L_sigma, b (sqrt(log(a d)) + sqrt(pi) / 2)) with `lipschitz` = L_sigma of
    `lipschitz_std`; 0 gives the s_t of the appendix's discretised variant. It is Lemma 3.2 on the
    d-dimensional lattice X_t with ceil(d r L t^2) points an axis. One line of the printed proof
    has 2 - log 2: the expansion of 2 + 2 log(|X_t| / 2) is 2 - 2 log 2, as in the theorem.
    """
    tau = lattice_points("3.2", t, dimension=dimension, r=r, a=a, b=b, lipschitz=lipschitz)
    return _c2_of_lattice(tau, dimension)


def m_t(
    t: ArrayLike,
    *,
    dimension: int,
    r: float,
    a: float,
    b: float,
    noise: float | None = None,
    initial: int = 0,
) -> Array:
    """m_t of Theorem 4.2 (with `noise`) and of Theorem 4.3 (without): PIMS on a continuous domain.

    m_t = 2 d log(ceil(t^2 b d r (sqrt(log(a d)) + sqrt(pi) / 2) F)) - 2 log 2 + 2, where
    F = sqrt((sigma^2 + n_t) / sigma^2) in Theorem 4.2, n_t = `initial` + t observations, and
    F = 1 in Theorem 4.3 and in the appendix's discretised variant.

    The paper prints log(a d) here. The lemma that the proof uses (H.1 and H.2 of Takeno et al.,
    2023, repeated in the appendix) gives sqrt(log(a d)), and that is what stands here: for
    a d < e the printed lattice would be too coarse for the lemma, for larger a d needlessly fine.
    """
    theorem = "4.3" if noise is None else "4.2"
    tau = lattice_points(
        theorem, t, dimension=dimension, r=r, a=a, b=b, noise=noise, initial=initial
    )
    return _c2_of_lattice(tau, dimension)


def _c2_of_lattice(tau: Array, dimension: int) -> Array:
    """2 + 2 log(|X_t| / 2) for a lattice of tau^d points."""
    return np.asarray(2.0 - 2.0 * math.log(2.0) + 2.0 * dimension * np.log(tau))


def path_error(tau: ArrayLike, *, dimension: int, r: float = 1.0, a: float, b: float) -> Array:
    """At most this is E sup_x |f(x) - f([x]_t)| on a lattice of tau points an axis. Lemma D.3."""
    return _reach(tau, dimension, r) * expected_slope(a, b, dimension)


def deviation_error(tau: ArrayLike, *, dimension: int, r: float = 1.0, lipschitz: float) -> Array:
    """At most this is |std(x) - std([x]_t)| anywhere, whatever the data are. Lemma D.4."""
    return _reach(tau, dimension, r) * arguments.at_least("lipschitz", lipschitz, 0.0)


def lattice_set(tau: int, dimension: int, *, r: float = 1.0) -> Array:  # -> (tau^d, d)
    """The points of X_t: the middles of tau equal parts of each axis.

    The largest distance to the nearest of them, d r / (2 tau) in the 1-norm, is half of what the
    lemmas allow.
    """
    n = arguments.count("tau", tau, least=1)
    d = arguments.count("dimension", dimension, least=1)
    if d * math.log(n) > math.log(1e7):
        raise ModelError(
            f"a lattice of {n}^{d} points is too large to list, at most 10^7; "
            "the theorem speaks of it, a computer cannot hold it"
        )
    axis = arguments.positive("r", r) * (np.arange(n) + 0.5) / n
    return np.stack(np.meshgrid(*[axis] * d, indexing="ij"), axis=-1).reshape(-1, d)


def _reach(tau: ArrayLike, dimension: int, r: float) -> Array:
    """d r / tau: how far, in the 1-norm, a point may be from the lattice in the lemmas."""
    points = arguments.counts("tau", tau, least=1)
    return arguments.count("dimension", dimension, least=1) * arguments.positive("r", r) / points
