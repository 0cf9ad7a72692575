"""What is wrong with a request that does not have the form that the API expects, in sentences.

The framework has words of its own, for programmers. Here each defect says what was expected and
what came; of a value that may be of several kinds there is one sentence and not one for each.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

LONGEST_SHOWN = 60  # characters of what came
RESULT = 'a number, text as people type it such as "71,3", or one of these for each outcome by name'
SEVERAL_KINDS = {"value": RESULT, "std": "a number, or a number for each outcome by name"}
WORDS_OF_KINDS = {
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "int_parsing_size": "a whole number of fewer digits",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "string_type": "text",
    "string_unicode": "text in UTF-8",
    "dict_type": "an object with names and values",
    "model_attributes_type": "a JSON object",
    "list_type": "a list",
    "tuple_type": "a list",
}


def sentences(defects: Iterable[Mapping[str, Any]], media: str) -> str:
    """All defects of a request whose body is said to be of this media type."""
    return "; ".join(dict.fromkeys(_sentence(defect, media) for defect in defects))


def _sentence(defect: Mapping[str, Any], media: str) -> str:
    kind, place = defect["type"], defect["loc"][1:]  # after "body", "query", "path" or "header"
    if not place or kind == "json_invalid":
        return _of_body(defect, media)
    if place[0] in SEVERAL_KINDS and len(place) > 1:
        return f"{place[0]}: expected {SEVERAL_KINDS[place[0]]}, got {_shown(defect)}"
    name = ".".join(map(str, place))
    if kind == "missing":
        return f"{name}: is missing; /api/docs says what it is"
    if kind == "extra_forbidden":
        return f"{name}: there is no such entry; /api/docs says which there are"
    return f"{name}: expected {_expected(defect)}, got {_shown(defect)}"


def _of_body(defect: Mapping[str, Any], media: str) -> str:
    if defect["type"] == "json_invalid":
        return "the body is not JSON"
    if media and "json" not in media:
        return f"the body must be JSON, with Content-Type: application/json, got {media[:80]}"
    if defect["type"] == "missing":
        return "there is no body; send a JSON object, {} if there is nothing to say"
    return f"the body must be a JSON object, got {_shown(defect)}"


def _expected(defect: Mapping[str, Any]) -> str:
    kind, limits = defect["type"], defect.get("ctx", {})
    if kind in WORDS_OF_KINDS:
        return WORDS_OF_KINDS[kind]
    if kind == "greater_than_equal":
        return f"{limits['ge']} or more"
    if kind == "less_than_equal":
        return f"{limits['le']} or less"
    if kind == "string_too_long":
        return f"at most {limits['max_length']} characters"
    if kind == "string_too_short":
        return f"at least {limits['min_length']} characters"
    words: str = defect["msg"].removeprefix("Value error, ").removeprefix("Input should be ")
    return words


def _shown(defect: Mapping[str, Any]) -> str:
    """What came, as JSON writes it, not longer than people read."""
    try:
        text = json.dumps(defect.get("input"), ensure_ascii=False, default=str)
    except (ValueError, RecursionError):  # too many digits, or nested too deeply
        text = "what cannot be shown"
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}..."
