"""Context: parameters that are given and not chosen, such as the humidity of the day.

    space = Space({"humidity": Float(20, 80, context=True), "time": Float(1, 10)})
    at_context(space, {"humidity": 40})     the points of the space with that humidity

A model learns over all parameters. What may be chosen is the part of the space where the contexts
have the value that is given: the same coordinates, some of them held.
"""

from __future__ import annotations

from collections.abc import Mapping

from pathmax.errors import ParamsError
from pathmax.scalars import Scalar, describe
from pathmax.space.any_space import AnySpace

Context = Mapping[str, object]


def at_context(space: AnySpace, context: Context | None) -> AnySpace:
    """The part of a space that may be chosen from in a context, or a `ParamsError`."""
    if context is not None and not isinstance(context, Mapping):
        raise ParamsError(
            f"a context is a dict such as {{'humidity': 40}}, got {describe(context)}"
        )
    names, values = space.context_names, dict(context or {})
    for name in values:
        if name not in names:
            there = f"its contexts are {', '.join(names)}" if names else "it has none"
            raise ParamsError(
                f"{name}: is no context of this study: {there}; leave it out, or start a study in "
                f"which {name} is a parameter with context=True"
            )
    missing = [name for name in names if name not in values]
    if missing:
        shown = ", ".join(f"{name!r}: ..." for name in names)
        typed = " ".join(f"--context {name}=..." for name in names)
        raise ParamsError(
            f"{' and '.join(missing)}: given and not chosen in this study, and missing here; say "
            f"what it is, as in context={{{shown}}}, on the command line {typed}"
        )
    return space.given(values) if names else space


def context_of(space: AnySpace, params: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """The contexts among some params."""
    return {name: params[name] for name in space.context_names if name in params}
