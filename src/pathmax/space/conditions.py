"""Conditions: parameters that exist only where others say so.

    optimizer = Categorical(["adam", "sgd"])
    momentum  = Float(0, 0.99, when="optimizer == 'sgd'")
    nesterov  = Categorical([True, False], when="momentum > 0.5")

A parameter is active where its sentence holds. What a sentence says about a parameter that is not
active itself is neither true nor false, so that `nesterov` is inactive with "adam" too, and so it
would be with when="not (momentum <= 0.5)". Inactive parameters are absent from params, and at a
point their coordinate is `ABSENT`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from pathmax.arrays import Mask
from pathmax.errors import ParamsError, SpaceError
from pathmax.scalars import Scalar, describe
from pathmax.space.checks import with_defaults
from pathmax.space.parameters import Parameter
from pathmax.space.sentence_parts import Variable
from pathmax.space.sentences import Columns, OneRow, Partly, Sentence, truth

__all__ = ["Conditions"]


@final
@dataclass(frozen=True, eq=False)
class Conditions:
    """The sentences of the conditional parameters, each after those that it depends on."""

    sentences: Mapping[str, Sentence]

    @classmethod
    def read(
        cls, parameters: Mapping[str, Parameter], variables: Mapping[str, Variable]
    ) -> Conditions | None:
        """The conditions of some parameters; None when there are none."""
        stated = {name: p.when for name, p in parameters.items() if p.when is not None}
        if not stated:
            return None
        read = {}
        for name, text in stated.items():
            try:
                read[name] = Sentence.read(text, variables)
            except SpaceError as error:
                raise SpaceError(f"{name}: in its condition, {error}") from error
        return cls(_in_order(read))

    def active(self, params: Mapping[str, Scalar]) -> dict[str, Scalar]:
        """The active ones of params that have a value for every parameter."""
        there = self.masks(OneRow(params))
        return {name: value for name, value in params.items() if name not in there or there[name]}

    def validate(
        self,
        params: Mapping[str, object],
        parameters: Mapping[str, Parameter],
        fixed: Mapping[str, object],
    ) -> dict[str, Scalar]:
        """`params` with plain values for the active parameters, or a `ParamsError`.

        For an inactive parameter nothing may be given, or None or NaN, as tables have it.
        """
        defaults = {name: None for name in self.sentences} | dict(fixed)
        given = with_defaults(params, tuple(parameters), defaults)
        clean: dict[str, Scalar] = {}
        for name in [*(n for n in parameters if n not in self.sentences), *self.sentences]:
            if name not in self.sentences or self.holds(name, clean):
                if name not in params and name in self.sentences:
                    raise ParamsError(
                        f"{name}: no value given, and it is active here, since "
                        f"{self.sentences[name].text}; give a value"
                    )
                clean[name] = parameters[name].clean(name, given[name])
            elif not _missing(given[name]):
                raise ParamsError(
                    f"{name}: is not active here, since {self.sentences[name].text} does not hold, "
                    f"got the value {describe(given[name])}; leave {name} out, or correct the "
                    "others"
                )
        return {name: clean[name] for name in parameters if name in clean}

    def holds(self, name: str, params: Mapping[str, Scalar]) -> bool:
        """Whether a parameter is active, given the active ones that come before it in order."""
        absent = {other: np.zeros(1, dtype=bool) for other in self.deciding if other not in params}
        return bool(truth(self.sentences[name].meaning, Partly(OneRow(params), absent))[0][0])

    def masks(self, columns: Columns) -> dict[str, Mask]:  # each (m,)
        """Where each conditional parameter is active."""
        rows = Partly(columns, {})
        for name, sentence in self.sentences.items():
            rows.present[name] = truth(sentence.meaning, rows)[0]
        return rows.present

    @cached_property
    def deciding(self) -> tuple[str, ...]:
        """The parameters that sentences mention."""
        return tuple(dict.fromkeys(name for s in self.sentences.values() for name in s.names))


def _missing(value: object) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def _in_order(sentences: Mapping[str, Sentence]) -> dict[str, Sentence]:
    """Each sentence after those of the parameters that it mentions; refuses circles."""
    ordered: dict[str, Sentence] = {}
    left = dict(sentences)
    while left:
        ready = [n for n, s in left.items() if not any(other in left for other in s.names)]
        if not ready:
            raise SpaceError(_circle(left))
        for name in ready:
            ordered[name] = left.pop(name)
    return ordered


def _circle(left: Mapping[str, Sentence]) -> str:
    path = [next(iter(left))]
    while path.count(path[-1]) < 2:
        path.append(next(other for other in left[path[-1]].names if other in left))
    circle = path[path.index(path[-1]) :]
    if len(circle) == 2:
        return f"{circle[0]}: its condition is about itself ({left[circle[0]].text!r}); change it"
    return (
        f"{circle[0]}: conditions go round in a circle, {' on '.join(circle)}: each depends on the "
        "next; one of them must not depend on another"
    )
