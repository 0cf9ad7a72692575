"""Templates with automatic escaping; nothing that users write is ever HTML."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse

from pathmax.web.server import role_of, serving
from pathmax.web.tokens import Role

TEMPLATES = Path(__file__).parent.parent / "templates"

environment = Environment(
    loader=FileSystemLoader(TEMPLATES),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def render(request: Request, template: str, status: int = 200, **content: Any) -> HTMLResponse:
    """A page; each template knows `role` ("read" or "write") and `read_only` too."""
    role = role_of(request)
    content = {
        "role": role.name.lower(),
        "may_write": role is Role.WRITE,
        "read_only": serving(request).settings.read_only,
        **content,
    }
    return HTMLResponse(environment.get_template(template).render(content), status)
