"""What happens now, as server-sent events."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from pathmax.web.api.descriptions import described
from pathmax.web.server import serving

router = APIRouter(tags=["events"])


@router.get(
    "/events",
    summary="What changes, as it happens",
    responses=described(
        'event: changed\ndata: {"study": "suzuki", "revision": 18, "trials": 10}\n\n',
        media="text/event-stream",
    ),
)
async def events(request: Request) -> Response:
    """Server-sent events `studies`, `changed`, `trouble`, `well` and `alive`, without end."""
    return StreamingResponse(
        serving(request).events.stream(),
        media_type="text/event-stream",
        headers={"X-Accel-Buffering": "no"},
    )
