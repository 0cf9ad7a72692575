"""A server that ends says nothing of the pages that were waiting; of faults it does."""

import logging
import threading

import httpx
import pytest
import uvicorn

from pathmax.web.app import make_app
from pathmax.web.serving import bind_port, configured, serve
from pathmax.web.settings import ServerSettings


@pytest.mark.parametrize("fault", [False, True])
def test_the_log_of_a_server_that_ends(tmp_path, fault):
    given = {"token": "t" * 32, "port": 0, "storage": f"sqlite:///{tmp_path / 'lab.db'}"}
    with bind_port(ServerSettings(**given)) as listening:
        port = listening.getsockname()[1]
        settings = ServerSettings(**(given | {"port": port}))
        app = make_app(settings)
        entered = threading.Event()

        async def waits(scope, receive, send):
            if scope["type"] != "http":
                return await app(scope, receive, send)
            entered.set()
            if fault:
                raise RuntimeError("a fault")
            await receive()
            await receive()  # until the client hangs up, or the server ends

        server = uvicorn.Server(configured(waits, settings))
        said: list[str] = []
        handler = logging.Handler()
        handler.emit = lambda record: said.append(record.getMessage())  # type: ignore[method-assign]
        logging.getLogger("uvicorn.error").addHandler(handler)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            client = threading.Thread(target=_look, args=(port,))
            client.start()
            assert entered.wait(60)
        finally:
            server.should_exit = True
            thread.join()
            client.join()
            logging.getLogger("uvicorn.error").removeHandler(handler)
    assert ("Exception in ASGI application" in " ".join(said)) is fault, said
    assert not any("Cancel" in one for one in said), said


def test_ctrl_c_is_how_a_server_is_ended_and_no_error(tmp_path, monkeypatch):
    """`pathmax serve` says "Stop with Ctrl-C", and then said "Aborted!" with exit code 1."""

    def interrupted(self: uvicorn.Server, sockets: list) -> None:
        raise KeyboardInterrupt  # as uvicorn does once it has ended

    monkeypatch.setattr(uvicorn.Server, "run", interrupted)
    monkeypatch.setattr("gc.set_threshold", lambda *each: None)  # of this process
    with bind_port(ServerSettings(token="t" * 32, port=0)) as free:
        port = free.getsockname()[1]
    greeted: list[object] = []
    settings = {"token": "t" * 32, "port": port, "storage": f"sqlite:///{tmp_path / 'lab.db'}"}
    serve(ServerSettings(**settings), greeted.append)
    assert len(greeted) == 1
    bind_port(ServerSettings(**settings)).close()  # the port is free again


def _look(port: int) -> None:
    try:
        httpx.get(f"http://127.0.0.1:{port}/", timeout=60)
    except httpx.HTTPError:
        pass
