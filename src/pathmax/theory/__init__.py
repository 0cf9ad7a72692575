"""What is proved about posterior sampling, as functions.

The theory is that of Takeno, Inatsu, Karasuyama and Takeuchi, "Posterior Sampling-Based Bayesian
Optimization with Tighter Bayesian Regret Bounds"; each function names its theorem or lemma there.
In words: when the objective is a draw from the Gaussian process that models it, the regret that a
method is expected to accumulate over T evaluations is at most

    sqrt(  C_1 gamma_T  x  T C_2  )
           |                 |
           |                 how optimistic a path maximum can be:    c2, s_t, m_t
           how much there is to learn:    c1, maximum_information_gain

    gamma = theory.maximum_information_gain(kernel, X, horizon=200, noise=1e-6)
    theory.bcr_bound(method="pims", horizon=200, noise=1e-6, gamma=gamma.upper, cardinality=len(X))

The paper takes k(x, x) = 1. Here a kernel may have any output scale s^2: f / s is a process of
unit variance observed with noise sigma^2 / s^2, so every bound is computed for f / s and then
multiplied by s.
"""

from pathmax.theory.bounds import bcr_bound, bsr_bound
from pathmax.theory.confidence import (
    TwoParameterExponential,
    c1,
    c2,
    confidence_beta,
    gp_ucb_beta,
    irgp_ucb_zeta,
    variance_floor,
)
from pathmax.theory.growth import Growth, information_growth
from pathmax.theory.information import (
    MaximumInformationGain,
    information_gain,
    maximum_information_gain,
)
from pathmax.theory.lattices import (
    deviation_error,
    lattice_points,
    lattice_set,
    m_t,
    path_error,
    s_t,
)
from pathmax.theory.outcomes import (
    optimism_bound,
    outcome_regret_bound,
    total_regret_bound,
    violation_bound,
)
from pathmax.theory.smoothness import DerivativeTail, derivative_tail, expected_slope, lipschitz_std
from pathmax.theory.tails import high_probability_bound, normal_tail, optimism_tail

__all__ = [
    "DerivativeTail",
    "Growth",
    "MaximumInformationGain",
    "TwoParameterExponential",
    "bcr_bound",
    "bsr_bound",
    "c1",
    "c2",
    "confidence_beta",
    "derivative_tail",
    "deviation_error",
    "expected_slope",
    "gp_ucb_beta",
    "high_probability_bound",
    "information_gain",
    "information_growth",
    "irgp_ucb_zeta",
    "lattice_points",
    "lattice_set",
    "lipschitz_std",
    "m_t",
    "maximum_information_gain",
    "normal_tail",
    "optimism_bound",
    "optimism_tail",
    "outcome_regret_bound",
    "path_error",
    "s_t",
    "total_regret_bound",
    "variance_floor",
    "violation_bound",
]
