"""Spaces as scikit-learn's users write them, and the objects among their choices.

    {"svc__C": Float(1e-3, 1e3, log=True), "svc__kernel": ["rbf", "poly"], "pca": [None, PCA()]}

A list is a choice of its values. A tuple (low, high) of two numbers, also with "uniform" or
"log-uniform" behind them, is a range, as users of BayesSearchCV write it. A study keeps scalars
only, so that an object in a list, an estimator or a tuple, goes by a label made of its text, and is
put back before it is fitted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pathmax.errors import SpaceError
from pathmax.scalars import Scalar, describe, plain
from pathmax.session.opening import SpaceLike, as_domain
from pathmax.space.any_space import AnySpace
from pathmax.space.parameters import Categorical, Float, Int

LONGEST_LABEL = 80
PRIORS = {"uniform": False, "log-uniform": True}  # whether the logarithm is uniform


@dataclass(frozen=True, eq=False)
class EstimatorSpace:
    """What may be tried, for a study; and how its params become those of an estimator."""

    space: SpaceLike
    objects: Mapping[str, Mapping[Scalar, Any]]  # parameter -> label -> object

    @classmethod
    def of(cls, given: Any) -> EstimatorSpace:
        if isinstance(given, list | tuple) or given is None:
            raise SpaceError(
                'space is a dict such as {"C": pathmax.Float(1e-3, 1e3, log=True)}, got '
                f"{describe(given)}; search several spaces one after the other"
            )
        if not isinstance(given, Mapping):
            return cls(given, {})  # a Space, a Grid or a pool of candidates
        space: dict[str, Any] = {}
        objects: dict[str, Mapping[Scalar, Any]] = {}
        for name, values in given.items():
            if (span := span_of(name, values)) is not None:
                space[name] = span
            elif isinstance(values, list | tuple | np.ndarray):
                labels = labelled(list(values))
                space[name] = Categorical(list(labels))
                objects[name] = labels
            elif hasattr(values, "rvs"):
                raise SpaceError(
                    f"{name}: a distribution of scipy has no bounds to search, got "
                    f"{describe(values)}; write pathmax.Float(low, high, log=True), say"
                )
            else:
                space[name] = values
        return cls(space, objects)

    def of_estimator(self, params: Mapping[str, Scalar]) -> dict[str, Any]:
        """The params as the estimator takes them."""
        return {
            name: self.objects[name][value] if name in self.objects else value
            for name, value in params.items()
        }


def span_of(name: str, given: Any) -> Float | Int | None:
    """A range that is written as a tuple; None for everything else."""
    if not isinstance(given, tuple) or len(given) not in (2, 3):
        return None
    low, high, *word = (plain(one) for one in given)
    if isinstance(low, bool) or not isinstance(low, int | float):
        return None
    if isinstance(high, bool) or not isinstance(high, int | float):
        return None
    if word and not isinstance(word[0], str):
        return None
    prior = str(word[0]) if word else "uniform"
    if prior not in PRIORS:
        raise SpaceError(
            f'{name}: a range is (low, high), (low, high, "uniform" or "log-uniform"), '
            f"got {describe(given)}; choices are a list"
        )
    if isinstance(low, int) and isinstance(high, int):
        return Int(low, high, log=PRIORS[prior])
    return Float(low, high, log=PRIORS[prior])


def searchable(given: SpaceLike) -> AnySpace:
    """A space that every candidate of a search can be compared in, or a `SpaceError`."""
    space = as_domain(given)
    if space.fidelity is not None or space.context_names:
        name = space.fidelity[0] if space.fidelity is not None else space.context_names[0]
        raise SpaceError(
            f"{name}: cv_results_ compares all candidates with each other, so that a search takes "
            "no fidelities or contexts; use pathmax.Study with an objective that fits the estimator"
        )
    return space


def labelled(values: list[Any]) -> dict[Scalar, Any]:
    """Each value under a scalar of its own: itself, or its text, numbered where that is needed.

    1, 1.0 and True are equal, and mean different things to an estimator: `max_features=1` is one
    feature, 1.0 all of them.
    """
    labels: dict[Scalar, Any] = {}
    for value in values:
        label = plain(value)
        if isinstance(label, str | int | float | bool | None):
            if any(type(plain(o)) is type(label) and o == label for o in labels.values()):
                continue  # the same twice
            if label not in labels:
                labels[label] = value
                continue
        text = " ".join(str(value).split())[:LONGEST_LABEL]
        label, i = text, 2
        while label in labels:
            label, i = f"{text} ({i})", i + 1
        labels[label] = value
    return labels
