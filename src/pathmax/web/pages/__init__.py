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

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from pathmax.errors import PathmaxError
from pathmax.web import study_names  # noqa: F401  (the convertor "study" of the routes)
from pathmax.web.error_responses import refusal_of
from pathmax.web.pages import chart_data, new_study, sign_in, start, study
from pathmax.web.pages.rendering import page, sorry

__all__ = ["refuse", "routes"]


def refuse(request: Request, error: PathmaxError) -> Response:
    """What a request gets when the database does not answer: a page, or JSON where that is due."""
    is_json = request.url.path.startswith(("/api/", "/data/"))
    return refusal_of(error) if is_json else sorry(request, error)


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
