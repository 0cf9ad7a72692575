"""Information gain: how much a set of noisy evaluations tells about f.

    I(y_A; f_A) = 1/2 log det(I + K_A / sigma^2)          in nats
                = 1/2 sum_t log(1 + sigma_{t-1}^2(a_t) / sigma^2)

The second line is the first, one point after another; greedy selection follows it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cholesky, eigvalsh

from pathmax import arguments
from pathmax.arrays import Array
from pathmax.errors import ModelError
from pathmax.theory.information_bounds import (
    MOST_POINTS,
    SMALLEST_NOISE,
    by_designs,
    by_spectrum,
)

if TYPE_CHECKING:
    from pathmax.gp import Kernel


#: Greedy selection reaches at least this share of the best set's information (Nemhauser et al.).
GREEDY_SHARE = 1.0 - 1.0 / math.e


def information_gain(kernel: Kernel, X: Any, noise: float = 1e-6) -> float:
    """Information, in nats, that noisy values at the rows of X (n, d) give about f there.

    I(y_A; f_A) of Definition 2.1; repeated rows count as repeated measurements.
    """
    table = arguments.points("X", X)
    variance = arguments.positive("noise", noise)
    if len(table) == 0:
        return 0.0
    scaled = kernel(table) / variance
    scaled[np.diag_indices_from(scaled)] += 1.0
    try:
        factor = cholesky(scaled, lower=True, overwrite_a=False, check_finite=False)
        return float(np.sum(np.log(np.diagonal(factor))))
    except LinAlgError:  # rounding of K / sigma^2 alone can push an eigenvalue below the true 1
        return 0.5 * float(np.sum(np.log(np.maximum(eigvalsh(scaled), 1.0))))


@dataclass(frozen=True, slots=True)
class MaximumInformationGain:
    """gamma_t of a finite domain for t = 1..T, between what greedy reached and what it proves.

    `lower_curve[t-1] <= gamma_t <= upper_curve[t-1]`; `indices` are the rows in the order of greedy
    choice, and `lower_curve[t-1]` is exactly the information gain of the first t of them.
    """

    indices: NDArray[np.intp]  # (T,)
    lower_curve: Array  # (T,)
    upper_curve: Array  # (T,)
    cap_curve: Array  # (T,) if every point told as much as the first

    @property
    def trivial(self) -> bool:
        """Whether `upper` is within 1 % of what T first points would gain: nothing is known."""
        return bool(self.upper > 0.99 * self.cap_curve[-1])

    @property
    def lower(self) -> float:
        """What the greedy set of T points gains: gamma_T is at least this."""
        return float(self.lower_curve[-1])

    @property
    def upper(self) -> float:
        """gamma_T is at most this: the number to put into a regret bound."""
        return float(self.upper_curve[-1])


def maximum_information_gain(
    kernel: Kernel, X: Any, horizon: int, noise: float = 1e-6, *, repeats: bool = True
) -> MaximumInformationGain:
    """gamma_T of Definition 2.1 over the rows of X (N, d), bracketed by greedy selection.

    Greedy takes the point of largest posterior variance, T times. Information is monotone and
    submodular, so what it reaches is at least (1 - 1/e) gamma_T; after any number k of greedy
    steps gamma_T cannot exceed what is reached plus the T largest gains still on offer (with k = 0:
    no point gains more than 1/2 log(1 + s^2/sigma^2)); and information is concave in how often each
    point is measured, so that its tangent at a greedy design is above it. On up to 400 points
    there are also a bound by the eigenvalues of the kernel matrix and tangents at designs that are
    spread over the points (`information_bounds`). `upper` is the smallest of these. Where it is the
    trivial T/2 log(1 + s^2/sigma^2), a regret bound made of it is linear in T and says nothing:
    `trivial` tells.

    `repeats=True` lets a point be taken more than once. The regret bounds need this: they apply
    gamma_T to the sequence of evaluated points, and a method may evaluate a point again.
    Costs O(N T^2) time and O(N T) memory.
    """
    table = arguments.points("X", X)
    steps = arguments.count("horizon", horizon, least=1)
    variance = arguments.positive("noise", noise)
    size = len(table)
    if size == 0 or (steps > size and not repeats):
        raise ModelError(
            f"horizon must be at most the number of points, got horizon={steps} and {size} points; "
            "shorten the horizon or allow repeats=True"
        )
    chosen, taken = np.empty(steps, dtype=np.intp), np.zeros(size, dtype=bool)
    lower = np.empty(steps)
    rows = np.empty((steps, size))  # rows[i] = cov(y_i, f) / std(y_i) given the points before i
    posterior = np.asarray(kernel.diagonal(table), dtype=np.float64).copy()
    trivial = upper = _on_offer(posterior, variance, steps, repeats)  # k = 0
    gained = 0.0
    for i in range(steps):
        choice = int(np.argmax(posterior if repeats else np.where(taken, -np.inf, posterior)))
        gained += 0.5 * math.log1p(max(posterior[choice], 0.0) / variance)
        chosen[i], lower[i] = choice, gained
        column = kernel(table[choice : choice + 1], table)[0]
        column -= rows[:i, choice] @ rows[:i]
        rows[i] = column / math.sqrt(max(posterior[choice], 0.0) + variance)
        posterior = np.maximum(posterior - rows[i] ** 2, 0.0)
        if not repeats:
            taken[choice], posterior[choice] = True, 0.0  # never taken again, and gains nothing
        upper = np.minimum(upper, gained + _on_offer(posterior, variance, steps, repeats))
        upper = np.minimum(upper, gained + _by_tangent(posterior, chosen[: i + 1], variance, steps))
    upper = np.minimum(upper, lower / GREEDY_SHARE)
    K = kernel(table) if size <= MOST_POINTS else None
    if K is not None and variance >= SMALLEST_NOISE * np.diagonal(K).max():
        upper = np.minimum(upper, by_spectrum(K, variance, steps))
        upper = np.minimum(upper, by_designs(K, variance, steps))
    return MaximumInformationGain(chosen, lower, np.maximum(upper, lower), trivial)


def _by_tangent(
    posterior: Array, chosen: NDArray[np.intp], variance: float, steps: int
) -> Array:  # -> (T,)
    """What gamma_t can exceed the information of the chosen points by, for t = 1..T.

    As a function of how often each point is measured, 1/2 log det(I + K W / sigma^2) is concave,
    and its slope in w_i is the posterior variance there over 2 sigma^2. So no design of t
    measurements is above the tangent at the chosen one. Where greedy has made the variances at its
    points as large as anywhere, nothing is lost (the equivalence theorem of Kiefer and Wolfowitz).
    """
    left = np.maximum(posterior, 0.0) / variance
    return np.asarray(0.5 * (np.arange(1, steps + 1) * left.max() - left[chosen].sum()))


def _on_offer(posterior: Array, variance: float, steps: int, repeats: bool) -> Array:  # -> (T,)
    """The t largest gains still to be had, summed, for t = 1..T."""
    gains = 0.5 * np.log1p(np.maximum(posterior, 0.0) / variance)
    if repeats:
        return np.max(gains) * np.arange(1, steps + 1)
    largest = np.sort(np.partition(gains, len(gains) - steps)[len(gains) - steps :])[::-1]
    return np.cumsum(largest)
