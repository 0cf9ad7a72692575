"""Keywords that another kind of parameter has, and what to do where this kind has no use for one.

    @refusing("Fidelity")
    @dataclass(frozen=True)
    class Fidelity: ...

`Fidelity(1, 9, likely=5)` is then a `SpaceError` that says what to do, in Python and in a space
file. A keyword that no kind has is Python's own TypeError: it is a slip of the pen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, TypeVar

from pathmax.errors import SpaceError

Class = TypeVar("Class", bound=type[Any])

UNIT = "put it in the name, as in 'temperature (K)'; a space file has an entry for it"
RANGE_COST = "costs are those of a Fidelity, such as Fidelity(1, 81, cost=[1, 10])"
RANGE_TARGET = "a target is that of a Fidelity; what is sought are the best results"
UNORDERED = "choices have no order; numbers that have one are Float(values=[1, 2, 5]) or Int"
COMPONENTS = "components are those of a Mixture, as in Mixture({'A': (0, 60), 'B': (0, 60)})"
LISTED_FIRST = "list them in the first place"

OF_A_NUMBER = {
    "choices": "list numbers as values=[1, 2, 5]; choices without an order are Categorical([...])",
    "levels": "list numbers as values=[1, 2, 5]; levels with costs are Fidelity([...], cost=[...])",
    "descriptors": "a number says itself what it is like; choices that do not are Categorical",
    "cost": RANGE_COST,
    "target": RANGE_TARGET,
    "total": COMPONENTS,
    "at_most": COMPONENTS,
    "unit": UNIT,
}
INSTEAD: dict[str, dict[str, str]] = {
    "Float": OF_A_NUMBER,
    "Int": OF_A_NUMBER,
    "Categorical": {
        "low": "a range is Float(low, high) or Int(low, high)",
        "high": "a range is Float(low, high) or Int(low, high)",
        "log": UNORDERED,
        "step": UNORDERED,
        "digits": UNORDERED,
        "values": f"{LISTED_FIRST}, as in Categorical(['a', 'b'])",
        "levels": f"{LISTED_FIRST}, as in Categorical(['a', 'b'])",
        "cost": "levels that have a cost are Fidelity(['quick', 'full'], cost=[1, 20])",
        "target": RANGE_TARGET,
        "total": COMPONENTS,
        "at_most": COMPONENTS,
        "unit": UNIT,
    },
    "Fidelity": {
        "likely": "the study chooses it by what a trial tells for its cost; say what you expect "
        "of the parameters that are searched",
        "context": "the study chooses it, and a context is given; if you give it, make it a "
        "Float, Int or Categorical with context=True",
        "when": "every trial has a fidelity; put the condition on another parameter",
        "digits": "say how fine it can be set by a step, or list the values",
        "values": f"{LISTED_FIRST}, as in Fidelity([1, 3, 9])",
        "choices": f"{LISTED_FIRST}, as in Fidelity(['quick', 'full'], cost=[1, 20])",
        "levels": f"{LISTED_FIRST}, as in Fidelity(['quick', 'full'], cost=[1, 20])",
        "descriptors": "how alike levels are is learnt from results; leave it out",
        "total": COMPONENTS,
        "at_most": COMPONENTS,
        "unit": UNIT,
    },
    "Mixture": {
        "likely": "a guess is one of single parameters; tell the results that you have of blends "
        "like it with study.add(...)",
        "context": "its amounts are chosen together; an amount that is given is a Float with "
        "context=True beside the mixture, whose total is then that of the others",
        "when": "a mixture is there whatever is chosen; put the condition on another parameter",
        "low": "each component has its bounds, as in Mixture({'A': (0, 60), 'B': (0, 60)})",
        "high": "each component has its bounds, as in Mixture({'A': (0, 60), 'B': (0, 60)})",
        "log": "amounts add up, so they are on a linear scale; leave it out",
        "digits": "say how fine amounts can be weighed by a step",
        "values": "say how fine amounts can be weighed by a step",
        "choices": COMPONENTS,
        "levels": COMPONENTS,
        "descriptors": "a component is known by its amount; leave it out",
        "cost": RANGE_COST,
        "target": "what amounts add up to is the total",
        "unit": UNIT,
    },
}


def refused(kind: str, keywords: Iterable[str]) -> str | None:
    """What to say of the first keyword that this kind of parameter has no use for, if there is."""
    instead = INSTEAD[kind]
    return next((f"a {kind} takes no {k}: {instead[k]}" for k in keywords if k in instead), None)


def refusing(kind: str) -> Callable[[Class], Class]:
    """A class that refuses keywords of other kinds of parameters with a sentence."""

    def decorate(cls: Class) -> Class:
        made = cls.__init__

        @wraps(made)
        def init(self: Any, *args: Any, **given: Any) -> None:
            if given and (sentence := refused(kind, given)):
                raise SpaceError(sentence)
            made(self, *args, **given)

        cls.__init__ = init
        return cls

    return decorate
