"""What a definition and a value must be, and the sentence a user reads when it is not.

Each message names the parameter, says what was expected and what came, and ends with the remedy.
`SpaceError` is about a definition, `ParamsError` about a value given for it.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pathmax.arguments import unquoted
from pathmax.errors import ParamsError, SpaceError
from pathmax.scalars import MOST_DIGITS, Scalar, describe, plain, storable_text, whole

__all__ = [
    "check_names",
    "checked_context",
    "checked_contexts",
    "checked_when",
    "equal_pairs",
    "finite_bound",
    "flag",
    "no_choice",
    "ordered",
    "outside",
    "storable_choice",
    "whole_bound",
    "with_defaults",
    "wrong_type",
]

# A number this near to one of a list is that one: 0.1 * 3 is 0.3, and so is a 0.3 that went through
# a spreadsheet or single precision.
ROUNDING = 1e-7


def check_names(names: Mapping[Any, Any] | Sequence[Any]) -> None:
    """Refuse names that are no text, blank, unstorable, or that a reader cannot tell apart."""
    seen: dict[str, str] = {}
    for name in names:
        if not isinstance(name, str):
            raise SpaceError(
                f"a parameter's name must be text, got {describe(name)}; put it in quotes"
            )
        alike = unicodedata.normalize("NFC", name).strip()
        if not alike or not storable_text(name):
            raise SpaceError(f"{name!r} cannot be a parameter's name; use visible characters")
        if alike in seen:
            raise SpaceError(
                f"two parameters are called alike, {seen[alike]!r} and {name!r}; rename one"
            )
        seen[alike] = name


def with_defaults(
    params: Mapping[str, object], names: Sequence[str], defaults: Mapping[str, object]
) -> dict[str, object]:
    """`params` with the defaults filled in; a `ParamsError` when a name is missing or unknown."""
    if not isinstance(params, Mapping):
        raise ParamsError(f"params must be a dict of {', '.join(names)}, got {describe(params)}")
    given = {**defaults, **params}
    missing = [name for name in names if name not in given]
    if missing:
        raise ParamsError(f"{missing[0]}: no value given; params need {', '.join(names)}")
    unknown = [name for name in given if name not in names]
    if unknown:
        raise ParamsError(
            f"{unknown[0]}: no such parameter, got the value {describe(given[unknown[0]])}; "
            f"the space has {', '.join(names)}"
        )
    return given


MAX_STEPS = 2**40  # u still tells neighbours apart


def finite_bound(name: str, which: str, value: object) -> float:
    number = plain(value)
    if isinstance(number, bool) or not isinstance(number, int | float):
        remedy = unquoted(value) or "; write the number alone"
        raise SpaceError(f"{name}: {which} must be a number, got {describe(value)}{remedy}")
    try:
        bound = float(number)
    except OverflowError:
        bound = math.inf
    if not math.isfinite(bound):
        remedy = "give a bound" if which in ("low", "high") else "give a number"
        raise SpaceError(f"{name}: {which} must be finite, got {describe(value)}; {remedy}")
    return bound


def whole_bound(name: str, which: str, value: object) -> int:
    finite_bound(name, which, value)
    bound = whole(plain(value))
    if bound is None:
        counted = which in ("at_most", "digits")  # of a mixture, of numbers of either kind
        whose, remedy = ("", "round it") if counted else (" of an Int", "round it, or use Float")
        raise SpaceError(
            f"{name}: {which}{whose} must be a whole number, got {describe(value)}; {remedy}"
        )
    return bound


def ordered(name: str, low: float, high: float) -> None:
    if low == high:
        raise SpaceError(
            f"{name}: low must be below high, got low={low!r}, high={high!r}; "
            f"to keep {name} fixed, give the value {low!r} itself in place of a range"
        )
    if low > high:
        raise SpaceError(
            f"{name}: low must be below high, got low={low!r}, high={high!r}; swap them"
        )


def whole_steps(name: str, low: float, high: float, step: float) -> None:
    """Refuse a step that does not lead from low to high, or that is too small."""
    if step <= 0:
        raise SpaceError(f"{name}: step must be above 0, got step={step!r}")
    steps = (high - low) / step
    if steps > MAX_STEPS:
        raise SpaceError(
            f"{name}: step={step!r} is too small for low={low!r} and high={high!r}; leave it out"
        )
    if abs(steps - round(steps)) > 1e-6 or round(steps) < 1:
        last = low + max(math.floor(steps + 1e-6), 1) * step
        raise SpaceError(
            f"{name}: steps of {step!r} from low={low!r} do not end at high={high!r}; "
            f"use high={last:.12g}, or another step"
        )


def flag(name: str, value: object, what: str = "log") -> bool:
    flag = plain(value)
    if not isinstance(flag, bool):
        raise SpaceError(f"{name}: {what} must be True or False, got {describe(value)}")
    return flag


def checked_context(name: str, context: object, when: str | None) -> bool:
    """Whether a parameter is given and not chosen, or a `SpaceError`."""
    given = flag(name, context, "context")
    if given and when is not None:
        raise SpaceError(
            f"{name}: a context is there whatever is chosen, so it takes no condition; leave out "
            "when or context"
        )
    return given


def checked_when(name: str, when: object) -> str | None:
    """A condition as text, or a `SpaceError`."""
    if when is None or (isinstance(when, str) and when.strip()):
        return None if when is None else when.strip()
    raise SpaceError(
        f"{name}: when is a sentence such as \"optimizer == 'sgd'\", got {describe(when)}"
    )


def checked_contexts(given: object, names: Sequence[str], what: str) -> tuple[str, ...]:
    """The names of contexts among those of a pool or grid, or a `SpaceError`."""
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise SpaceError(f"context must be a list such as ['humidity'], got {describe(given)}")
    for name in given:
        if name not in names:
            raise SpaceError(
                f"context: {describe(name)} is not {what}; those are {', '.join(names)}"
            )
    if names and set(given) >= set(names):
        raise SpaceError(
            f"nothing to choose: all of {', '.join(names)} are contexts, which are given; leave "
            "out one"
        )
    return tuple(name for name in names if name in given)


def storable_choice(name: str, value: object) -> Scalar:
    choice = plain(value)
    if isinstance(choice, float) and not math.isfinite(choice):
        raise SpaceError(
            f"{name}: {choice!r} cannot be a choice, since it is not a number that can be stored; "
            "use None or text"
        )
    if isinstance(choice, int) and abs(choice) >= 10**MOST_DIGITS:
        raise SpaceError(
            f"{name}: a whole number of more than {MOST_DIGITS} digits cannot be a choice; "
            "write it as text"
        )
    if isinstance(choice, str) and not storable_text(choice):
        raise SpaceError(
            f"{name}: the text {choice!r} holds a character that no database stores; remove it"
        )
    if choice is None or isinstance(choice, str | int | float | bool):
        return choice
    raise SpaceError(
        f"{name}: a choice must be text, a number, True, False or None, got {describe(value)}; "
        "name it by text and look the object up in your function"
    )


def equal_pairs(values: Iterable[Scalar]) -> Iterator[tuple[Scalar, Scalar]]:
    """The values that are equal to an earlier one, each with that one: 1 and True, say."""
    seen: dict[Scalar, Scalar] = {}
    for value in values:
        if value in seen:
            yield seen[value], value
        seen[value] = value


def wrong_type(name: str, value: object, expected: str) -> ParamsError:
    remedy = "give a number"
    if isinstance(value, str):
        try:
            remedy = f"write {float(value):g} without quotes"
        except ValueError:
            pass
    return ParamsError(f"{name}: expected {expected}, got {describe(plain(value))}; {remedy}")


def outside(name: str, value: object, low: float, high: float) -> ParamsError:
    shown = describe(plain(value))
    if shown.startswith("nan"):
        return ParamsError(
            f"{name}: expected a number from {low:g} to {high:g}, got {shown}; fill in the number"
        )
    return ParamsError(
        f"{name}: expected a number from {low!r} to {high!r}, got {shown}; "
        "correct the value, or start a study with wider bounds"
    )


def no_choice(name: str, choice: object, choices: tuple[Scalar, ...]) -> ParamsError:
    shown = ", ".join(repr(c) for c in choices[:8])
    if len(choices) > 8:
        shown += f", ... ({len(choices)} in all)"
    too_long = isinstance(choice, int) and abs(choice) >= 10**MOST_DIGITS
    alike = [] if too_long else [c for c in choices if str(c) == str(choice)]
    remedy = f"did you mean {alike[0]!r}?" if alike else "use one of these, or add it to the space"
    return ParamsError(f"{name}: expected one of {shown}, got {describe(choice)}; {remedy}")
