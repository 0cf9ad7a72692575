"""The first page: which studies there are."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from pathmax.web.pages.rendering import render


async def show(request: Request) -> Response:
    """The list of studies; its script fetches `GET /api/studies`."""
    return render(request, "start.html")
