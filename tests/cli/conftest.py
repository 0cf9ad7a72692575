"""A laboratory: an empty folder, and the command line in it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pathmax.cli import main

SPACE = """\
study = "suzuki"

[objective]
name = "yield"
direction = "maximize"

[parameters]
temperature = { low = 20, high = 120, unit = "°C" }
cycles = { low = 1, high = 8, type = "int" }
solvent = ["DMF", "THF"]

[settings]
seed = 1
"""

Run = Callable[..., Result]


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is the present one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PATHMAX_STORAGE", raising=False)
    monkeypatch.delenv("PATHMAX_STUDY", raising=False)
    return tmp_path


@pytest.fixture
def run(lab: Path) -> Run:
    """Run a command; by default it must succeed."""

    def _run(*arguments: object, code: int = 0, answer: str | None = None) -> Result:
        result = CliRunner().invoke(
            main, [str(a) for a in arguments], input=answer, prog_name="pathmax"
        )
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code == code, result.output
        return result

    return _run


@pytest.fixture
def ask(run: Run) -> Callable[..., dict]:
    """Run a command with --json and read its answer."""

    def _ask(*arguments: object) -> dict:
        return json.loads(run(*arguments, "--json").stdout)

    return _ask


@pytest.fixture
def space(lab: Path) -> Path:
    """A space file in the folder."""
    path = lab / "space.toml"
    path.write_text(SPACE, encoding="utf-8")
    return path


@pytest.fixture
def begun(space: Path, run: Run) -> Path:
    """A study with three results, one failed and one running trial."""
    run("suggest", "-n", 5)
    for number, value in enumerate([41.5, 63.2, 55.0]):
        run("tell", number, value)
    run("fail", 3, "--reason", "stirrer stopped")
    return space
