"""The problems of the efficiency benchmark; every one is a loss to be minimised.

`development()` is the suite that the project reports; `held_out()` holds other BBOB functions,
instances and dimensions, used to choose defaults so that the reported suite is not what they were
fitted to.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from benchmarks import tuning
from benchmarks.classics import Classic, classics
from benchmarks.peers import Peer
from pathmax.experiments import problems

Parameter = dict[str, Any]
Params = dict[str, Any]


@dataclass(frozen=True)
class Problem:
    """A named loss; `repeats` runs of it enter the table, each with its own seed."""

    name: str
    space: list[Parameter]
    loss: Callable[[Params], float]
    repeats: int = 5
    noise: float = 0.0  # standard deviation of what is told; traces keep the loss itself


def box(low: float, high: float, dimension: int) -> list[Parameter]:
    return [{"name": f"x{j}", "kind": "float", "low": low, "high": high} for j in range(dimension)]


def coordinates(params: Params) -> np.ndarray:  # -> (d,)
    return np.array([params[f"x{j}"] for j in range(len(params))])


@cache
def _bbob_worker() -> Peer:
    return Peer("ioh")


def bbob(function: int, dimension: int, instance: int, repeats: int = 1) -> Problem:
    """A BBOB function on [-5, 5]^d, as the distance of its value from the optimum."""

    def loss(params: Params) -> float:
        return float(
            _bbob_worker().call(
                "evaluate",
                function=function,
                instance=instance,
                dimension=dimension,
                x=coordinates(params).tolist(),
            )
        )

    return Problem(f"f{function}-{dimension}d-i{instance}", box(-5, 5, dimension), loss, repeats)


def bbob_minimum(function: int, dimension: int, instance: int) -> np.ndarray:  # -> (d,)
    """Where a BBOB function has its minimum."""
    which = {"function": function, "instance": instance, "dimension": dimension}
    return np.array(_bbob_worker().call("minimum", **which))


def ours(name: str) -> Problem:
    """A problem of `pathmax.experiments.problems`, as the distance from its optimum."""
    problem = getattr(problems, name)()
    space = [
        {"name": key, "kind": "float", "low": value.low, "high": value.high, "log": value.log}
        for key, value in problem.space.parameters.items()
    ]
    return Problem(problem.name, space, problem.regret)


def classic(one: Classic, repeats: int = 2) -> Problem:
    space = box(one.low, one.high, one.dimension)
    return Problem(one.name, space, lambda p: one.loss(coordinates(p)), repeats, one.noise)


def development() -> list[Problem]:
    """BBOB f1, f8, f10, f15, f21, f24 in d = 2, 5, 10, five instances each, one seed an instance;
    and nine more problems with five seeds each."""
    chosen = [
        bbob(function, dimension, instance)
        for instance in (1, 2, 3, 4, 5)
        for function in (1, 8, 10, 15, 21, 24)
        for dimension in (2, 5, 10)
    ]
    names = ("branin", "hartmann6", "ackley", "shekel", "alkox", "fullerenes")
    chosen += [ours(name) for name in names]
    chosen += [Problem(one.name, one.space, one.loss) for one in tuning.problems()]
    return chosen


def held_out() -> list[Problem]:
    """The other BBOB functions, on other instances and mostly in other dimensions."""
    return [
        bbob(function, dimension, instance)
        for function in (2, 3, 5, 6, 7, 9, 11, 12, 13, 14, 16, 17, 18, 19, 20, 22, 23)
        for dimension, instance in ((2, 11), (5, 11), (3, 12), (8, 12))
    ]


def textbook() -> list[Problem]:
    """Textbook functions and stand-ins for experiments, some with noise; two seeds each."""
    return [classic(one) for one in classics()]


def quick() -> list[Problem]:
    """Six problems for a first look, one run each."""
    chosen = [bbob(f, d, 1) for f in (8, 21) for d in (2, 5)]
    return chosen + [replace(ours(name), repeats=1) for name in ("branin", "hartmann6")]


SUITES: dict[str, Callable[[], list[Problem]]] = {
    "development": development,
    "held-out": held_out,
    "textbook": textbook,
    "quick": quick,
}
