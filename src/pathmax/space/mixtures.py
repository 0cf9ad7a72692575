"""Mixture: components whose amounts add up to a total, of which only some may be present.

    Mixture({"A": (0, 60), "B": (0, 60), "C": (5, 60)}, total=100, at_most=2)

Each component is a parameter of its own, with a coordinate, a column and a name. That the amounts
add up, and that few are present, are known constraints of the space. A suggestion is rounded to
what can be weighed, the `step`, by largest remainders, so that it still adds up.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar, final

import numpy as np

from pathmax.arrays import Array, Mask
from pathmax.errors import SpaceError
from pathmax.scalars import Scalar, describe
from pathmax.space.checks import check_names, finite_bound, whole_bound
from pathmax.space.refused_keywords import refusing
from pathmax.space.sentence_meaning import quoted
from pathmax.space.sentence_parts import Variable
from pathmax.space.sentences import Columns, Sentence

__all__ = ["Mixture"]

FINEST = 6  # digits below a thousandth of the total that a step is looked for in


@final
@refusing("Mixture")
@dataclass(frozen=True)
class Mixture:
    """Amounts that add up to a total.

    Args:
        components: the least and the greatest amount of each by name. A component whose least
            amount is above 0 is always present.
        total: what they add up to: 100 for percent, 1 for fractions.
        at_most: how many components may be present, that is above 0; all of them when left out.
        step: the precision to which amounts can be weighed; by default a thousandth of the total,
            or finer where the bounds are.

    >>> Mixture({"A": (0, 60), "B": (0, 60), "C": (5, 60)}, total=100).checked("blend").step
    0.1
    """

    components: Mapping[str, tuple[float, float]]
    total: float = 1.0
    at_most: int | None = None
    step: float | None = None

    def checked(self, name: str) -> Mixture:
        """The same with plain numbers and its step, or a `SpaceError` that names the mixture."""
        if not isinstance(self.components, Mapping) or len(self.components) < 2:
            raise SpaceError(
                f"{name}: a mixture needs at least two components such as "
                f"{{'A': (0, 60), 'B': (0, 100)}}, got {describe(self.components)}"
            )
        check_names(self.components)
        total = finite_bound(name, "total", self.total)
        if total <= 0.0:
            raise SpaceError(f"{name}: total must be above 0, got {self.total!r}")
        bounds = {part: _bounds(part, given) for part, given in self.components.items()}
        low, high = sum(b[0] for b in bounds.values()), sum(b[1] for b in bounds.values())
        if not low <= total * (1 + 1e-12) or not high >= total * (1 - 1e-12):
            raise SpaceError(
                f"{name}: the components add up to between {low:g} and {high:g}, never to the "
                f"total {total:g}; change the bounds or the total"
            )
        checked = Mixture(bounds, total, self._checked_count(name, bounds, total), None)
        return Mixture(bounds, total, checked.at_most, checked._weighable(name, self.step))

    def _checked_count(
        self, name: str, bounds: Mapping[str, tuple[float, float]], total: float
    ) -> int | None:
        if self.at_most is None:
            return None
        most = whole_bound(name, "at_most", self.at_most)
        always = sum(low > 0.0 for low, _ in bounds.values())
        if most < max(always, 1):
            raise SpaceError(
                f"{name}: at_most must be at least {max(always, 1)}, since {always} components "
                f"have a least amount above 0, got {most}; raise it or lower their bounds"
            )
        highs = sorted((high for low, high in bounds.values() if low == 0.0), reverse=True)
        reach = sum(high for low, high in bounds.values() if low > 0.0)
        reach += sum(highs[: most - always])
        if reach < total * (1 - 1e-12):
            raise SpaceError(
                f"{name}: {most} components add up to at most {reach:g}, never to the total "
                f"{total:g}; raise at_most or the bounds"
            )
        return most if most < len(bounds) else None

    def _weighable(self, name: str, given: object) -> float:
        """The step, of which all bounds and the total are whole multiples."""
        numbers = [self.total, *(bound for pair in self.components.values() for bound in pair)]
        if given is not None:
            step = finite_bound(name, "step", given)
            if step > 0.0 and all(_is_multiple(x, step) for x in numbers):
                return step
            odd = next((x for x in numbers if step <= 0.0 or not _is_multiple(x, step)), self.total)
            raise SpaceError(
                f"{name}: the total and all bounds must be whole multiples of the step, got "
                f"step={given!r} and {odd:g}; change one of them"
            )
        digits = math.floor(math.log10(self.total) + 1e-9) - 3
        for finer in range(FINEST):
            step = float(Decimal(10) ** (digits - finer))
            if all(_is_multiple(x, step) for x in numbers):
                return step
        raise SpaceError(
            f"{name}: the bounds have too many digits to be weighed; round them, or give a step"
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The components, in order."""
        return tuple(self.components)

    @property
    def text(self) -> str:
        """That they add up, as a sentence."""
        return f"{' + '.join(map(quoted, self.names))} == {self.total!r}"

    def sentence(self, variables: Mapping[str, Variable]) -> Sentence:
        """That they add up."""
        return Sentence.read(self.text, variables)

    @property
    def count_words(self) -> str:
        """How many may be present, in words."""
        return f"at most {self.at_most} of {', '.join(self.names)} are present"

    def count_holds(self, columns: Columns) -> Mask:  # -> (m,)
        """Whether no more components are present than may be."""
        if self.at_most is None:
            return np.ones(len(columns), dtype=bool)
        present = [columns.numbers(name) > 0.0 for name in self.names]
        return np.asarray(np.sum(present, axis=0) <= self.at_most)

    @property
    def occasional(self) -> tuple[tuple[str, ...], int] | None:
        """The components that may be absent, and how many of them may be present at a time."""
        if self.at_most is None:
            return None
        names = tuple(name for name, (low, _) in self.components.items() if low == 0.0)
        return names, self.at_most - (len(self.components) - len(names))

    def weighed(self, params: Mapping[str, Scalar]) -> dict[str, Scalar]:
        """The nearest amounts that can be weighed and add up, few enough of them above 0."""
        assert self.step is not None, "a mixture of a space is checked"
        low, high = np.array(list(self.components.values())).T
        amounts = np.array([float(params[name] or 0.0) for name in self.names])
        high = np.where(self._present(amounts), high, 0.0)
        unit, least = self.step, np.round(low / self.step)
        most, whole = np.round(high / unit), round(self.total / unit)
        wanted = _shifted(amounts / unit, least, most, whole)
        steps = np.clip(np.floor(wanted + 1e-7), least, most)
        left = round(whole - float(steps.sum()))
        rest = np.where(wanted > 0.0, wanted - steps, -1.0)  # what is absent stays absent
        for i in np.argsort(-rest, kind="stable").tolist() * 2:
            if left > 0 and steps[i] < most[i]:
                steps[i], left = steps[i] + 1, left - 1
        for i in np.argsort(rest, kind="stable").tolist() * 2:
            if left < 0 and steps[i] > least[i]:
                steps[i], left = steps[i] - 1, left + 1
        exact = Decimal(repr(unit))
        return {
            name: float(exact * int(k)) for name, k in zip(self.names, steps.tolist(), strict=True)
        }

    def with_amount(
        self, params: Mapping[str, Scalar], name: str, value: Scalar
    ) -> dict[str, Scalar]:
        """The amounts with another one of a component; the others keep their ratios (Cox, 1971).

        Where their bounds do not allow that, they come as near to it as they can; where no
        amounts of the others make up the total, the sum is missed.
        """
        low, high = np.array(list(self.components.values())).T
        amounts = np.array([float(params[part] or 0.0) for part in self.names])
        i, wanted = self.names.index(name), float(value or 0.0)
        rest, left = amounts.sum() - amounts[i], self.total - wanted
        amounts = amounts * left / rest if rest > 0.0 else np.full(len(amounts), left)
        low[i] = high[i] = amounts[i] = wanted
        low, high = low / self.total, high / self.total
        amounts = _shifted(np.clip(amounts / self.total, low, high), low, high, 1.0)
        return dict(zip(self.names, (amounts * self.total).tolist(), strict=True)) | {name: value}

    def _present(self, amounts: Array) -> Mask:
        """The components that stay: those that must, and the largest of the others."""
        stay = np.array([low > 0.0 for low, _ in self.components.values()])
        few = self.occasional
        if few is None:
            return np.ones(len(amounts), dtype=bool)
        order = np.argsort(-np.where(stay, -np.inf, amounts), kind="stable")
        high = np.array([high for _, high in self.components.values()])
        chosen, left = order[: few[1]].tolist(), order[few[1] :].tolist()
        left = sorted((i for i in left if not stay[i]), key=lambda i: high[i])
        for k in reversed(range(len(chosen))):  # the smallest makes room where the total is not met
            if left and high[stay].sum() + high[chosen].sum() < self.total - 0.5 * (self.step or 0):
                chosen[k] = max(chosen[k], left.pop(), key=lambda i: high[i])
        stay[chosen] = True
        return stay

    when: ClassVar[None] = None
    context: ClassVar[bool] = False

    def entries(self) -> dict[str, Any]:
        """What a space file says of it."""
        parts = {name: list(bounds) for name, bounds in self.components.items()}
        count = {} if self.at_most is None else {"at_most": self.at_most}
        return {"components": parts, "total": self.total, "step": self.step} | count

    def to_json(self) -> dict[str, Any]:
        """Its fields; those that say nothing are left out."""
        parts = [{"name": n, "low": a, "high": b} for n, (a, b) in self.components.items()]
        count = {} if self.at_most is None else {"at_most": self.at_most}
        return {"components": parts, "total": self.total, "step": self.step} | count

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Mixture:
        """The mixture that `to_json` wrote."""
        components = {part["name"]: (part["low"], part["high"]) for part in data["components"]}
        return cls(components, data["total"], data.get("at_most"), data["step"])

    def __repr__(self) -> str:
        count = "" if self.at_most is None else f", at_most={self.at_most}"
        step = "" if self.step is None else f", step={self.step!r}"
        parts = dict(self.components) if isinstance(self.components, Mapping) else self.components
        return f"Mixture({parts!r}, total={self.total!r}{count}{step})"

    def __hash__(self) -> int:
        return hash((tuple(self.components), self.total, self.at_most, self.step))


def _bounds(name: str, given: object) -> tuple[float, float]:
    pair = list(given) if isinstance(given, tuple | list) else []
    if len(pair) != 2:
        raise SpaceError(
            f"{name}: a component has a least and a greatest amount, as in (0, 60), got "
            f"{describe(given)}"
        )
    low, high = finite_bound(name, "low", pair[0]), finite_bound(name, "high", pair[1])
    if not 0.0 <= low <= high or high == 0.0:
        raise SpaceError(
            f"{name}: amounts are 0 or more, and the greatest is not below the least, got "
            f"({low:g}, {high:g})"
        )
    return low, high


def _is_multiple(x: float, step: float) -> bool:
    return abs(x / step - round(x / step)) <= 1e-6


def _shifted(x: Array, low: Array, high: Array, total: float) -> Array:
    """The nearest numbers between bounds that add up to a total, by bisection of their shift.

    Amounts of 0 are shifted last: what is absent stays so where that is possible.
    """
    if abs(x.sum() - total) <= 1e-6 * max(total, 1.0):
        return np.clip(x, low, high)
    for moving in (x > 0.0, np.ones(len(x), dtype=bool)):
        reach = float(np.abs(x).max() + high.max()) + 1.0
        below, above = -reach, reach
        for _ in range(80):
            middle = 0.5 * (below + above)
            y = np.clip(np.where(moving, x + middle, x), low, high)
            below, above = (middle, above) if y.sum() < total else (below, middle)
        if abs(y.sum() - total) <= 1e-3:
            break
    return np.asarray(y)
