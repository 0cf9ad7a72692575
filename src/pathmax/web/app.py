"""The application: access first, then the API, the pages and the static files.

    app = make_app(ServerSettings(storage="sqlite:///lab.db"))

What FastAPI would fetch from elsewhere for its own page of documentation is not used: `/api/docs`
is a page of ours, made from the same OpenAPI description.
"""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.staticfiles import StaticFiles

from pathmax import __version__
from pathmax.errors import PathmaxError
from pathmax.web import error_responses, pages
from pathmax.web.access import Door, Guard
from pathmax.web.api import DESCRIPTION, router
from pathmax.web.events import Events
from pathmax.web.model_answers import ModelAnswers
from pathmax.web.polling import Polls
from pathmax.web.response_cache import ResponseCache
from pathmax.web.server import Server
from pathmax.web.settings import ServerSettings
from pathmax.web.studies import Studies
from pathmax.web.turns import Turns

STATIC = Path(__file__).parent / "static"


def make_app(settings: ServerSettings) -> FastAPI:
    """The application of a server that is set up so."""
    studies = Studies(settings)
    door = Door(settings)
    polls = Polls(studies.storage)
    models = ModelAnswers()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        reading = threading.Thread(target=studies.read_ahead, daemon=True)
        reading.start()
        yield
        models.close()
        reading.join()
        studies.close()

    app = FastAPI(
        title="pathmax",
        version=__version__,
        description=DESCRIPTION,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        # an earlier FastAPI, which reports to nobody, keeps this among its `extra`
        telemetry={
            "tracing": False,
            "metrics": False,
            "logs": False,
            "operation_spans": False,
            "auto_configure": False,
        },
        lifespan=lifespan,
        middleware=[
            Middleware(Guard, settings=settings, door=door),
            Middleware(ResponseCache, polls=polls, refuse=pages.refuse),
        ],
        exception_handlers={
            PathmaxError: error_responses.on_pathmax_error,
            HTTPException: pages.on_http_error,
            RequestValidationError: error_responses.on_invalid_request,
            Exception: pages.on_unforeseen,
        },
    )
    events = Events(polls, settings.poll)
    app.state.server = Server(settings, door, studies, events, Turns(), models)
    app.include_router(router)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    app.router.routes.extend(pages.routes)
    return app
