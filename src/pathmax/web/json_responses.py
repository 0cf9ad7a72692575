"""Answers in JSON that every reader accepts: JSON has no infinity and no NaN, so they are null."""

from __future__ import annotations

import json
import math
from typing import Any

from starlette.responses import Response


def answer(content: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A JSON response."""
    return Response(to_bytes(content), status, headers, "application/json")


def to_bytes(content: Any) -> bytes:
    """JSON as it is sent."""
    try:
        text = _encoder.encode(content)
    except ValueError:  # something in it is not finite: rare, so only then look for it
        text = _encoder.encode(_finite(content))
    return text.encode("utf-8", "backslashreplace")


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value


_encoder = json.JSONEncoder(allow_nan=False, separators=(",", ":"), ensure_ascii=True)
