"""Options of methods: each stands with its check, and those that many share stand here.

effort                      of every method that searches with a model
kind, n_features, effort    of every method that draws sample paths
discretization              of pims and ts
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from math import inf
from typing import Any, ClassVar, get_args

import numpy as np
from numpy.typing import ArrayLike

from pathmax.acquisition.step import Choice, Step
from pathmax.acquisition.surfaces.surface import Surface
from pathmax.arguments import real_number, whole_number
from pathmax.errors import SettingsError
from pathmax.gp.paths import PathKind
from pathmax.scalars import describe


def amount(name: str, value: object) -> float:
    return real_number(name, value, "a number, zero or more", lambda v: 0.0 <= v < inf)


def positive_count(name: str, value: object) -> int:
    return whole_number(name, value, 1)


def count_or_none(name: str, value: object) -> int:  # 0 for none
    return whole_number(name, value, 0)


def one_of(*known: str) -> Callable[[str, object], object]:
    """A check for one of some words."""

    def check(name: str, value: object) -> object:
        if value not in known:
            raise SettingsError(f"{name} must be one of {', '.join(known)}, got {describe(value)}")
        return value

    return check


def finite_set(name: str, value: Any) -> Any:  # how many divide an axis, or points (N, d)
    return whole_number(name, value, 2) if np.ndim(value) == 0 else np.asarray(value).tolist()


@dataclass(frozen=True, kw_only=True)
class CheckedMethod(ABC):
    """A method whose options are checked when they are given."""

    name: ClassVar[str]

    @abstractmethod
    def choose(self, step: Step) -> Choice:
        """The point to evaluate next."""

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if value is not None:
                object.__setattr__(self, each.name, each.metadata["check"](each.name, value))


@dataclass(frozen=True, kw_only=True)
class PosteriorMethod(CheckedMethod):
    """A method that looks at posterior means and standard deviations.

    effort  multiplies the looks and the starts of a search in a box or a mixed space
    """

    effort: float = field(default=1.0, metadata={"check": amount})

    def surface(self, step: Step) -> Surface:
        """The posterior on the domain of the step."""
        return step.surface(effort=self.effort)


@dataclass(frozen=True, kw_only=True)
class PathMethod(CheckedMethod):
    """A method that draws sample paths.

    kind        how: "exact", "pathwise" or "rff"; left out, exact on a grid whose kernel is a
                product over the axes and on pools that are small enough for a kernel which asks
                for that (`Kernel.exact_up_to`) or has no random features, pathwise elsewhere
    n_features  random features of a path that is not exact; left out, as `gp.draw_paths` has it
    effort      multiplies the looks and the starts of a search in a box or a mixed space
    """

    kind: PathKind | None = field(default=None, metadata={"check": one_of(*get_args(PathKind))})
    n_features: int | None = field(default=None, metadata={"check": positive_count})
    effort: float = field(default=1.0, metadata={"check": amount})

    def surface(self, step: Step) -> Surface:
        """The posterior on the domain of the step, with the paths that are asked for."""
        return step.surface(kind=self.kind, n_features=self.n_features, effort=self.effort)


@dataclass(frozen=True, kw_only=True)
class OnePathMethod(PathMethod):
    """A method that draws one path and may stay on a finite set, as in the paper's appendix.

    discretization  the finite set X_t in a box: the number of points that divide each axis equally,
                    or points (N, d); the path and the choice are both restricted to it
    """

    discretization: int | ArrayLike | None = field(default=None, metadata={"check": finite_set})
