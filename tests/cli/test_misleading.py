"""What once misled somebody on the command line, or ended in a traceback."""

import io
from pathlib import Path

import pytest

from pathmax.cli import output as screen

BASE = '[objective]\nname = "y"\ndirection = "maximize"\n[parameters]\na = {}\n'


@pytest.mark.parametrize("name", ["next.xlsm", "next.XLS", "next.ods", "next.parquet"])
def test_a_csv_is_not_written_under_the_name_of_a_workbook(
    run, ask, begun: Path, name: str
) -> None:
    before = ask("show")["running"]
    for command in (["suggest"], ["export"], ["rank", "--paths", 5]):
        message = run(*command, "-o", name, code=1).output
        assert "tables are written as CSV or .xlsx" in message
    assert not Path(name).exists() and ask("show")["running"] == before
    run("suggest", "-o", "next.txt")


def test_nothing_is_suggested_that_cannot_be_written(run, ask, begun: Path) -> None:
    assert "there is no folder nowhere" in run("suggest", "-o", "nowhere/n.csv", code=1).output
    assert ask("show")["running"] == 1


def test_a_result_from_before_is_added(run, ask, begun: Path) -> None:
    output = run("add", "temperature=50", "cycles=2", "solvent=DMF", "--value", "71,3").output
    assert output == "Trial 5: yield 71.3, added.\nThat is the best so far.\n"
    told = ask("add", "temperature=80,5", "cycles=3", "solvent= THF", "--value", -1, "--note", "n")
    assert told["trial"]["params"] == {"temperature": 80.5, "cycles": 3, "solvent": "THF"}
    assert told["trial"]["note"] == "n" and told["best_trial"] == 5
    for arguments, message in [
        (["temperature=50"], "cycles: no value given; params need"),
        (["temperature=50", "cycles=2", "solvent=DMS"], "did you mean DMF?"),
        (["temperature=50", "cycles=2", "solvant=DMF"], "did you mean 'solvent'?"),
        (["temperature=500", "cycles=2", "solvent=DMF"], "expected a number from 20.0 to 120.0"),
        (["temperature=warm", "cycles=2", "solvent=DMF"], "'warm' is not a number"),
        (["temperature", "cycles=2", "solvent=DMF"], "has no = in it"),
        (["temperature=50", "temperature=60"], "is given twice"),
    ]:
        assert message in run("add", *arguments, "--value", 1, code=1).output
    assert "is not a number" in run("add", "temperature=50", "--value", "high", code=1).output
    assert len(ask("export")["trials"]) == 7


def test_the_first_result_begins_a_study(run, ask, space: Path) -> None:
    run("add", "temperature=50", "cycles=x", "solvent=DMF", "--value", 7, code=1)
    run("add", "temperature=50", "cycles=2", "solvent=DMF", "--value", 7)
    assert ask("show")["complete"] == 1


def test_remarks_are_no_parameters(run, lab: Path) -> None:
    rows = ["T,solvent,remarks,seen,what,yield"]
    rows += [
        f"{20 + 3 * i},{'DMF' if i % 2 else 'THF'},ok,{'red' if i > 6 else ''},a b c d {i % 2},{i}"
        for i in range(9)
    ]
    Path("old.csv").write_text("\n".join(rows) + "\n")
    output = run("init", "--from", "old.csv", "--objective", "yield").output
    assert "remarks holds remarks" in output and "what holds sentences" in output
    assert "seen is empty in most rows" in output
    text = Path("space.toml").read_text(encoding="utf-8")
    assert "solvent = [" in text and 'ignore = ["remarks", "seen", "what"]' in text
    run("suggest", "--data", "old.csv")


def test_british_spelling(run, ask, space: Path) -> None:
    space.write_text(space.read_text(encoding="utf-8").replace("maximize", "minimise"))
    run("suggest")
    assert ask("show")["direction"] == "minimize"
    run("init", "other.toml", "--direction", "maximise")
    assert 'direction = "maximize"' in Path("other.toml").read_text(encoding="utf-8")


def test_a_missing_direction_is_asked_for_where_it_belongs(run, space: Path) -> None:
    text = space.read_text(encoding="utf-8")
    space.write_text(text.replace('direction = "maximize"\n', ""))
    assert "below the line [objective]" in run("suggest", code=1).output
    space.write_text(text + '\n[objective]\ndirection = "maximize"\n')
    message = run("suggest", code=1).output
    assert "[objective] stands here twice; put its lines below the first" in message


def test_incomplete_rows_are_reported_at_once_or_skipped(run, ask, lab: Path) -> None:
    rows = [f"m{i},{'' if i % 4 == 1 else i},{'' if i == 6 else 'xy'[i % 2]}" for i in range(12)]
    Path("library.csv").write_text("name,weight,kind\n" + "\n".join(rows) + "\n")
    pool = ["--pool", "library.csv", "--id", "name"]
    message = run("suggest", *pool, code=1).output
    assert "4 cells are missing in 4 of 12 rows: line 3, column 'weight'; line 7" in message
    assert "--skip-incomplete" in message
    output = run("suggest", *pool, "--skip-incomplete", "-n", 2).output
    assert "4 of the 12 rows of library.csv are incomplete and left out." in output
    run("tell", 0, 5.0)
    run("show")
    Path("space.toml").write_text(
        '[objective]\ndirection = "maximize"\n[candidates]\nfile = "library.csv"\nid = "name"\n'
        "skip_incomplete = true\n"
    )
    assert ask("suggest", "--study", "again")["suggestions"]


def test_a_terminal_is_not_steered_by_a_note(run, begun: Path, monkeypatch) -> None:
    run("tell", 4, 1, "--note", "red \x1b[31m alert \x9b31m")
    shown = io.StringIO()
    monkeypatch.setattr(screen, "on_terminal", lambda: True)
    monkeypatch.setattr(screen.sys, "stdout", shown)
    screen.target("-").write("red \x1b[31m alert \x9b31m\n")
    assert shown.getvalue() == "red \\x1b[31m alert \\x9b31m\n"
    monkeypatch.undo()


def test_json_has_no_control_characters(run, begun: Path) -> None:
    run("tell", 4, 1, "--note", "red \x1b[31m \x9b31m \x7f")
    output = run("export", "--json").output
    assert "\x1b" not in output and "\x9b" not in output and "\x7f" not in output


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("[" * 3000 + "]" * 3000, "nested too deeply"),
        ("{ low = 0, high = " + "9" * 5000 + " }", "is too long"),
        ("[" + "9" * 4000 + ", 2]", "cannot be a choice"),
    ],
    ids=["nested", "long number", "long choice"],
)
def test_odd_toml_is_explained(run, space: Path, entry: str, message: str) -> None:
    space.write_text(BASE.format(entry))
    assert message in run("suggest", code=1).output


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("postgresql://me:secret@host:abc/lab", "with a number for the port"),
        ("sqlite:///" + "x" * 300 + ".db", "choose a shorter one"),
        ("x" * 300 + ".db", "choose a shorter one"),
        ("a\0b.db", "NUL character"),
    ],
    ids=["port", "long", "long name", "nul"],
)
def test_odd_storages_are_explained(run, space: Path, url: str, message: str) -> None:
    output = run("suggest", "--storage", url, code=1).output
    assert message in output and "secret" not in output


@pytest.mark.parametrize("name", ["x" * 300, "a\0b"], ids=["long", "nul"])
def test_odd_names_of_files_are_explained(run, begun: Path, name: str) -> None:
    for command in (
        ["suggest", "--space", name],
        ["suggest", "--data", name],
        ["suggest", "--pool", name],
        ["suggest", "-o", name],
        ["import", name],
        ["export", "-o", name],
        ["init", name],
        ["init", "new.toml", "--from", name],
    ):
        assert run(*command, code=1).output.startswith("Error: ")


def test_a_standard_deviation_beyond_all_bounds(run, begun: Path) -> None:
    assert "noise is the variance" in run("tell", 4, 1, "--std", "1e200", code=1).output
