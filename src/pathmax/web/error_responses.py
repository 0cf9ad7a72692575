"""Errors as answers: a sentence, a code that programs can tell apart, and an HTTP status.

    {"error": "TrialError", "message": "trial 3 is already told ...", "status": 409}

The code is the name of the error in `pathmax.errors`; those below are of the server itself. What
nobody foresaw is logged with a number, and the answer tells only the number.
"""

from __future__ import annotations

import logging
import secrets
from typing import Any

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from pathmax import errors
from pathmax.web.json_responses import answer

log = logging.getLogger("pathmax.web")

STATUS: dict[type[errors.PathmaxError], int] = {
    errors.StudyNotFoundError: 404,
    errors.SpaceChangedError: 409,
    errors.TrialError: 409,
    errors.ExhaustedError: 409,
    errors.MissingExtraError: 501,
    errors.ForeignStorageError: 500,
    errors.StorageError: 503,
    errors.PathmaxError: 422,
}
CODES = {
    400: "BadRequest",
    401: "TokenNeeded",
    403: "NotAllowed",
    404: "NotFound",
    405: "MethodNotAllowed",
    413: "TooLarge",
    415: "WrongType",
    421: "UnknownHost",
    422: "BadRequest",
    500: "InternalError",
}


def refusal(
    status: int, message: str, code: str | None = None, headers: dict[str, str] | None = None
) -> Response:
    """The answer to a request that is refused."""
    content = {"error": code or CODES.get(status, "Refused"), "message": message, "status": status}
    return answer(content, status, headers)


def status_of(error: errors.PathmaxError) -> int:
    """The HTTP status of an error."""
    return next(STATUS[kind] for kind in type(error).__mro__ if kind in STATUS)


async def on_pathmax_error(request: Request, error: Exception) -> Response:
    """What a user can cause or must know about, as its sentence."""
    assert isinstance(error, errors.PathmaxError)
    return refusal_of(error)


def refusal_of(error: errors.PathmaxError) -> Response:
    """The answer that an error is."""
    status = status_of(error)
    again = {"Retry-After": "5"} if status == 503 else None
    return refusal(status, str(error), type(error).__name__, again)


async def on_http_error(request: Request, error: Exception) -> Response:
    """What the router refuses: no such path, wrong method."""
    assert isinstance(error, HTTPException)
    sentences = {
        404: f"there is nothing at {request.url.path}; /api/docs lists what there is",
        405: f"{request.method} does not go with {request.url.path}; /api/docs says what does",
    }
    unsaid = error.detail in ("Not Found", "Method Not Allowed")  # Starlette's own words
    message = sentences.get(error.status_code, "") if unsaid else str(error.detail)
    return refusal(error.status_code, message, headers=dict(error.headers or {}))


async def on_invalid_request(request: Request, error: Exception) -> Response:
    """What does not have the form that the API expects, each defect in a sentence."""
    assert isinstance(error, RequestValidationError)
    return refusal(422, "; ".join(dict.fromkeys(map(_defect, error.errors()))))


async def on_unforeseen(request: Request, error: Exception) -> Response:
    """Our own bugs: the log has them, the answer only says where to look."""
    number = secrets.token_hex(4)
    log.error("error %s at %s %s", number, request.method, request.url.path, exc_info=error)
    return refusal(
        500, f"something went wrong in the server; its log has the reason under {number}"
    )


def _defect(found: Any) -> str:
    place = [str(part) for part in found["loc"] if part not in ("body", "query", "path", "header")]
    if found["type"] == "json_invalid":
        return "the body is not JSON"
    what = found["msg"].removeprefix("Value error, ")
    return f"{'.'.join(place) or 'the request'}: {what[:1].lower()}{what[1:]}"
