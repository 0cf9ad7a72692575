"""Fidelity: a parameter that says how closely a trial approximates what is wanted, and its cost.

    Fidelity(1, 81, log=True)                                     epochs, a sample size
    Fidelity(0.01, 1.0, log=True, target=0.01)                    a mesh: the fine end is wanted
    Fidelity(["simulation", "pilot", "plant"], cost=[1, 10, 100]) the last level is wanted

What is wanted is the `target`, an end of the range or the last level; other values are cheaper and
say something about it. In a space a fidelity is a parameter like the others, with a coordinate and
a column: a number, a whole number, or a choice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, final

import numpy as np

from pathmax.arrays import Array
from pathmax.errors import SpaceError
from pathmax.scalars import Scalar, plain
from pathmax.space.axes import Axis
from pathmax.space.categories import Categorical
from pathmax.space.checks import check_names
from pathmax.space.fidelity_cost import (
    DURATION,
    Cost,
    CostFunction,
    checked_cost,
    is_plain_number,
    is_plain_whole,
)
from pathmax.space.parameters import Float, Int
from pathmax.space.refused_keywords import refusing

__all__ = ["Fidelity", "checked_levels", "misplaced", "only_fidelity"]


@final
@refusing("Fidelity")
@dataclass(frozen=True)
class Fidelity:
    """How closely a trial approximates what is wanted.

    Args:
        low: the lowest value, or a list of all: numbers, or levels by name, the target last.
        high: the highest value. With two whole numbers only whole numbers are suggested.
        log: whether orders of magnitude count.
        step: as for `Float`.
        target: what is wanted: `high` by default, or `low`. Of levels the last one.
        cost: what a trial costs. Left out, it is in proportion to the value, and 1 at the target;
            [a, b] are the costs at low and high of a range, with a straight line in between; a list
            has one for each level; a function of the value is not stored, and has to be given
            again; "duration" learns it from how long trials take.

    >>> Fidelity(1, 81, log=True).checked("epochs").parameter
    Int(1, 81, log=True)
    >>> Fidelity(["simulation", "plant"], cost=[1, 100]).checked("site").cost_of("simulation")
    1.0
    """

    low: Any

    high: float | None = None

    log: bool = False

    step: float | None = None

    target: Any = field(default=None, kw_only=True)

    cost: Cost = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        for name in ("low", "cost"):
            value = getattr(self, name)
            if isinstance(value, list):
                object.__setattr__(self, name, tuple(value))

    def checked(self, name: str) -> Fidelity:
        """The same with plain Python values, or a `SpaceError` that names the parameter."""
        given = replace(self, target=None, cost=None)
        parameter = given._parameter().checked(name)
        if isinstance(parameter, Categorical) and len(parameter.choices) < 2:
            raise SpaceError(f"{name}: a fidelity needs at least two levels, got {self.low!r}")
        if isinstance(parameter, Categorical):
            low: Any = parameter.choices
            plainly = Fidelity(low)
        elif isinstance(self.low, Sequence):
            if list(self.low) != sorted(self.low):
                raise SpaceError(
                    f"{name}: list the numbers from the lowest to the highest, got "
                    f"{list(self.low)!r}; sort them"
                )
            plainly = Fidelity(tuple(parameter.values or ()), None, parameter.log)
        else:
            step = None if parameter.step == type(parameter).step else parameter.step
            plainly = Fidelity(parameter.low, parameter.high, parameter.log, step)
        plainly = replace(plainly, target=plainly._checked_target(name, self.target))
        if self.cost is None:
            plainly._check_default_cost(name)
        return replace(plainly, cost=checked_cost(name, self.cost, plainly.levels))

    @cached_property
    def parameter(self) -> Float | Int | Categorical:
        """What a checked one is to the rest of the space."""
        return self._parameter().checked("fidelity")

    def _parameter(self) -> Float | Int | Categorical:
        if not isinstance(self.low, Sequence) or isinstance(self.low, str):
            whole = is_plain_whole(self.low) and is_plain_whole(self.high)
            step = {} if self.step is None else {"step": self.step}
            kind: Any = Int if whole and (self.step is None or is_plain_whole(self.step)) else Float
            return kind(self.low, self.high, self.log, **step)  # type: ignore[no-any-return]
        if not self.low or not all(map(is_plain_number, self.low)):
            return Categorical(self.low)
        if all(map(is_plain_whole, self.low)):
            return Int(values=[plain(value) for value in self.low], log=self.log)  # type: ignore[misc]
        return Float(values=list(self.low), log=self.log)

    @property
    def levels(self) -> tuple[Scalar, ...] | None:
        """The values where they are listed, the cheapest first as a rule."""
        return self.low if isinstance(self.low, tuple) else None

    @property
    def coordinate(self) -> float:
        """The coordinate of the target."""
        parameter: Any = self.parameter
        return float(parameter.encode(self.target))

    @cached_property
    def places(self) -> Array:  # (k,)
        """The coordinates of listed values: such that single precision, as in large pools, has."""
        parameter: Any = self.parameter
        return np.array([np.float32(parameter.encode(level)) for level in self.levels or ()], float)

    @property
    def axis(self) -> Axis:
        """The coordinate of listed values."""
        named = isinstance(self.parameter, Categorical)
        return Axis("categorical" if named else "int", self.places, target=self.coordinate)

    def is_target(self, value: object) -> bool:
        """Whether a value is what is wanted."""
        return bool(value == self.target)

    @property
    def cost_is_learnt(self) -> bool:
        """Whether durations say what a trial costs."""
        return self.cost == DURATION

    def cost_of(self, value: Any) -> float:
        """What a trial of this fidelity costs, as far as it is given; see `suggestion.costs`."""
        if isinstance(self.cost, CostFunction):
            return self.cost.of(value)
        if isinstance(self.cost, tuple) and self.levels is not None:
            return float(self.cost[self.levels.index(value)])
        if isinstance(self.cost, tuple):
            first, last = self.cost
            share = (value - self.low) / (self.high - self.low)
            return float(first + share * (last - first))
        if not is_plain_number(value):  # of levels whose cost is learnt nothing is known
            return 1.0
        upwards = self.target == max(self.parameter.low, self.parameter.high)  # type: ignore[union-attr]
        ratio = value / self.target if upwards else self.target / value
        return float(ratio)

    def _checked_target(self, name: str, given: object) -> Scalar:
        levels = self.levels
        low, high = (self.low, self.high) if levels is None else (levels[0], levels[-1])
        if isinstance(self.parameter, Categorical) and given not in (None, high):
            raise SpaceError(
                f"{name}: of levels the last one is the target, got target={given!r}; put it at "
                "the end of the list"
            )
        if given is None or given == high:
            return high
        if given == low:
            return plain(low)  # type: ignore[return-value]
        raise SpaceError(
            f"{name}: the target is an end of the range, {low!r} or {high!r}, got {given!r}; end "
            "the range where the target is"
        )

    def _check_default_cost(self, name: str) -> None:
        parameter = self.parameter
        if isinstance(parameter, Categorical):
            costs = [10**i for i in range(len(parameter.choices))]
            raise SpaceError(
                f"{name}: say what each level costs, as in cost={costs}, "
                'or cost="duration" to learn it from how long trials take'
            )
        if parameter.low <= 0:
            raise SpaceError(
                f"{name}: a cost in proportion to the value needs values above 0, got "
                f"{parameter.low!r}; give the costs at both ends, as in cost=[1, 10]"
            )

    when: ClassVar[None] = None

    context: ClassVar[bool] = False

    def entries(self) -> dict[str, Any]:
        """What a space file says of it; a function of a program cannot be written down."""
        stored = self.to_json()
        if isinstance(self.cost, CostFunction):
            del stored["cost"]
        return {"type": "fidelity", **stored}

    @property
    def cost_name(self) -> str | None:
        """What the function is called that says the cost, if one does."""
        return self.cost.name if isinstance(self.cost, CostFunction) else None

    def to_json(self) -> dict[str, Any]:
        """What `from_json` makes it from; of a function its name."""
        ends: dict[str, Any] = (
            {"levels": list(self.levels)}
            if self.levels is not None
            else {"low": self.low, "high": self.high}
        )
        stored = {"log": self.log, "step": self.step, "target": self.target}
        cost: Any = list(self.cost) if isinstance(self.cost, tuple) else self.cost
        if isinstance(cost, CostFunction):
            cost = {"function": cost.name}
        said = {key: value for key, value in stored.items() if value not in (None, False)}
        return ends | said | ({} if cost is None else {"cost": cost})

    @classmethod
    def from_json(cls, entry: Mapping[str, Any]) -> Fidelity:
        """The fidelity that `to_json` wrote."""
        more = {key: entry[key] for key in ("log", "step", "target", "cost") if key in entry}
        if "levels" in entry:
            return cls(tuple(entry["levels"]), **more)
        return cls(entry["low"], entry["high"], **more)

    def __repr__(self) -> str:
        given = [repr(list(self.low))] if self.levels is not None else []
        given += [] if given else [repr(self.low), repr(self.high)]
        given += ["log=True"] if self.log else []
        given += [] if self.step is None else [f"step={self.step!r}"]
        if self.target not in (None, self.high if self.levels is None else self.levels[-1]):
            given.append(f"target={self.target!r}")
        if isinstance(self.cost, CostFunction):
            given.append(f"cost={self.cost.name}")
        elif self.cost is not None:
            cost = list(self.cost) if isinstance(self.cost, tuple) else self.cost
            given.append(f"cost={cost!r}")
        return f"Fidelity({', '.join(given)})"


def only_fidelity(
    given: Mapping[str, object], chosen: Sequence[str]
) -> tuple[str, Fidelity] | None:
    """The fidelity among the parameters, or a `SpaceError` where that makes no sense."""
    found = [(name, p) for name, p in given.items() if isinstance(p, Fidelity)]
    if len(found) > 1:
        names = " and ".join(name for name, _ in found)
        raise SpaceError(
            f"a space has one fidelity, got {names}; make one of them the fidelity and fix the "
            "others, or list the combinations as levels of one"
        )
    if found and len(chosen) == 1:
        raise SpaceError(
            f"{found[0][0]}: beside the fidelity there is nothing to search; add a Float, Int or "
            "Categorical"
        )
    return found[0] if found else None


def misplaced(name: str) -> SpaceError:
    """What to tell somebody who gives a fidelity as a column of a pool."""
    return SpaceError(
        f"{name}: a fidelity is no column of the rows, since each may be tried at all its values; "
        f"leave it out and add it with Candidates(...).with_fidelity({name!r}, Fidelity(...))"
    )


def checked_levels(name: str, fidelity: object, there: Sequence[str]) -> Fidelity:
    """A fidelity with listed values, or a `SpaceError`; `there` are the names that are taken."""
    if not isinstance(fidelity, Fidelity):
        raise SpaceError(
            f"{name}: expected a Fidelity such as Fidelity(['quick', 'full'], cost=[1, 20]), got "
            f"{fidelity!r}"
        )
    if name in there:
        raise SpaceError(f"{name}: the pool or grid has this already; call the fidelity otherwise")
    check_names([*there, name])
    checked = fidelity.checked(name)
    if checked.levels is None:
        raise SpaceError(
            f"{name}: rows and points of a grid are tried at listed values, got {fidelity!r}; list "
            "some, as in Fidelity([1, 3, 9, 27])"
        )
    return checked
