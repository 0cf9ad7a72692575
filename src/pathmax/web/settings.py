"""How a server is set up: where the studies are, who may come in, how much is taken at once."""

from __future__ import annotations

import ipaddress
import os
import secrets
import socket
from dataclasses import dataclass, field
from pathlib import Path

from pathmax.errors import SettingsError
from pathmax.storage import Storage
from pathmax.storage.connection import TOKEN_VARIABLE
from pathmax.web.own_addresses import EVERYWHERE
from pathmax.workspace.location import DEFAULT_STORAGE

SHORTEST_TOKEN = 16  # characters: nobody guesses that many
LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestLimits:
    """How much one request may bring or ask for."""

    body: int = 1_000_000  # bytes
    table: int = 32_000_000  # bytes of a CSV file, or of many trials at once
    rows: int = 100_000  # of an import
    page: int = 1000  # trials in one answer
    suggestions: int = 100
    points: int = 10_000  # to predict
    paths: int = 2000  # whose maximum is searched for

    def check(self, what: str, given: int | None, named: str = "") -> None:
        """Refuse more than one request may ask for; `named` is what the request calls it."""
        most = getattr(self, what)
        if given is not None and given > most:
            raise SettingsError(
                f"{named or what} may be {most} at most in one request, got {given}; ask for less, "
                "or several times"
            )


def new_token() -> str:
    """A token that nobody guesses."""
    return secrets.token_urlsafe(24)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """How a server is set up.

    Attributes:
        storage: where the studies are, as for `Study`.
        host, port: where it listens; by default only this machine can come.
        token: whoever has it may write; by default a new one that is printed.
        read_only: whether nobody may write.
        files: the only folder whose files a space.toml from a browser may name.
        allowed_hosts: further names under which browsers reach the server, such as that of a proxy.
        certfile, keyfile: of TLS, handed to uvicorn.
        proxied: whether a proxy in front speaks TLS, so that the cookie is for https alone.
        poll: seconds between two looks at the database while somebody watches.
        limits: how much one request may bring or ask for.
    """

    storage: str | Storage = DEFAULT_STORAGE
    host: str = "127.0.0.1"
    port: int = 8080
    token: str = field(default_factory=new_token, repr=False)
    read_only: bool = False
    files: Path | None = None
    allowed_hosts: tuple[str, ...] = ()
    certfile: str | None = None
    keyfile: str | None = None
    proxied: bool = False
    poll: float = 0.5
    limits: RequestLimits = RequestLimits()

    def __post_init__(self) -> None:
        if len(self.token) < SHORTEST_TOKEN or not self.token.isascii():
            raise SettingsError(
                f"{TOKEN_VARIABLE} must have at least {SHORTEST_TOKEN} characters of ASCII, got "
                f"{len(self.token)}; leave it unset for a new one each time, or take one from "
                'python -c "import secrets; print(secrets.token_urlsafe(24))"'
            )
        if self.keyfile is not None and self.certfile is None:
            raise SettingsError("--keyfile needs --certfile; give both, or neither for no TLS")
        if self.files is not None and not self.files.is_dir():
            raise SettingsError(f"--files {self.files}: there is no such folder; make it first")

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach it."""
        return is_loopback(self.host)

    @property
    def has_tls(self) -> bool:
        return self.certfile is not None

    @property
    def origin(self) -> str:
        """Where a browser on this machine finds it."""
        return self.origin_at("localhost" if self.is_everywhere else self.host)

    @property
    def is_everywhere(self) -> bool:
        """Whether it listens on every network of this machine."""
        return self.host in EVERYWHERE

    def origin_at(self, host: str) -> str:
        """Where a browser finds it by one of its names or addresses."""
        shown = f"[{host}]" if ":" in host else host
        return f"http{'s' if self.has_tls else ''}://{shown}:{self.port}"

    def answers_to(self, host: str) -> bool:
        """Whether this is a name of ours.

        A page of another site can make a browser look up its own name as our address (DNS
        rebinding); its requests then come with that name, and are refused.
        """
        name = host.lower()
        ours = {*LOOPBACK, self.host.lower(), *(each.lower() for each in self.allowed_hosts)}
        if name in ours:
            return True
        # An address cannot be looked up as another one.
        return not self.is_loopback and (is_address(name) or name == socket.gethostname().lower())


def token_of_environment() -> str:
    """The token that the environment gives, or a new one."""
    return os.environ.get(TOKEN_VARIABLE) or new_token()


def is_loopback(host: str) -> bool:
    """Whether a name or address means this machine alone."""
    return host.lower() == "localhost" or (
        is_address(host) and ipaddress.ip_address(host).is_loopback
    )


def is_address(host: str) -> bool:
    """Whether it is an address and not a name."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
