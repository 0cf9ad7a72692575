"""Names and values as TOML: what a space file is written with."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pathmax.tables import format_number


def toml_key(name: str) -> str:
    """A name as the key of a TOML entry, in quotes if it needs them."""
    return (
        name
        if name and all(c.isascii() and (c.isalnum() or c in "_-") for c in name)
        else toml_text(name)
    )


def toml_text(text: str) -> str:
    """Text as TOML: JSON's escapes are TOML's, but for the delete character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def toml_table(entries: Mapping[str, Any]) -> str:
    """An inline table."""
    return "{ " + ", ".join(f"{key} = {toml_value(value)}" for key, value in entries.items()) + " }"


def toml_value(value: Any) -> str:
    """A number, text, list or table."""
    if isinstance(value, Mapping):
        return toml_table({toml_key(str(key)): each for key, each in value.items()})
    if isinstance(value, list):
        return f"[{', '.join(map(toml_value, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return toml_text(value)
    return format_number(value)
