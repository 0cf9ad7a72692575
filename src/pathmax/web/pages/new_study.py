"""The form for a new study."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pathmax.web.pages.rendering import render
from pathmax.web.server import role_of
from pathmax.web.tokens import Role


def show(request: Request) -> Response:
    """The form; whoever may only read is led back to the studies."""
    if role_of(request) is not Role.WRITE:
        return RedirectResponse("/", 303)
    return render(request, "new.html")
