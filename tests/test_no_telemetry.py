"""No connection is made that nobody asked for: Python's audit hook would see it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

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
for line in ("demo --trials 7", "init", "show --help"):
    try:
        main(line.split())
    except SystemExit as end:
        assert end.code in (None, 0), (line, end.code)
"""


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
    "text", [STUDY, EVERYTHING, COMMANDS], ids=["study", "modules", "commands"]
)
def test_nothing_is_sent(text, tmp_path):
    done = run(text, tmp_path)
    assert "CONNECTION" not in done.stderr
    assert done.returncode == 0, done.stderr


def test_the_hook_sees_a_connection(tmp_path):
    done = run("import socket; socket.create_connection(('127.0.0.1', 9), 0.1)", tmp_path)
    assert done.returncode == 77
    assert "CONNECTION socket.getaddrinfo" in done.stderr
