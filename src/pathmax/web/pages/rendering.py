"""Templates with automatic escaping; nothing that users write is ever HTML."""

from __future__ import annotations

import datetime
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from pathmax import __version__
from pathmax.errors import PathmaxError
from pathmax.trials.wording import corrections, outcome
from pathmax.web.error_responses import status_of
from pathmax.web.pages.addresses import api, url
from pathmax.web.server import role_of, serving
from pathmax.web.tokens import Role
from pathmax.workspace.views.wording import lasting

TEMPLATES = Path(__file__).parent.parent / "templates"

environment = Environment(
    loader=FileSystemLoader(TEMPLATES),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def ago(seconds: float) -> str:
    """How long ago a moment was; the page counts on by itself."""
    return lasting(time.time() - seconds)


def moment(seconds: float) -> str:
    """A moment for readers without scripts; the page shows it in the time zone of its reader."""
    when = datetime.datetime.fromtimestamp(seconds, datetime.UTC)
    return when.strftime("%Y-%m-%d %H:%M UTC")


environment.filters |= {"ago": ago, "moment": moment, "lasting": lasting}
environment.filters |= {"outcome": outcome, "corrections": corrections}
environment.globals |= {"url": url, "api": api, "version": __version__}


def render(request: Request, template: str, status: int = 200, **content: Any) -> HTMLResponse:
    """A page; each template also knows `role` ("nobody", ...), `may_write` and `read_only`."""
    role = role_of(request)
    content = {
        "role": role.name.lower(),
        "may_write": role is Role.WRITE,
        "read_only": serving(request).settings.read_only,
        **content,
    }
    text = environment.get_template(template).render(content)
    return HTMLResponse(text.encode("utf-8", "replace"), status)  # half a character may be stored


def sorry(request: Request, message: str, status: int) -> Response:
    """A page that says what is wrong."""
    return render(request, "error.html", status, message=message)


ShowPage = Callable[[Request], Response]


def page(show: ShowPage) -> ShowPage:
    """A page whose errors are a page too: the sentence, and a way back."""

    def shown(request: Request) -> Response:
        try:
            return show(request)
        except PathmaxError as error:
            return sorry(request, str(error), status_of(error))

    return shown
