"""Faults 30 to 33 of the list, each as a user would meet it on the command line."""

import csv
import io
import json
import os
import pickle
import resource
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from pathmax import Categorical, Float, Study

PLAIN = "temperature,cycles,solvent,yield\n20.5,1,DMF,10\n70.5,2,THF,35.5\n60,3,THF,\n"
EUROPEAN = PLAIN.replace(",", ";").replace(".", ",")


@pytest.mark.parametrize(
    "table",
    [
        PLAIN.encode("utf-8-sig"),
        EUROPEAN.encode(),
        b"sep=;\r\n" + EUROPEAN.replace("\n", "\r\n").encode("cp1252"),
        PLAIN.replace(",", "\t").encode("utf-16"),
        PLAIN.replace("\n", "\n\n , ,,\n").encode(),
        PLAIN.replace(",", " , ").encode(),
        PLAIN.replace("DMF", '"DMF"').replace("20.5", '"20.5"').encode(),
    ],
    ids=["bom", "semicolons", "excel", "unicode text", "blank lines", "spaces", "quotes"],
)
def test_fault_30_csv_as_people_have_it(run, ask, space: Path, table: bytes) -> None:
    Path("plain.csv").write_text(PLAIN)
    Path("theirs.csv").write_bytes(table)
    expected = ask("suggest", "--data", "plain.csv", "-n", 2)["suggestions"]
    assert ask("suggest", "--data", "theirs.csv", "-n", 2)["suggestions"] == expected
    run("suggest", "--data", "theirs.csv", "-n", 2, "-o", "next.csv")
    Path("both.csv").write_bytes(Path("next.csv").read_bytes())
    assert ask("suggest", "--data", "both.csv")["running"] == 2


SLIPS = [
    (
        "temperature",
        "temp",
        "line 1: no column 'temperature', which is a parameter; rename 'temp'?",
    ),
    ("temperature,", "", "line 2: 4 cells, but the header names 3 columns"),
    ("yield\n", "yield,who\n", "line 1, column 'who': neither a parameter nor the result 'yield'"),
    ("cycles", "solvent", "line 1: columns 2 and 3 are both named 'solvent'"),
    ("70.5,", "170.5,", "line 3, column 'temperature': expected a number from 20.0 to 120.0"),
    ("THF,35", "EtOH,35", "line 3, column 'solvent': expected one of DMF, THF, got 'EtOH'"),
    ("35.5", "35.5 %", "line 3, column 'yield': '35.5 %' is not a number; write 35.5 without"),
    ("70.5", '"70,5"', "line 2, column 'temperature': '20.5' has a decimal point where other"),
]


@pytest.mark.parametrize(("old", "new", "message"), SLIPS)
def test_fault_30_errors_name_file_line_and_column(
    run, space: Path, old: str, new: str, message: str
) -> None:
    Path("bad.csv").write_text(PLAIN.replace(old, new, 1))
    for command in (("suggest", "--data", "bad.csv", "-o", "next.csv"), ("import", "bad.csv")):
        assert message in run(*command, code=1).output
    assert not Path("next.csv").exists()
    assert not Path("pathmax.db").exists()  # no study has begun


@pytest.mark.parametrize("title", ["Coupling,,,\n", "Coupling\n", "Coupling\n\n"])
def test_fault_30_a_title_above_the_header_is_named(run, space: Path, title: str) -> None:
    for separator in ",;":
        Path("titled.csv").write_text((title + PLAIN).replace(",", separator))
        told = run("suggest", "--data", "titled.csv", code=1).output
        assert "delete lines above" in told or "has to name the columns, got 'Coupling'" in told


def test_a_file_without_its_option_is_told_where_it_goes(run, space: Path) -> None:
    assert "(results.csv); write --data results.csv" in run("suggest", "results.csv", code=2).output
    assert "; write --space space.toml" in run("suggest", "space.toml", code=2).output
    assert "write --" not in run("suggest", "twice", code=2).output


def test_fault_30_a_units_row_is_named_in_the_space_file(run, space: Path) -> None:
    header, _, rows = PLAIN.partition("\n")
    Path("units.csv").write_text(f"{header}\n°C,,,%\n{rows}", encoding="utf-8")
    output = run("suggest", "--data", "units.csv", code=1).output
    assert "line 2, column 'temperature': '°C' is not a number; if this line holds units" in output
    space.write_text(space.read_text() + "[csv]\nunits_row = true\n")
    run("suggest", "--data", "units.csv", "-o", "next.csv")
    assert Path("next.csv").read_text(encoding="utf-8").splitlines()[1] == "°C,,,%"
    Path("units.csv").write_text(f"{header}\nK,,,%\n{rows}", encoding="utf-8")
    output = run("suggest", "--data", "units.csv", code=1).output
    assert "the units row says 'K', the space file says '°C'" in output


HOSTILE_CHOICES = ["=1+1", "+a", "-OH", "@x", "\ttab", "-3.5"]


def test_fault_30_exported_cells_cannot_start_a_formula(run, lab: Path) -> None:
    name = "=cmd|' /C calc'!A0"
    study = Study({name: Categorical(HOSTILE_CHOICES)}, name="s", storage="pathmax.db", seed=0)
    for choice in HOSTILE_CHOICES:
        study.add({name: choice}, -3.5, note="=HYPERLINK(0)")
    rows = list(csv.reader(io.StringIO(run("export").output)))
    cells = [cell for row in rows for cell in row]
    assert not [c for c in cells if c[:1] in "=+-@\t\r" and c not in ("", "-3.5")]
    assert [row[2] for row in rows[1:]] == ["-3.5"] * 6  # numbers stay numbers
    run("export", "-o", "all.csv")
    assert "6 known before" in run("import", "all.csv").output


NAMES = [
    "flow rate", 'say "hi"', "it's", "température", "温度", "🧪", "<script>alert(1)</script>",
    "[bold]x[/bold]", "$x_1$", "a,b;c", "=1+1", "trial", "%s{x}", "\x1b[31mred",
]  # fmt: skip


def test_fault_31_names_of_every_kind_go_all_the_way(run, ask, lab: Path) -> None:
    study = Study(
        {name: Float(0, 1) for name in NAMES}, name="odd <b>&", storage="pathmax.db", seed=0
    )
    run("suggest", "-n", 3, "-o", "next.csv")
    assert set(ask("suggest")["suggestions"][0]["params"]) == set(NAMES)
    rows = list(csv.reader(io.StringIO(Path("next.csv").read_text(encoding="utf-8-sig"))))
    for i, row in enumerate(rows[1:]):
        row[-1] = str(i)
    with open("filled.csv", "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
    assert "3 for suggested trials" in run("import", "filled.csv").output
    assert [t.value for t in study.trials[:3]] == [0, 1, 2]
    shown = run("show").output
    assert "[bold]x[/bold]" in shown and "\x1b" not in shown and "\\x1b[31mred" in shown
    run("explain", 3)
    run("export", "-o", "all.csv")
    run("plot", "--kind", "parallel", "-o", "odd.png")
    assert Path("odd.png").stat().st_size > 10_000


class Bomb:
    """A pickle that leaves a mark when it is loaded."""

    def __reduce__(self) -> tuple[object, tuple[str, str]]:
        return exec, ("open('exploded', 'w').close()", "")


@pytest.mark.parametrize("protocol", [0, 5])
def test_fault_32_nothing_in_a_data_file_is_executed(run, space: Path, protocol: int) -> None:
    bomb = pickle.dumps(Bomb(), protocol=protocol)
    for name in ("evil.csv", "evil.toml", "evil.db", "evil.parquet"):
        Path(name).write_bytes(bomb)
    Path("good.csv").write_text(PLAIN)
    for command, code in [
        (("suggest", "--data", "evil.csv"), 1),
        (("suggest", "--space", "evil.toml"), 1),
        (("suggest", "--data", "good.csv", "--pool", "evil.csv"), 1),
        (("suggest", "--data", "good.csv", "--pool", "evil.parquet"), 1),
        (("import", "evil.csv"), 1),
        (("init", "other.toml", "--from", "evil.csv"), 1),
        (("show", "--storage", "evil.db"), 3),
    ]:
        output = run(*command, code=code).output
        assert "evil." in output and "Traceback" not in output
    assert not Path("exploded").exists()


def test_fault_32_a_table_of_code_is_text(run, space: Path) -> None:
    code = "__import__('os').system('touch exploded')"
    Path("results.csv").write_text(PLAIN.replace("35.5", f'"{code}"'))
    assert "is not a number" in run("suggest", "--data", "results.csv", code=1).output
    space.write_text(space.read_text().replace('"DMF"', f'"{code}"'))
    run("suggest")
    assert not Path("exploded").exists()


def test_fault_33_a_pool_of_a_million_rows_fits_in_memory(lab: Path) -> None:
    with open("library.csv", "w") as file:
        file.write("name,a,b\n")
        for start in range(0, 1_000_000, 10_000):
            rows = range(start, start + 10_000)
            file.write("".join(f"m{i},{i % 997},{i * 7919 % 1_000_003}\n" for i in rows))
    Path("results.csv").write_text("name,value\nm5,1\nm700000,2\nm9,\nm11,1\nm13,2\nm15,0\n")
    command = "suggest --pool library.csv --id name --data results.csv --json".split()
    done = subprocess.run(
        [sys.executable, "-m", "pathmax", *command], capture_output=True, text=True, check=True
    )
    assert len(json.loads(done.stdout)["suggestions"]) == 1
    kilobytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    assert kilobytes < 1_000_000, f"{kilobytes} kB"


def test_output_is_plain_when_piped(space: Path) -> None:
    environment = {**os.environ, "TERM": "xterm-256color", "FORCE_COLOR": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "pathmax", "suggest", "-n", "2"],
        cwd=space.parent, env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "\x1b" not in done.stdout and "│" not in done.stdout


@pytest.mark.filterwarnings("default::pathmax.errors.DamageWarning")
@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE pathmax_trials SET note = '\"\\ud' WHERE number = 1",
        "UPDATE pathmax_trials SET params = '{\"x\": 3}' WHERE number = 1",
        "UPDATE pathmax_trials SET outcomes = 'x' WHERE number = 1",
        "DELETE FROM pathmax_trials WHERE number = 1",
    ],
)
def test_fault_39_every_command_names_a_damaged_trial_and_goes_on(run, ask, space, damage) -> None:
    run("suggest", "-n", 4)
    for number, value in enumerate([1.0, 2.0, 3.0]):
        run("tell", number, value)
    with closing(sqlite3.connect("pathmax.db")) as database, database:
        database.execute(damage)
    for command in ("show", "export", "suggest", "studies"):
        result = run(command)
        if command != "studies":
            assert "Warning:" in result.stderr and "trial 1 of study 'suzuki'" in result.stderr
            assert "pathmax.db" in result.stderr and "exit_codes" not in result.stderr
    assert run("export").stdout.count("\n") == 1 + 5
    assert len(ask("export")["trials"]) == 5
