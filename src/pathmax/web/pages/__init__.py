"""HTML: every page is a template of `web/templates`, filled in with what the API answers.

`routes` is all that the application takes from here.
"""

from __future__ import annotations

from starlette.routing import BaseRoute, Route

from pathmax.web.pages import sign_in, start

__all__ = ["routes"]

routes: list[BaseRoute] = [
    Route("/login", sign_in.show, methods=["GET"], name="login"),
    Route("/login", sign_in.enter, methods=["POST"]),
    Route("/", start.show, methods=["GET"], name="start"),
]
