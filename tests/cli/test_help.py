"""Help reads like a tutorial, costs next to nothing, and every command has its own."""

import json
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest
from click import Command, Context

from pathmax.cli import COMMANDS, main
from pathmax.workspace.study_plan import Source

NAMES = [name for section in COMMANDS.values() for name in section]
# The demo and the tools for research have no study to work on.
ON_STUDIES = [
    name
    for title, section in COMMANDS.items()
    for name in section
    if title != "Research" and name != "demo"
]
DOCS = Path(__file__).parents[2] / "docs"


def command(name: str) -> Command:
    found = main.get_command(Context(main), name)
    assert found is not None
    return found


def test_help_is_a_tutorial_with_exit_codes(run) -> None:
    text = run("--help").output
    steps = [text.index(f"pathmax {step}") for step in ("init", "suggest -n 4", "tell 0", "show")]
    assert steps == sorted(steps)
    assert "--data results.csv" in text and "Exit codes:" in text


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import json, sys\nfrom pathmax.cli import main\n"
        "main(['--help'], standalone_mode=False)\n"
        "print(json.dumps(sorted(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(json.loads(done.stdout.splitlines()[-1]))
    assert not loaded & {"numpy", "scipy", "sqlalchemy", "rich", "matplotlib"}


@pytest.mark.parametrize("name", NAMES)
def test_every_command_explains_itself_with_an_example(run, name: str) -> None:
    text = run(name, "--help").output
    assert f"pathmax {name}" in text.split("Usage:")[1].partition("\n")[2]


@pytest.mark.parametrize("name", ON_STUDIES)
def test_every_command_takes_study_storage_and_json(name: str) -> None:
    options = {option for p in command(name).params for option in p.opts}
    which = set() if name == "serve" else {"--study"}  # it serves all of them
    assert {"--storage", "--json"} | which <= options


@pytest.mark.parametrize("name", [*ON_STUDIES, "demo"])
def test_every_option_stands_in_the_documentation(name: str) -> None:
    page = (DOCS / "command-line.md").read_text(encoding="utf-8")
    options = {max(p.opts, key=len) for p in command(name).params if p.param_type_name == "option"}
    missing = [option for option in sorted(options) if f"`{option}" not in page]
    assert f"pathmax {name}" in page and not missing


def test_a_slip_of_the_pen_is_understood(run) -> None:
    result = run("sugest", code=2)
    assert "there is no command 'sugest'; did you mean 'suggest'?" in result.output
    assert "`pathmax show` has the front" in run("front", code=2).output


def test_python_m_pathmax_is_the_same_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pathmax", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("pathmax, version ")


def test_rank_and_suggest_take_the_same_source() -> None:
    def options(name: str) -> dict[str, str | None]:
        shared = {field.name for field in fields(Source)}
        return {p.name: p.help for p in command(name).params if p.name in shared}

    assert options("rank") == options("suggest")
    assert len(options("rank")) == len(fields(Source))
