"""Run a server: what is printed at the start, and uvicorn underneath."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable, Iterator

from pathmax.errors import MissingExtraError, SettingsError
from pathmax.web.settings import ServerSettings

Say = Callable[[str], object]


def serve(settings: ServerSettings, say: Say) -> None:
    """Serve until Ctrl-C. `say` prints a line; the links are printed once the port is ours."""
    try:
        import fastapi  # noqa: F401
        import jinja2  # noqa: F401
        import python_multipart  # noqa: F401
        import uvicorn
    except ImportError as cause:
        raise MissingExtraError(
            'pathmax serve needs FastAPI and uvicorn: pip install "pathmax[dashboard]"'
        ) from cause
    from pathmax.web.app import make_app

    listening = bind(settings)
    try:
        app = make_app(settings)
        for line in greeting(settings, app.state.server.studies.storage.place):
            say(line)
        logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(message)s")
        config = uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,  # it would hold the token of the printed link
            server_header=False,
            ssl_certfile=settings.certfile,
            ssl_keyfile=settings.keyfile,
            timeout_graceful_shutdown=3,  # viewers never hang up by themselves
        )
        uvicorn.Server(config).run(sockets=[listening])
    finally:
        listening.close()


def bind(settings: ServerSettings) -> socket.socket:
    """The port, or a sentence why it cannot be had."""
    try:
        found = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)
        family, _, _, _, address = found[0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        return listening
    except OSError as error:
        raise SettingsError(
            f"cannot listen on {settings.host}, port {settings.port}: {error.strerror or error}; "
            "another program may have it: choose another with --port"
        ) from error


def greeting(settings: ServerSettings, place: str) -> Iterator[str]:
    """What whoever starts it should know."""
    from pathmax.web.access import Door
    from pathmax.web.tokens import Role

    door = Door(settings)
    yield f"Studies of {place}. Stop with Ctrl-C."
    if not settings.read_only:
        yield f"    to work:          {door.link(Role.WRITE)}"
    yield f"    to look, to share: {door.link(Role.READ)}"
    yield "    robots:           Authorization: Bearer TOKEN, described at /api/docs"
    if not settings.is_loopback and not settings.has_tls and not settings.proxied:
        yield (
            f"There is no TLS: whoever can listen on the network of {settings.host} can read the "
            "token and all results. Give --certfile and --keyfile, or put a proxy that speaks TLS "
            "in front (docs/security.md)."
        )
