"""What a method is, and the methods by name.

A method is a frozen dataclass: its fields are its options, `name` is the name that studies store,
and `choose` makes a choice. One of your own is used like ours:

    @dataclass(frozen=True)
    class Optimist:
        name: ClassVar[str] = "optimist"
        width: float = 2.0

        def choose(self, step: Step) -> Choice:
            surface = step.surface()
            return step.choice(surface, surface.top(UpperConfidence(self.width)))

    study = Study(space, method=Optimist(width=3.0))
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, ClassVar, Protocol, TypeVar, final

import numpy as np

from pathmax.acquisition.entropy import Jes, Mes
from pathmax.acquisition.entropy_search import Es
from pathmax.acquisition.improvement import Ei, Eims, GpEst, Pi
from pathmax.acquisition.knowledge_gradient import Kg
from pathmax.acquisition.options import CheckedMethod
from pathmax.acquisition.pims import Pims
from pathmax.acquisition.predictive_entropy import Pes
from pathmax.acquisition.step import Choice, Step
from pathmax.acquisition.thompson import Ts
from pathmax.acquisition.ucb import GpUcb, IrgpUcb
from pathmax.errors import SettingsError
from pathmax.scalars import describe


class Method(Protocol):
    """How to choose the next point. An implementation is a frozen dataclass.

    Its fields are the options. They are stored as JSON, and the method is made from them again: so
    each has a default, and is a number, a text, True or False, None, or a list of these. A choice
    must follow from the options and the step alone; then suggestions can be replayed.
    """

    name: ClassVar[str]

    def choose(self, step: Step) -> Choice:
        """The point to evaluate next."""


@final
@dataclass(frozen=True, kw_only=True)
class Random(CheckedMethod):
    """A point drawn uniformly from those that may be chosen."""

    name: ClassVar[str] = "random"

    def choose(self, step: Step) -> Choice:
        return Choice(*step.domain.random(step.rng))


OUR_METHODS = (Pims, Ts, GpUcb, IrgpUcb, Ei, Pi, Mes, Jes, Eims, GpEst, Random, Es, Pes, Kg)
METHODS = tuple(method.name for method in OUR_METHODS)
_registered: dict[str, type[Method]] = {method.name: method for method in OUR_METHODS}

NEEDED = (
    "a method is the name of one, or a frozen dataclass with a name and choose(step), such as "
    "pathmax.acquisition.Pims, got "
)
AMethod = TypeVar("AMethod", bound=type[Method])


def register(method: AMethod) -> AMethod:
    """Make a method known by its name, so that studies stored with it can go on in this process.

    Giving an object of it to a study does the same. A class replaces an earlier one of its name.
    """
    given: Any = method
    if not isinstance(given, type) or not is_dataclass(given) or not hasattr(given, "choose"):
        raise SettingsError(NEEDED + describe(given))
    name = getattr(given, "name", None)
    if not isinstance(name, str) or not name:
        raise SettingsError(
            f"{given.__name__} needs a name to be stored by: name: ClassVar[str] = ..., "
            f"got {describe(name)}"
        )
    if name in METHODS and method is not _registered[name]:
        raise SettingsError(
            f"{method.__name__} is named {name!r} like a method of pathmax; give it another name"
        )
    _registered[name] = method
    return method


def is_registered(name: str) -> bool:
    """Whether there is a method of that name in this process."""
    return name in _registered


def options_of(name: str) -> list[str]:
    """The names of the options that a method takes."""
    return sorted(each.name for each in fields(_registered[name]) if each.init)  # type: ignore[arg-type]


def make(name: str, options: Mapping[str, Any]) -> Method:
    """The method of that name with these options, or a `SettingsError`."""
    if name not in _registered:
        raise SettingsError(
            f"method must be one of {', '.join(_registered)}, got {name!r}; if that is a method of "
            "your own, give its class to pathmax.acquisition.register(...) in this process first"
        )
    taken = options_of(name)
    for option in foreign(name, options):
        takers = [other for other in _registered if option in options_of(other)]
        owner = f", which belongs to {' and '.join(takers)}" if takers else ""
        raise SettingsError(
            f"options: {name} takes {', '.join(taken) or 'none'}, got {option!r}{owner}; "
            "leave it out" + (", or choose another method" if takers else "")
        )
    return _registered[name](**{key: value for key, value in options.items() if value is not None})


def foreign(name: str, options: Iterable[str]) -> list[str]:
    """Those of the options that the method of that name does not take."""
    taken = options_of(name)
    return [option for option in options if option not in taken]


def all_options(method: Method) -> dict[str, Any]:
    """The options of a method as JSON, less those that are None."""
    options = {name: getattr(method, name) for name in options_of(method.name)}
    ready = {
        name: value.tolist() if isinstance(value, np.ndarray | np.generic) else value
        for name, value in options.items()
        if value is not None
    }
    try:
        json.dumps(ready, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise SettingsError(
            f"the options of {method.name} must be numbers, texts, flags or lists of these, since "
            f"a study stores them as JSON: {error}"
        ) from error
    return ready


def stored(method: Method) -> dict[str, Any]:
    """The options that a study stores when it is given the object; its class is registered.

    Of our methods only those that differ from their defaults: these belong to the engine version.
    """
    given: Any = method
    if not is_dataclass(given):
        raise SettingsError(NEEDED + describe(given))
    register(type(method))
    usual = all_options(make(method.name, {})) if method.name in METHODS else {}
    return {name: v for name, v in all_options(method).items() if usual.get(name) != v}
