"""A real server on a free port of this machine, and clients that have a token."""

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest
import uvicorn

from pathmax.web.app import make_app
from pathmax.web.serving import bind_port, configured
from pathmax.web.settings import ServerSettings
from pathmax.web.tokens import Role, Tokens

TOKEN = "a-token-for-the-tests-0123456789"
SPACE = {
    "study": "suzuki",
    "objective": {"name": "yield", "direction": "maximize", "unit": "%"},
    "parameters": {
        "temperature": {"low": 20, "high": 120, "unit": "°C"},
        "solvent": ["DMF", "THF", "water"],
    },
    "settings": {"seed": 0, "initial": 3},
}


@contextmanager
def running(**settings: object) -> Iterator[ServerSettings]:
    """A server in a thread of this process, with its settings; `settings.port` is where it is."""
    given = {"token": TOKEN, "port": 0, **settings}
    with bind_port(ServerSettings(**given)) as listening:
        made = ServerSettings(**(given | {"port": listening.getsockname()[1]}))
        app = make_app(made)
        server = uvicorn.Server(configured(app, made))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        try:
            yield made
        finally:
            server.should_exit = True
            thread.join()


@contextmanager
def client(settings: ServerSettings, role: Role = Role.WRITE) -> Iterator[httpx.Client]:
    """A client with the token of a role."""
    tokens = Tokens.of(settings.token, read_only=settings.read_only)
    headers = {} if role is Role.NOBODY else {"Authorization": f"Bearer {tokens.by_role[role]}"}
    with httpx.Client(base_url=settings.origin, headers=headers, timeout=120) as made:
        yield made


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., ServerSettings]]:
    """Start servers; they end with the test."""
    with ExitStack() as stack:

        def start(**settings: object) -> ServerSettings:
            storage = {"storage": f"sqlite:///{tmp_path / 'lab.db'}"}
            return stack.enter_context(running(**(storage | settings)))

        yield start


@pytest.fixture
def settings(serve: Callable[..., ServerSettings]) -> ServerSettings:
    """A server on an empty SQLite file."""
    return serve()


@pytest.fixture
def api(settings: ServerSettings) -> Iterator[httpx.Client]:
    """A client that may write."""
    with client(settings) as made:
        yield made


@pytest.fixture
def study(api: httpx.Client) -> str:
    """The path of a study without trials."""
    made = api.post("/api/studies", json={"space": SPACE})
    assert made.status_code == 201, made.text
    return "/api/studies/suzuki"
