"""How choices are written in a table, and what to say to a text that is none of them."""

from __future__ import annotations

import difflib

from pathmax.scalars import Scalar
from pathmax.tables import format_cell


def has_fractions(choices: tuple[Scalar, ...] | None) -> bool:
    return any(isinstance(choice, float) for choice in choices or ())


def spellings(choice: Scalar) -> tuple[str, ...]:
    if isinstance(choice, bool):
        return str(choice).lower(), str(choice), str(choice).upper()
    if isinstance(choice, str):
        return (choice.strip(),)
    return format_cell(choice), "" if choice is None else str(choice)


def unknown_choice(text: str, choices: tuple[Scalar, ...]) -> str:
    listed = ", ".join(spellings(choice)[0] or "(empty)" for choice in choices[:8])
    more = f", ... ({len(choices)} in all)" if len(choices) > 8 else ""
    if not text:
        return f"is empty; expected one of {listed}{more}"
    near = nearest_text(text, [spellings(choice)[0] for choice in choices])
    remedy = f"did you mean {near}?" if near else "correct it, or add it to the space file"
    return f"expected one of {listed}{more}, got {text!r}; {remedy}"


def nearest_text(text: str, others: list[str]) -> str | None:
    folded = {other.casefold(): other for other in others}
    wanted = text.casefold()
    shorter = [other for other in folded if len(other) > 2 and wanted.startswith(other)]
    found = difflib.get_close_matches(wanted, folded, n=1) or shorter
    return folded[found[0]] if found else None
