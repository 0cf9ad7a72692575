"""Parameters in words: what they may be, and on which terms they take part."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from pathmax.scalars import Scalar

__all__ = ["listed", "terms_of"]

MOST_LISTED_WORDS = 20


class OnTerms(Protocol):
    """A parameter that may be absent, or given."""

    @property
    def when(self) -> str | None: ...
    @property
    def context(self) -> bool: ...


def listed(values: Sequence[Scalar], show: Callable[[Scalar], str]) -> str:
    """Values in words, the first of many."""
    shown = ", ".join(map(show, values[:MOST_LISTED_WORDS]))
    return shown + (f", … ({len(values)} in all)" if len(values) > MOST_LISTED_WORDS else "")


def terms_of(parameter: OnTerms) -> str:
    """On which terms a parameter takes part, to end a description with."""
    when = "" if parameter.when is None else f", only when {parameter.when}"
    return when + (", given and not chosen" if parameter.context else "")
