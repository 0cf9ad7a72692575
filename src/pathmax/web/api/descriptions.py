"""How routes describe themselves: an example of the answer, and the errors that may come."""

from __future__ import annotations

from typing import Any

ERROR = {
    "type": "object",
    "required": ["error", "message", "status"],
    "properties": {
        "error": {"type": "string", "description": "A code: the name of the error."},
        "message": {"type": "string", "description": "What was expected, what came, what to do."},
        "status": {"type": "integer"},
    },
}
SAID = {
    401: "There is no token, or a wrong one.",
    403: "The token is for reading only, or the request comes from another site.",
    404: "There is no such study or trial.",
    409: "The trial was told before, nothing is left to suggest, or the study is another one.",
    413: "The body is too large.",
    422: "Something in the request is wrong.",
    503: "The database cannot be reached or is full. Nothing that was told is lost.",
}


NOT_YET = {
    "description": "It is being computed. Ask again after as many seconds as `Retry-After` says.",
    "content": {
        "application/json": {
            "example": {"waiting": True, "message": "... ask again in 9 s", "status": 202},
            "schema": {"type": "object", "required": ["waiting", "message", "status"]},
        }
    },
}


def described(
    example: Any,
    *errors: int,
    status: int = 200,
    media: str = "application/json",
    later: bool = False,
) -> dict[int | str, dict[str, Any]]:
    """The `responses` of a route, for OpenAPI; `later` if the answer may be to come back."""
    content: dict[str, Any] = {"example": example}
    if media == "application/json":
        content["schema"] = {"type": "array" if isinstance(example, list) else "object"}
    told: dict[int | str, dict[str, Any]] = {status: {"content": {media: content}}}
    if later:
        told[202] = NOT_YET
    for code in dict.fromkeys((401, 403, 422, 503, *errors)):
        told[code] = {
            "description": SAID[code],
            "content": {"application/json": {"schema": ERROR}},
        }
    return told


TRIAL_EXAMPLE = {
    "number": 3,
    "state": "complete",
    "params": {"temperature": 83.21739, "solvent": "THF"},
    "bench": {"temperature": 83.22, "solvent": "THF"},
    "outcomes": {"value": 71.3},
    "noise": None,
    "noises": {},
    "cost": None,
    "error": None,
    "note": "clear solution",
    "attributes": {"operator": "Ada"},
    "corrected": 0,
    "asked_at": 1760000000.0,
    "told_at": 1760003600.0,
    "heartbeat_at": None,
    "duration": 3600.0,
    "worker": "bench-2:4711",
    "method": "pims",
    "expected": {"value": {"mean": 69.8, "std": 3.1}},
    "remark": None,
    "damage": None,
    "fits": True,
}
RUNNING = {
    **TRIAL_EXAMPLE,
    "number": 4,
    "state": "running",
    "outcomes": {},
    "note": None,
    "told_at": None,
    "duration": None,
}
COUNTS = {"total": 5, "running": 1, "complete": 3, "failed": 1, "feasible": 3, "left_out": 0}
GOAL = {
    "name": "value",
    "title": "yield",
    "label": "yield (%)",
    "unit": "%",
    "direction": "maximize",
    "low": None,
    "high": None,
    "reference": None,
    "words": "maximize",
}
STUDY_EXAMPLE = {
    "name": "suzuki",
    "identity": "3f0c...",
    "edition": 0,
    "revision": 9,
    "created_at": 1760000000.0,
    "changed_at": 1760003600.0,
    "words": "maximize yield (%)",
    "goals": [GOAL],
    "space": {
        "kind": "space",
        "size": None,
        "parameters": [
            {
                "name": "temperature",
                "type": "float",
                "low": 20.0,
                "high": 120.0,
                "log": False,
                "step": None,
                "unit": "°C",
                "label": "temperature (°C)",
            },
            {
                "name": "solvent",
                "type": "categorical",
                "choices": ["DMF", "THF", "water"],
                "unit": None,
                "label": "solvent",
            },
        ],
    },
    "settings": {"method": "pims", "seed": 7},
    "counts": COUNTS,
    "best": TRIAL_EXAMPLE,
    "front": None,
    "running": [{**RUNNING, "age": 95.2, "quiet": None}],
    "failures": [],
}
LINE = {
    **{
        key: STUDY_EXAMPLE[key]
        for key in ("name", "words", "goals", "counts", "created_at", "revision")
    },
    "changed_at": 1760003600.0,
    "best": {"number": 3, "outcomes": {"value": 71.3}},
    "front": None,
}
