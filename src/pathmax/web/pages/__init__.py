"""HTML: every page is a template of `web/templates`, filled in from what viewers see of a study.

    /                    the studies
    /new                 a form for a new one
    /studies/{name}      one study: how far it is, what is to do
    /trials/{name}       its trials, a page at a time
    /trial/{name}        one of them, ?number=12
    /model/{name}        what the model believes
    /space/{name}        what may vary, and a place to change it
    /data/{chart}/{name} the data of a chart, as JSON

A page that is open fetches itself again when its study changes and puts the new parts in place.
"""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from pathmax.errors import PathmaxError
from pathmax.web import error_responses, study_names  # noqa: F401  (the convertor "study" of the routes)
from pathmax.web.error_responses import refusal_of, status_of, wants_page
from pathmax.web.pages import chart_data, new_study, sign_in, start, study
from pathmax.web.pages.rendering import page, sorry

__all__ = ["on_http_error", "on_unforeseen", "refuse", "routes"]


def refuse(request: Request, error: PathmaxError) -> Response:
    """What a request gets when the database does not answer: a page, or JSON where that is due."""
    is_json = request.url.path.startswith(("/api/", "/data/"))
    return refusal_of(error) if is_json else sorry(request, str(error), status_of(error))


async def on_http_error(request: Request, error: Exception) -> Response:
    """No such path, wrong method: a page for whoever looks at one, JSON for programs."""
    assert isinstance(error, HTTPException)
    if not wants_page(request.url.path, request.headers.get("accept", "")):
        return error_responses.http_refusal(request, error)
    words = error_responses.http_words(request, error)
    return sorry(request, words.partition("; /api/docs")[0], error.status_code)


async def on_unforeseen(request: Request, error: Exception) -> Response:
    """Our own bugs, in the same way."""
    words = error_responses.log_unforeseen(request, error)
    if wants_page(request.url.path, request.headers.get("accept", "")):
        return sorry(request, words, 500)
    return error_responses.refusal(500, words)


routes: list[BaseRoute] = [
    Route("/login", sign_in.show, methods=["GET"], name="login"),
    Route("/login", sign_in.enter, methods=["POST"]),
    Route("/", page(start.show), methods=["GET"], name="start"),
    Route("/favicon.ico", start.icon, methods=["GET"]),
    Route("/new", page(new_study.show), methods=["GET"]),
    Route("/studies/{name:study}", page(study.overview), methods=["GET"]),
    Route("/trials/{name:study}", page(study.trials), methods=["GET"]),
    Route("/trial/{name:study}", page(study.trial), methods=["GET"]),
    Route("/model/{name:study}", page(study.model), methods=["GET"]),
    Route("/space/{name:study}", page(study.space), methods=["GET"]),
    Route("/data/{chart}/{name:study}", chart_data.show, methods=["GET"]),
]
