"""Errors as answers: a sentence, a code that programs can tell apart, and an HTTP status.

    {"error": "TrialError", "message": "trial 3 is already told ...", "status": 409}

The code is the name of the error in `pathmax.errors`; those below are of the server itself. What
nobody foresaw is logged with a number, and the answer tells only the number.
"""

from __future__ import annotations

import logging
import secrets

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from pathmax import errors
from pathmax.web.invalid_requests import sentences
from pathmax.web.json_responses import answer
from pathmax.web.study_names import name_in

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
    431: "TooLarge",
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


def http_refusal(request: Request, error: HTTPException) -> Response:
    """What the router refuses: no such path, wrong method, a body that cannot be parsed."""
    return refusal(error.status_code, http_words(request, error), headers=dict(error.headers or {}))


def http_words(request: Request, error: HTTPException) -> str:
    """A sentence in place of the framework's own words."""
    path = name_in(request.url.path)
    ours = {
        "Not Found": f"there is nothing at {path:.200}; /api/docs lists what there is",
        "Method Not Allowed": f"{request.method} does not go with {path:.200}; /api/docs says what "
        "does",
        "There was an error parsing the body": "the body is not JSON that can be read: a number "
        "has thousands of digits, or it is nested too deeply",
    }
    return ours.get(str(error.detail), str(error.detail))


async def on_invalid_request(request: Request, error: Exception) -> Response:
    """What does not have the form that the API expects, each defect in a sentence."""
    assert isinstance(error, RequestValidationError)
    return refusal(422, sentences(error.errors(), request.headers.get("content-type", "")))


def log_unforeseen(request: Request, error: Exception) -> str:
    """Our own bugs: the log has them, the answer only says where to look."""
    number = secrets.token_hex(4)
    log.error("error %s at %s %s", number, request.method, request.url.path, exc_info=error)
    return f"something went wrong in the server; its log has the reason under {number}"


def wants_page(path: str, accept: str) -> bool:
    """Whether a request comes from somebody who looks at a page, and not from a program."""
    return "text/html" in accept and not path.startswith(("/api/", "/data/", "/static/"))
