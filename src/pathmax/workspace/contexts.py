"""Contexts as people give them: typed as text, or those of the newest trial."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pathmax.errors import ParamsError
from pathmax.scalars import Scalar
from pathmax.space.any_space import AnySpace
from pathmax.space.context import at_context, context_of
from pathmax.study import Study
from pathmax.tables.numbers import parse_number, reads_as_thousands
from pathmax.workspace.typed_pairs import typed_pairs


def typed_context(space: AnySpace, texts: Iterable[str]) -> dict[str, object] | None:
    """The context that NAME=VALUE texts state, in the units of the space; None without any."""
    pairs = typed_pairs(texts, ParamsError, "humidity=40", lacks="has no value")
    given = {name: text.strip() for name, text in pairs.items()}
    return read_context(space, given) if given else None


def read_context(space: AnySpace, given: Mapping[str, Any]) -> dict[str, object]:
    """The same from a text for each name; what is no text stays as it is."""
    return {n: _read(space, n, v) if isinstance(v, str) else v for n, v in given.items()}


def _read(space: AnySpace, name: str, text: str) -> object:
    kinds = {n: axis.kind for n, axis in zip(space.searched_names, space.axes, strict=True)}
    if kinds.get(name) == "categorical":
        alike = [value for value in _choices(space, name) if str(value).casefold() == text.lower()]
        return alike[0] if alike else text
    if name not in kinds:
        return text  # no parameter of this study: `at_context` refuses it
    try:
        return parse_number(text, "." if reads_as_thousands(text) or "." in text else ",")
    except ValueError as error:
        raise ParamsError(f"{name}: {error}; write a number, such as {name}=40") from error


def _choices(space: AnySpace, name: str) -> tuple[Scalar, ...]:
    choices = space.choices(name)
    if choices is None and space.is_pool:
        return (True, False)  # any other category of a pool is text
    return choices or ()


def context_to_look_at(study: Study, given: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """What is given or, for somebody who only looks, the context of the newest trial."""
    space = study.space
    if given or not space.context_names:
        at_context(space, given)
        return given
    for trial in reversed(study.trials):
        found = context_of(space, trial.params)
        if len(found) == len(space.context_names):
            return found
    return given
