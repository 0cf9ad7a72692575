"""Acquisitions: which point to evaluate next, given a posterior."""

from typing import TYPE_CHECKING

from pathmax.lazy_names import on_first_use

if TYPE_CHECKING:
    from pathmax.acquisition import methods  # noqa: F401  of the package, no public name
    from pathmax.acquisition.choice import choose
    from pathmax.acquisition.entropy import Jes, Mes
    from pathmax.acquisition.entropy_search import Es
    from pathmax.acquisition.improvement import Ei, Eims, GpEst, Pi
    from pathmax.acquisition.improvement_rules import ExpectedImprovement, ProbabilityOfImprovement
    from pathmax.acquisition.knowledge_gradient import Kg
    from pathmax.acquisition.methods import METHODS, Method, Random, register
    from pathmax.acquisition.pending import believe
    from pathmax.acquisition.pims import Pims
    from pathmax.acquisition.predictive_entropy import Pes
    from pathmax.acquisition.scores import PointScore, Rule
    from pathmax.acquisition.step import Choice, Step
    from pathmax.acquisition.thompson import Ts
    from pathmax.acquisition.ucb import GpUcb, IrgpUcb, UpperConfidence
    from pathmax.search.box import Box
    from pathmax.search.domains import Domain, Maximum
    from pathmax.search.maximization import maximize
    from pathmax.search.mixed_domain import Mixed
    from pathmax.search.rows import GridDomain, Pool
    from pathmax.search.scores import Score

__all__ = [
    "METHODS",
    "Box",
    "Choice",
    "Domain",
    "Ei",
    "Eims",
    "Es",
    "ExpectedImprovement",
    "GpEst",
    "GpUcb",
    "GridDomain",
    "IrgpUcb",
    "Jes",
    "Kg",
    "Maximum",
    "Mes",
    "Method",
    "Mixed",
    "Pes",
    "Pi",
    "Pims",
    "PointScore",
    "Pool",
    "ProbabilityOfImprovement",
    "Random",
    "Rule",
    "Score",
    "Step",
    "Ts",
    "UpperConfidence",
    "believe",
    "choose",
    "maximize",
    "register",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = on_first_use(
        __name__,
        {
            "": "methods",
            "choice": "choose",
            "entropy": "Jes Mes",
            "entropy_search": "Es",
            "improvement": "Ei Eims GpEst Pi",
            "improvement_rules": "ExpectedImprovement ProbabilityOfImprovement",
            "knowledge_gradient": "Kg",
            "methods": "METHODS Method Random register",
            "pending": "believe",
            "pims": "Pims",
            "predictive_entropy": "Pes",
            "scores": "PointScore Rule",
            "step": "Choice Step",
            "thompson": "Ts",
            "ucb": "GpUcb IrgpUcb UpperConfidence",
            "pathmax.search.box": "Box",
            "pathmax.search.domains": "Domain Maximum",
            "pathmax.search.maximization": "maximize",
            "pathmax.search.mixed_domain": "Mixed",
            "pathmax.search.rows": "GridDomain Pool",
            "pathmax.search.scores": "Score",
        },
    )
