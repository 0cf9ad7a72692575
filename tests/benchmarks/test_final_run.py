"""The final run: what is up to date stays, what is not is run, recorded and put into its page."""

from __future__ import annotations

import argparse
import importlib.util
import json
import re
import shlex
import sys
from pathlib import Path

import pytest

from benchmarks import final_run, marked_text
from benchmarks.engines import ONE_OBJECTIVE, SEVERAL_OUTCOMES
from benchmarks.final_run import STEPS
from benchmarks.final_steps import Kept, Step, line_of
from pathmax.suggestion.explanation import ENGINE

ROOT = Path(__file__).parents[2]


def test_the_table_of_the_page_is_that_of_the_records() -> None:
    page = final_run.RESULTS.read_text(encoding="utf-8")
    made = marked_text.put(page, final_run.TABLE, final_run.figures())
    assert made == page, f"run {final_run.TABLE}"


def test_every_record_is_of_a_step_and_every_page_is_there() -> None:
    assert set(final_run.records()) <= set(STEPS)
    for step in STEPS.values():
        assert step.minutes > 0 and step.commands
        for page in step.pages.split(", "):
            assert (ROOT / page).exists() or (ROOT / "benchmarks" / page).exists(), page


def test_times_alone_want_quiet_cores() -> None:
    quiet = {name for name, step in STEPS.items() if step.quiet}
    assert {"one suggestion", "growth", "storage", "stopping"} <= quiet
    assert not {"development", "guesses", "reproduction", "outcomes"} & quiet


class Workshop:
    """A folder with one page, in which commands print what they are told to."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.page, self.load, self.said = folder / "page.md", 0.0, {"a": "1.50", "b": "2.50"}
        self.executed: list[str] = []
        parts = "".join(
            f"<!-- made by: {line} -->\n\n0.11\n\n{marked_text.END}\n"
            for line in ("python -m benchmarks.a", "python -m benchmarks.b", final_run.TABLE)
        )
        self.page.write_text(f"a said 0.11 once\n\n{parts}")
        (folder / "traces").mkdir()
        for module, name, value in (
            (marked_text, "ROOT", folder),
            (marked_text, "pages", lambda: [self.page]),
            (final_run, "ROOT", folder),
            (final_run, "HERE", folder),
            (final_run, "RESULTS", self.page),
            (final_run, "RECORDS", folder / "final_run.json"),
            (final_run, "source", lambda: self.source),
            (final_run, "commit", lambda: "1a2b3c4"),
            (final_run, "execute", self.execute),
            (final_run.os, "getloadavg", lambda: (self.load, 0.0, 0.0)),
        ):
            patch.setattr(module, name, value)
        self.source = "tree"
        self.steps = [Step("slow", ("a",), 30, "page.md", quiet=True), Step("b", ("b",), 5, "")]
        patch.setattr(final_run, "STEPS", {step.name: step for step in self.steps})

    def execute(self, command: str) -> str | None:
        self.executed.append(command)
        return self.said.get(command)

    def run(self, minutes: float = 1e9, again: bool = False) -> list[str]:
        self.executed = []
        final_run.run(self.steps, minutes, again)
        return self.executed

    def states(self) -> list[str]:
        known = final_run.records()
        return [final_run.state(step, known.get(step.name)) for step in self.steps]


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workshop:
    return Workshop(tmp_path, monkeypatch)


def test_a_step_is_run_once_and_its_figures_go_to_the_page(
    workshop: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    assert workshop.states() == ["never run", "never run"]
    assert workshop.run() == ["a", "b"]
    assert workshop.states() == ["", ""]
    assert workshop.run() == []
    assert workshop.run(again=True) == ["a", "b"]
    record = final_run.records()["b"]
    assert record["engine"] == ENGINE and record["commit"] == "1a2b3c4"
    text = workshop.page.read_text()
    made = marked_text.parts(text)["python -m benchmarks.a"]
    assert made.startswith(f"1.50\n\n*Engine {ENGINE}, 1a2b3c4, ")
    assert "| slow | page.md | `a` | " in text  # the table was made too
    assert "look at page.md:1 has 0.11" in capsys.readouterr().out


def test_another_engine_is_run_again_and_other_sources_for_times_alone(workshop: Workshop) -> None:
    workshop.run()
    workshop.source = "another tree"
    assert workshop.states() == ["of other sources", ""]
    assert workshop.run() == ["a"]
    before = ONE_OBJECTIVE - 1
    known = {name: row | {"engine": before} for name, row in final_run.records().items()}
    final_run.RECORDS.write_text(json.dumps(known))
    assert workshop.states() == [f"of engine {before}"] * 2


def test_an_engine_that_changed_other_studies_leaves_figures_up_to_date() -> None:
    alone = Step("alone", ("a",), 1, "", since=ENGINE - 1)
    several = Step("several", ("a",), 1, "", since=ENGINE)
    record = {"engine": ENGINE - 1}
    assert [final_run.state(step, record) for step in (alone, several)] == [
        "",
        f"of engine {ENGINE - 1}",
    ]
    assert final_run.state(alone, {"engine": "1 and 9"}) == "of engine 1 and 9"


def test_steps_with_several_outcomes_are_of_an_engine_of_their_own() -> None:
    several = {"outcomes", "outcomes, time", "fronts of our own"}
    assert several < set(STEPS)
    for name, step in STEPS.items():
        assert step.since == (SEVERAL_OUTCOMES if name in several else ONE_OBJECTIVE)


def test_nothing_is_begun_that_takes_longer_than_is_left(workshop: Workshop) -> None:
    assert workshop.run(minutes=10) == ["b"]
    assert workshop.states() == ["never run", ""]
    assert "Left: 30 minutes of a core, 30 of them on quiet cores" in final_run.listing(
        workshop.steps, final_run.records()
    )


def test_times_wait_for_quiet_cores(workshop: Workshop) -> None:
    workshop.load = 4.0
    assert workshop.run() == ["b"]


def test_what_failed_is_not_recorded(workshop: Workshop) -> None:
    del workshop.said["a"]
    assert workshop.run() == ["a", "b"]
    assert workshop.states() == ["never run", ""]
    assert marked_text.parts(workshop.page.read_text())["python -m benchmarks.a"] == "0.11"


def test_runs_of_an_older_engine_are_to_be_made_and_a_peers_are_not(
    workshop: Workshop, tmp_path: Path
) -> None:
    rows = [{"problem": "f", "seed": s, "engine": ONE_OBJECTIVE - s} for s in range(2)]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    for name in ("ours", "theirs"):
        (tmp_path / "traces" / f"{name}.jsonl").write_text(text)
    kept = (Kept("ours.jsonl", 2, 8.0), Kept("theirs.jsonl", 2, 50.0, ours=False))
    step = Step("s", ("a",), 1, "", kept)
    assert final_run.state(step, {"engine": ENGINE}) == "1 of 4 runs to be made"
    assert final_run.left(step, {"engine": ENGINE}) == pytest.approx(1.0 + 8.0 / 2)
    workshop.steps = [step]
    assert workshop.run() == ["a"]
    assert "s" not in final_run.records()  # the run is still missing
    (tmp_path / "traces" / "ours.jsonl").write_text(
        json.dumps(rows[0]) + "\n" + text[: text.index("\n") + 1]
    )
    assert workshop.run() == ["a"] and final_run.records()["s"]["engine"] == ENGINE


def test_a_step_of_runs_that_takes_hours_is_begun_with_what_is_left(workshop: Workshop) -> None:
    workshop.steps = [Step("hours", ("a --minutes {minutes}",), 500, "")]
    assert workshop.run(minutes=90) == ["a --minutes 90"]


def test_a_file_that_is_not_there_is_named(
    workshop: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    workshop.steps = [Step("data", ("a",), 1, "", file="nowhere.tar.gz")]
    assert workshop.run() == []
    assert "data: not begun: nowhere.tar.gz is to be put" in capsys.readouterr().out


COMMANDS = [command for step in STEPS.values() for command in step.commands]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_is_one_that_its_module_understands(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, *arguments = shlex.split(command.format(minutes=10))
    if name.endswith(".py"):
        assert (ROOT / name).exists()
        return
    if name.startswith("tests."):
        assert importlib.util.find_spec(name) is not None
        return
    module = importlib.import_module("pathmax.cli" if name == "pathmax" else f"benchmarks.{name}")
    source = Path(str(module.__file__)).read_text(encoding="utf-8")
    if name == "pathmax":
        assert invoked(arguments) == 0
    elif "ArgumentParser" not in source:
        assert arguments == []
    elif "--write" not in arguments:  # those compute first
        monkeypatch.setattr(sys, "argv", [name, *arguments])
        parse = argparse.ArgumentParser.parse_args

        def parsed(self: argparse.ArgumentParser, given: list[str] | None = None) -> None:
            parse(self, given)
            raise UnderstoodError

        monkeypatch.setattr(argparse.ArgumentParser, "parse_args", parsed)
        with pytest.raises(UnderstoodError):
            module.main()


class UnderstoodError(Exception):
    """All arguments were read."""


@pytest.mark.parametrize(
    ("command", "typed"),
    [
        ("guesses --seeds 3", "python -m benchmarks.guesses --seeds 3"),
        ("pathmax reproduce all", "pathmax reproduce all"),
        ("docs/figures/pims.py", "python docs/figures/pims.py"),
        ("tests.cli.transcript page.md", "python -m tests.cli.transcript page.md"),
    ],
)
def test_a_command_is_shown_as_one_types_it(command: str, typed: str) -> None:
    assert line_of(command) == typed


def test_a_command_is_executed_and_one_that_fails_is_told_apart() -> None:
    assert "Usage: pathmax" in (final_run.execute("pathmax --help") or "")
    assert final_run.execute("guesses --no-such-option") is None


def test_every_benchmark_that_a_page_names_is_a_step() -> None:
    """A figure that no step makes would stay as it is for ever."""
    texts = [
        page.read_text(encoding="utf-8") for page in [ROOT / "README.md", *ROOT.glob("docs/*.md")]
    ]
    named = {name for text in texts for name in re.findall(r"python -m benchmarks\.([\w.]+)", text)}
    known = {command.split()[0] for command in COMMANDS}
    sizes = {"sizes", "workers.library_ask"}  # lines of code; what `pools --library` starts
    assert named - known - sizes == set()


def invoked(arguments: list[str]) -> int:
    from click.testing import CliRunner

    from pathmax.cli import main

    return CliRunner().invoke(main, [*arguments, "--help"]).exit_code
