"""The BBOB functions of COCO, from the `ioh` package, behind the line protocol."""

from __future__ import annotations

import ioh
from link import serve


class Bbob:
    def __init__(self) -> None:
        self.problems: dict[tuple[int, int, int], ioh.problem.RealSingleObjective] = {}

    def problem(
        self, function: int, instance: int, dimension: int
    ) -> ioh.problem.RealSingleObjective:
        key = (function, instance, dimension)
        if key not in self.problems:
            self.problems[key] = ioh.get_problem(
                function,
                instance=instance,
                dimension=dimension,
                problem_class=ioh.ProblemClass.BBOB,
            )
        return self.problems[key]

    def evaluate(self, function: int, instance: int, dimension: int, x: list[float]) -> float:
        """f(x) - f(optimum) at x in [-5, 5]^d."""
        problem = self.problem(function, instance, dimension)
        return float(problem(x)) - float(problem.optimum.y)

    def minimum(self, function: int, instance: int, dimension: int) -> list[float]:
        """Where the minimum is."""
        return [float(x) for x in self.problem(function, instance, dimension).optimum.x]

    def version(self) -> str:
        return str(ioh.__version__)


if __name__ == "__main__":
    serve(Bbob())
