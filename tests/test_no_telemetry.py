"""No connection is made that nobody asked for: Python's audit hook would see it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import pathmax.web

WATCH = """
import sys

def watch(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto", "urllib.Request"):
        sys.stderr.write(f"CONNECTION {event} {arguments!r}\\n")
        sys.stderr.flush()
        raise SystemExit(77)

sys.addaudithook(watch)
"""
STUDY = """
import pathmax
study = pathmax.Study(
    {"x": pathmax.Float(0, 1), "s": pathmax.Categorical(["a", "b"])},
    direction="maximize", seed=0, storage="sqlite:///quiet.db", name="quiet",
)
study.optimize(lambda params: params["x"], 8, progress=False)
study.recommend(), study.regret(n_paths=20), study.explain(7), study.replay(7)
"""
EVERYTHING = """
import importlib, pkgutil, pathmax
for module in pkgutil.walk_packages(pathmax.__path__, "pathmax."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
"""
COMMANDS = """
from pathmax.cli import main
for line in (
    "demo --trials 7", "init", "suggest -n 6", "tell 0 71.3", "tell 1 64", "fail 2", "suggest",
    "explain 6", "show", "rank -n 3", "export -o all.csv", "import all.csv", "studies", "bound",
):
    try:
        main(line.split())
    except SystemExit as end:
        assert end.code in (None, 0), (line, end.code)
"""
PAGES = """
import asyncio
import httpx
import pathmax
from pathmax.web.app import make_app
from pathmax.web.settings import ServerSettings

study = pathmax.Study({"x": pathmax.Float(0, 1)}, storage="sqlite:///lab.db", name="lab", seed=0)
study.optimize(lambda params: params["x"], 6, progress=False)
settings = ServerSettings(storage="sqlite:///lab.db", token="a-token-of-the-test-0123456789")
headers = {"Authorization": "Bearer a-token-of-the-test-0123456789"}

async def visit():
    asked = httpx.ASGITransport(make_app(settings))  # within this process
    async with httpx.AsyncClient(transport=asked, base_url=settings.origin, headers=headers) as web:
        for page in ("", "studies/lab", "model/lab", "trials/lab", "space/lab", "new", "api/docs"):
            answer = await web.get("/" + page)
            assert answer.status_code == 200, (page, answer.status_code, answer.text[:300])

asyncio.run(visit())
"""
# FastAPI reports every request to what the process has set up for that, as an agent of a company's
# cluster does in every Python program; what a laboratory measures is not to be found there.
AGENT = """
try:
    from opentelemetry import trace
except ImportError:  # FastAPI did not require it once
    pass
else:
    class Tracer(trace.NoOpTracer):
        def start_span(self, name, *arguments, **options):
            sys.stderr.write(f"CONNECTION span {name}\\n")
            return super().start_span(name, *arguments, **options)

    class Agent(trace.TracerProvider):
        def get_tracer(self, *arguments, **options):
            return Tracer()

    trace.set_tracer_provider(Agent())
"""
PAGE_FILES = Path(pathmax.web.__file__).parent


def run(text: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run(
        [sys.executable, "-c", WATCH + text],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )


@pytest.mark.parametrize(
    "text",
    [STUDY, EVERYTHING, COMMANDS, PAGES, AGENT + PAGES],
    ids=["study", "modules", "commands", "pages", "pages beside an agent"],
)
def test_nothing_is_sent(text, tmp_path):
    done = run(text, tmp_path)
    assert "CONNECTION" not in done.stderr
    assert done.returncode == 0, done.stderr


def test_the_hook_sees_a_connection(tmp_path):
    done = run("import socket; socket.create_connection(('127.0.0.1', 9), 0.1)", tmp_path)
    assert done.returncode == 77
    assert "CONNECTION socket.getaddrinfo" in done.stderr


def test_what_a_browser_is_sent_names_no_other_host():
    files = [*PAGE_FILES.glob("static/**/*.*"), *PAGE_FILES.glob("templates/*.html")]
    assert len(files) > 30
    hosts = {
        host
        for file in files
        for host in re.findall(r"""(?:https?:)?//([\w.-]+\.\w+)""", file.read_text("utf-8"))
    }
    assert hosts == {"www.w3.org"}  # the name of SVG, which nothing fetches
