"""Run a server: what is printed at the start, and uvicorn underneath."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import socket
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pathmax.errors import MissingExtraError, SettingsError
from pathmax.web.own_addresses import own_addresses
from pathmax.web.settings import ServerSettings
from pathmax.web.tokens import Role, Tokens

if TYPE_CHECKING:
    import uvicorn

NO_TLS = (
    "There is no TLS: whoever can listen on the network of {host} can read the token and all "
    "results. Give --certfile and --keyfile, or put a proxy that speaks TLS in front "
    "(docs/security.md)."
)


# A long study is many objects that stay: with Python's own thresholds the garbage collector took a
# quarter of the time of reading 50,000 trials.
SELDOM = (100_000, 20, 50)


def serve(settings: ServerSettings, greet: Callable[[Greeting], object]) -> None:
    """Serve until Ctrl-C. `greet` is called once the port is ours."""
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

    listening = bind_port(settings)
    gc.set_threshold(*SELDOM)
    try:
        app = make_app(settings)
        greet(Greeting.of(settings, app.state.server.studies.storage.place))
        logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(message)s")
        with contextlib.suppress(KeyboardInterrupt):  # uvicorn has ended well and raises it again
            uvicorn.Server(configured(app, settings)).run(sockets=[listening])
    finally:
        listening.close()


def configured(app: Any, settings: ServerSettings) -> uvicorn.Config:
    """How uvicorn runs an application of ours."""
    import uvicorn

    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,  # it would hold the token of the printed link
        server_header=False,
        ssl_certfile=settings.certfile,
        ssl_keyfile=settings.keyfile,
        timeout_graceful_shutdown=1,  # viewers never hang up by themselves
        timeout_keep_alive=75,  # a page that is open comes back on the same connection
    )
    logging.getLogger("uvicorn.error").addFilter(is_worth_saying)
    return config


def is_worth_saying(record: logging.LogRecord) -> bool:
    """Whether the log should hold it: that pages still waited when the server ended is no fault."""
    kind = record.exc_info[0] if record.exc_info else None
    cancelled = kind is not None and issubclass(kind, asyncio.CancelledError)
    return not cancelled and not str(record.msg).startswith("Cancel %s running task")


def bind_port(settings: ServerSettings) -> socket.socket:
    """The port, or a sentence why it cannot be had."""
    try:
        found = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)
        family, _, _, _, address = found[0]
        # asyncio sends without delay only where the protocol is named: 50 ms a request otherwise.
        listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(2048)
        return listening
    except OSError as error:
        raise SettingsError(
            f"cannot listen on {settings.host}, port {settings.port}: {error.strerror or error}; "
            "another program may have it: choose another with --port"
        ) from error


@dataclass(frozen=True, slots=True, kw_only=True)
class Greeting:
    """What whoever starts a server should know."""

    storage: str
    work: str | None
    """The link for writing; none where nobody may write."""
    look: str
    """The link for reading, to share."""
    origins: tuple[str, ...]
    """Where it is found, first where others find it: through a proxy, or on their network."""
    warning: str | None

    @classmethod
    def of(cls, settings: ServerSettings, place: str) -> Greeting:
        tokens = Tokens.of(settings.token, read_only=settings.read_only)
        exposed = not settings.is_loopback and not settings.has_tls and not settings.proxied
        hosts = own_addresses(settings.host) if settings.is_everywhere else []
        fronts = [f"https://{name}" for name in settings.allowed_hosts if settings.proxied]
        origins = (*fronts, *map(settings.origin_at, hosts), settings.origin)
        where = "this machine" if settings.is_everywhere else settings.host
        return cls(
            storage=place,
            work=None if settings.read_only else tokens.link(origins[0], Role.WRITE),
            look=tokens.link(origins[0], Role.READ),
            origins=origins,
            warning=NO_TLS.format(host=where) if exposed else None,
        )

    @property
    def lines(self) -> list[str]:
        """The same as a terminal shows it."""
        said = [f"Studies of {self.storage}. Stop with Ctrl-C."]
        said += [f"    to work:           {self.work}"] if self.work else []
        said += [f"    to look, to share: {self.look}"]
        also = ", ".join(self.origins[1:])
        said += [f"    found also at:     {also}"] if also else []
        said += ["    for robots:        Authorization: Bearer TOKEN; see /api/docs"]
        return said + ([self.warning] if self.warning else [])
