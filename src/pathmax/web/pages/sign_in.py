"""The page that asks for the token, for whoever comes without the printed link."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from pathmax.web.pages.rendering import render
from pathmax.web.server import serving
from pathmax.web.tokens import Role


async def show(request: Request) -> Response:
    """The form."""
    return render(request, "login.html", wrong=False)


async def enter(request: Request) -> Response:
    """Take a token, and lead to the studies."""
    door = serving(request).door
    token = str((await request.form()).get("token", "")).strip()
    role = door.tokens.role(token)
    if role is Role.NOBODY:
        return render(request, "login.html", 401, wrong=True)
    return door.let_in(role, "/")
