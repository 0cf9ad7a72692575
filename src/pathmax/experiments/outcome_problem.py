"""A problem with constraints or several objectives, and how results on it are judged.

    problem = outcome_problems.welded_beam()
    outcomes = problem(params)                          {"cost": 2.1, "c1": -310.0, ...}
    problem.feasible(outcomes)
    problem.best([outcomes, ...])                       the best feasible value so far
    problem.hypervolume([outcomes, ...])                of the feasible ones, several objectives

All objectives are minimised and all constraints are met at values of at most 0.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Mapping

import numpy as np

from pathmax.acquisition.hypervolume import hypervolume
from pathmax.errors import ModelError
from pathmax.experiments.emulation.formulas import Inputs
from pathmax.space.space import Space


@dataclasses.dataclass(frozen=True, eq=False)
class OutcomeProblem:
    """Outcomes of parameters, with what is known about them. Call it to observe them once.

    name              what reports call it
    space             a `Space`
    function          params -> every outcome
    objectives        the names of those to minimise
    constraints       the names of those that must be at most 0
    optimum           the best feasible value, with one objective
    reference         what hypervolumes are measured from, a number for each objective
    best_hypervolume  that of the true front, or of the best known one
    """

    name: str
    space: Space
    function: Callable[[Inputs], dict[str, float]]
    objectives: tuple[str, ...]
    constraints: tuple[str, ...] = ()
    optimum: float | None = None
    reference: tuple[float, ...] | None = None
    best_hypervolume: float | None = None

    @property
    def dimension(self) -> int:
        """How many parameters there are."""
        return self.space.dimension

    def __call__(self, params: Inputs) -> dict[str, float]:
        return self.function(params)

    def feasible(self, outcomes: Mapping[str, float]) -> bool:
        """Whether every constraint is met."""
        return all(outcomes[name] <= 0.0 for name in self.constraints)

    def best(self, results: Iterable[Mapping[str, float]]) -> float:
        """The lowest feasible value; infinity when nothing is feasible."""
        if len(self.objectives) != 1:
            raise ModelError(f"{self.name} has several objectives; compare by hypervolume")
        name = self.objectives[0]
        return min((r[name] for r in results if self.feasible(r)), default=math.inf)

    def hypervolume(self, results: Iterable[Mapping[str, float]]) -> float:
        """What the feasible results dominate, up to the reference."""
        if self.reference is None:
            raise ModelError(f"{self.name} has one objective; compare by its best value")
        rows = [[-r[name] for name in self.objectives] for r in results if self.feasible(r)]
        if not rows:
            return 0.0
        return hypervolume(np.array(rows), -np.array(self.reference))
