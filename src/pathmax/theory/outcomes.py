"""What is proved about several outcomes with targets from joint sample paths.

m outcomes (objectives and constraints together) f_i ~ GP(0, k_i), independent of each other, known,
k_i(x, x) <= 1, on a finite set X; every trial measures every outcome with noise. A joint path p is
drawn, and targets tau are made of it such that some point x' has tau_i <= p_i(x') for all i: the
maximum over the feasible set, a point of the front. With r_i(x) = (tau_i - mean_i(x)) / std_i(x)

    sum form  x_t = argmax sum_i log Phi(-r_i)           max form  x_t = argmin max_i r_i

the optimism E sum_i (r_i^+)^2 (sum form), E max_i (r_i^+)^2 (max form) is at most a constant of m
and |X|, and from that follow bounds on regrets and violations as for one outcome.

Where constraints may have no feasible point everything is about the problems that have one: P~ is P
given that, its probability is `feasible`, and paths are drawn until they have one too.

`docs/theory.md` has the statements with their proofs, and what is not proved.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from pathmax import arguments
from pathmax.errors import ModelError
from pathmax.theory.confidence import c1

TARGET_FORMS = ("sum", "max")


def optimism_bound(
    form: str = "sum",
    *,
    outcomes: int,
    cardinality: float,
    feasible: float = 1.0,
    draws: int = 1,
) -> float:
    """An upper bound on the mean squared optimism of a step, whatever the data.

    Args:
        form: "sum" bounds E sum_i (r_i^+)^2, "max" bounds E max_i (r_i^+)^2. With one outcome both
            are C_2 of PIMS.
        outcomes: How many, m.
        cardinality: |X|.
        feasible: The prior probability that some point satisfies all constraints; 1 without them.
        draws: Among how many draws of the paths the target may be chosen, by whatever rule.
    """
    m, size = _problem(form, outcomes, cardinality, feasible, draws)
    if form == "max":
        return 2.0 + 2.0 * math.log(m * size / 2.0)
    return _gamma_maximum(m, size)


def _gamma_maximum(m: int, size: float) -> float:
    """2 int_{log 2}^inf min(1, size Q(m, s)) ds, Q the tail of a Gamma(m, 1) variable."""
    from scipy.special import gammaincc, gammainccinv

    start = max(float(gammainccinv(m, 1.0 / size)), math.log(2.0))  # before it the minimum is 1
    # int_a^inf Q(m, s) ds = sum_{k < m} int_a^inf e^-s s^k / k! ds = E (G - a)^+
    tail = m * float(gammaincc(m + 1, start)) - start * float(gammaincc(m, start))
    return 2.0 * (start - math.log(2.0)) + 2.0 * size * tail


def outcome_regret_bound(
    form: str = "sum",
    *,
    horizon: int,
    noise: float,
    gamma: float,
    outcomes: int,
    cardinality: float,
    feasible: float = 1.0,
) -> float:
    """An upper bound on E sum_{t <= T} (tau*_{t,i} - f_i(x_t)), the regret in one outcome.

    tau* is what the truth promises: the target made of f as tau was made of p. The regret has a
    sign: it is negative where an infeasible point is better than the best feasible one. `gamma` is
    the information gain of that outcome, `noise` its variance. With `feasible` below 1 the outcome
    must be independent of the constraints, as the objective is.
    """
    optimism = optimism_bound(form, outcomes=outcomes, cardinality=cardinality, feasible=feasible)
    return math.sqrt(optimism) * _uncertainty(horizon, [noise], [gamma])


def total_regret_bound(
    form: str = "sum",
    *,
    horizon: int,
    noises: Sequence[float],
    gammas: Sequence[float],
    cardinality: float,
) -> float:
    """An upper bound on the regrets of all outcomes together, sum_i E sum_t (tau*_i - f_i(x_t))."""
    if len(noises) != len(gammas) or not noises:
        raise ModelError(
            "noises and gammas need a number for every outcome, got "
            f"{len(noises)} and {len(gammas)}"
        )
    m = len(noises)
    optimism = optimism_bound(form, outcomes=m, cardinality=cardinality)
    if form == "max":
        optimism *= m  # the sum of m squares of which the largest is bounded
    return math.sqrt(optimism) * _uncertainty(horizon, noises, gammas)


def violation_bound(
    form: str = "sum",
    *,
    horizon: int,
    noise: float,
    gamma: float,
    outcomes: int,
    cardinality: float,
    feasible: float = 1.0,
) -> float:
    """An upper bound on E sum_{t <= T} (bound - f_i(x_t))^+, by how much a constraint is violated.

    For an outcome whose target is a constant, its bound, at every step. A trial drawn uniformly
    from the first T violates it by at most a T-th of this on average.
    """
    optimism = optimism_bound(form, outcomes=outcomes, cardinality=cardinality, feasible=feasible)
    doubt = 1.0 / (2.0 * math.pi) + 2.0 * math.log(1.0 / feasible)
    return (math.sqrt(optimism) + math.sqrt(doubt)) * _uncertainty(horizon, [noise], [gamma])


def _uncertainty(horizon: int, noises: Sequence[float], gammas: Sequence[float]) -> float:
    """sqrt(T sum_i C_1 gamma_i): no sum of posterior stds over T steps is larger."""
    T = arguments.count("horizon", horizon, least=1)
    learnt = sum(
        c1(noise) * arguments.at_least("gamma", gamma, 0.0)
        for noise, gamma in zip(noises, gammas, strict=True)
    )
    return math.sqrt(T * learnt)


def _problem(
    form: str, outcomes: int, cardinality: float, feasible: float, draws: int
) -> tuple[int, float]:
    """m, and the number of points that the union bound is over."""
    if form not in TARGET_FORMS:
        raise ModelError(f'form must be "sum" or "max", got {form!r}')
    m = arguments.count("outcomes", outcomes, least=1)
    size = arguments.count("cardinality", cardinality, least=2)
    if not 0.0 < feasible <= 1.0:
        raise ModelError(f"feasible must be a probability above 0, got {feasible!r}")
    return m, size * arguments.count("draws", draws, least=1) / feasible
