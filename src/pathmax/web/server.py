"""What every route of a server reaches: `serving(request)`.

server = serving(request)
server.studies.hold("suzuki").cache.summary()
"""

from __future__ import annotations

from dataclasses import dataclass, field

from anyio import CapacityLimiter
from starlette.requests import Request

from pathmax.web.access import Door
from pathmax.web.events import Events
from pathmax.web.model_answers import ModelAnswers
from pathmax.web.settings import ServerSettings
from pathmax.web.studies import Studies
from pathmax.web.tokens import Role
from pathmax.web.turns import Turns

MOST_THINKING = 8


@dataclass(frozen=True, slots=True)
class Server:
    """The parts of a running server."""

    settings: ServerSettings
    door: Door
    studies: Studies
    events: Events
    turns: Turns
    models: ModelAnswers
    thinking: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(MOST_THINKING))
    """Threads for requests that wait for a model."""


def serving(request: Request) -> Server:
    """The server that a request has come to."""
    server: Server = request.app.state.server
    return server


def role_of(request: Request) -> Role:
    """What the sender of a request may do."""
    role: Role = request.state.role
    return role
