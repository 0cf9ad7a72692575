"""JSON as text: what every column that is neither a number nor a name holds.

Text is stored as JSON text also where it is a plain string (note, error, worker): JSON escapes
NUL and lone surrogates, which PostgreSQL refuses in its text columns. JSON proper has no infinity
and no NaN; databases disagree about them. An outcome must be finite. Elsewhere (`info`,
`attributes`) they are written as {"$float": "inf"} and read back as numbers.
"""

from __future__ import annotations

import json
import math
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from pathmax.errors import StorageError

FLOAT_TAG = "$float"
TEXT_DIVIDER = uuid.uuid4().hex  # between texts that are read as one: nobody can have stored it


def encode(value: Any, what: str) -> str:
    """JSON text that every JSON reader accepts; `what` names the value in the error."""
    try:
        try:
            return _encoder.encode(value)
        except ValueError:  # an infinity or NaN somewhere: rare, so only then look for it
            return _encoder.encode(_tag(value))
    except (TypeError, ValueError, RecursionError) as cause:
        raise StorageError(
            f"{what} must be plain JSON (numbers, text, booleans, None, lists, dicts): {cause};"
            " convert arrays with .tolist() and other objects to text"
        ) from cause


def encode_numbers(numbers: Mapping[str, float]) -> str:
    """The same for finite numbers by name, in half the time."""
    parts = [f"{_encoder.encode(str(name))}:{float(number)!r}" for name, number in numbers.items()]
    return f"{{{','.join(parts)}}}"


def encode_text(value: str | None, what: str) -> str:
    """The same for text or None: anything else could be written, but not be read again."""
    if not isinstance(value, str | None):
        raise StorageError(f"{what} must be text or None, got {value!r:.80}; put it in quotes")
    return "null" if value is None else encode(value, what)


def decode(text: Any) -> Any:
    """What `encode` was given, tuples as lists."""
    if type(text) is not str:
        raise TypeError(f"expected JSON text, got {type(text).__name__}")
    if text == "null":  # most notes and errors
        return None
    if text == "{}":
        return {}
    # A hook is called for every object: only where a tag may be.
    return (_tagged if FLOAT_TAG in text else _plain).decode(text)


def decode_all(texts: Sequence[Any]) -> list[Any] | None:
    """What each of many texts holds, read as one; None where they have to be read one by one."""
    try:
        joined = f',"{TEXT_DIVIDER}",'.join(texts)
        if FLOAT_TAG in joined:
            return None
        values: list[Any] = _plain.decode(f"[{joined}]")
    except (TypeError, ValueError, RecursionError):  # one of them is damaged
        return None
    # Damaged ones can make sense together, as '[1' and '2],3' do: then a divider is inside one.
    whole = len(values) == 2 * len(texts) - 1 and values[1::2] == [TEXT_DIVIDER] * (len(texts) - 1)
    return values[::2] if whole else None


def _tag(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return {FLOAT_TAG: str(float(value))}
    if isinstance(value, dict):
        return {key: _tag(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_tag(item) for item in value]
    return value


def _untag(value: dict[str, Any]) -> Any:
    if len(value) == 1 and value.get(FLOAT_TAG) in ("inf", "-inf", "nan"):
        return float(value[FLOAT_TAG])
    return value


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is not JSON")


_encoder = json.JSONEncoder(allow_nan=False, separators=(",", ":"))
_plain = json.JSONDecoder(parse_constant=_refuse)
_tagged = json.JSONDecoder(object_hook=_untag, parse_constant=_refuse)


def typed(value: Any, *kinds: type | None) -> Any:
    """The value, if it is of one of these kinds; None stands for null."""
    kind = type(value)
    if kind in kinds and kind is not float:
        return value
    if kind is int and float in kinds:  # databases hand back 1.0 as 1
        value = float(value)
    if type(value) in kinds or (value is None and None in kinds):
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError(f"expected a finite number, got {value!r}")
        return value
    expected = " or ".join("null" if kind is None else kind.__name__ for kind in kinds)
    raise TypeError(f"expected {expected}, got {value!r:.80}")
