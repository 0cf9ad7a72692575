"""Older results: what an earlier study, or a table, knows that this one learns from.

They are stored with the study, rows and all, so that it goes on and replays wherever it is opened
and whatever becomes of the study that they came from. They are no trials of it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from pathmax.arrays import Array
from pathmax.errors import ParamsError
from pathmax.scalars import Scalar
from pathmax.space.any_space import AnySpace
from pathmax.trials.history import Observations

MOST_LENT = 500  # rows of an older study: a model of them is asked as often as the study's own
BEST = 0.25  # of them are those with the best results, the others are spread over time


@final
@dataclass(frozen=True, eq=False)
class OlderResults:
    """The rows of an older study: their params, and what came out, None where it is not known."""

    name: str
    params: tuple[Mapping[str, Scalar], ...]
    outcomes: Mapping[str, tuple[float | None, ...]]
    noises: Mapping[str, tuple[float | None, ...]] = field(default_factory=dict)  # variances
    kept: dict[Any, Any] = field(default_factory=dict, repr=False)  # models that were made of it

    def __len__(self) -> int:
        return len(self.params)

    def observed(self, outcome: str, space: AnySpace) -> Observations:
        """Its results of an outcome that lie in a space."""
        told = self.outcomes.get(outcome, ())
        variances = self.noises.get(outcome, (None,) * len(told))
        points, values, noises = [], [], []
        for params, value, variance in zip(self.params, told, variances, strict=False):
            u = None if value is None else point_of(space, params)
            if u is not None:
                points.append(u)
                values.append(value)
                noises.append(np.nan if variance is None else variance)
        X = np.array(points, dtype=float).reshape(-1, space.dimension)
        return Observations(X, np.array(values, dtype=float), np.array(noises, dtype=float))

    def remembered(self, key: Any, make: Callable[[], Any]) -> Any:
        """What was made of these results before, under a key."""
        if key not in self.kept:
            self.kept[key] = make()
        return self.kept[key]

    def to_json(self) -> dict[str, Any]:
        """A dict that `json.dumps` takes."""
        return {
            "name": self.name,
            "params": [dict(one) for one in self.params],
            "outcomes": {name: list(column) for name, column in self.outcomes.items()},
            **({"noises": {n: list(c) for n, c in self.noises.items()}} if self.noises else {}),
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> OlderResults:
        """What `to_json` wrote."""
        return cls(
            str(stored["name"]),
            tuple(dict(one) for one in stored["params"]),
            {name: tuple(column) for name, column in stored["outcomes"].items()},
            {name: tuple(column) for name, column in stored.get("noises", {}).items()},
        )


def point_of(space: AnySpace, params: Mapping[str, Scalar]) -> Array | None:  # -> (d,)
    """Where params lie in a space, at the target unless they say another fidelity, or None."""
    try:
        return space.locate(space.aimed(params))[0]
    except ParamsError:
        return None


def as_json(older: Sequence[OlderResults]) -> list[dict[str, Any]]:
    """What is stored with a study."""
    return [one.to_json() for one in older]


def same_results(one: Sequence[OlderResults], other: Sequence[OlderResults]) -> bool:
    """Whether two studies learn from the same."""
    return json.dumps(as_json(one)) == json.dumps(as_json(other))
