"""Excel on the command line: wherever a CSV file may be given."""

import zipfile
from pathlib import Path

import openpyxl
import pytest

HEADER = ["temperature (°C)", "cycles", "solvent", "yield"]
ROWS = [
    [20.5, 1, "DMF", 10],
    [70.5, 2, "THF", 35.5],
    [60, 3, "THF", None],
    [90, 2, "DMF", "failed"],
]


@pytest.fixture
def lab_book(space: Path) -> Path:
    """Somebody's workbook: results on one sheet, a formula on another."""
    made = openpyxl.Workbook()
    made.active.title = "Runs"
    for row in [HEADER, *ROWS]:
        made.active.append(row)
    made.create_sheet("Mean").append(["mean", "=AVERAGE(Runs!D2:D99)"])
    made.save("lab.xlsx")
    Path("lab.csv").write_text(
        "\n".join(
            ",".join("" if cell is None else str(cell) for cell in row) for row in [HEADER, *ROWS]
        ),
        encoding="utf-8",
    )
    return Path("lab.xlsx")


def test_the_same_table_gives_the_same_suggestions(run, ask, lab_book: Path) -> None:
    expected = ask("suggest", "--data", "lab.csv", "-n", 2)
    found = ask("suggest", "--data", "lab.xlsx#Runs", "-n", 2)
    assert found["suggestions"] == expected["suggestions"] and found["running"] == 1
    assert "which sheet?" in run("suggest", "--data", "lab.xlsx", code=1).output
    assert "no sheet 'Rnus'" in run("suggest", "--data", "lab.xlsx#Rnus", code=1).output
    for command in (["show"], ["rank", "--paths", 5]):
        run(*command, "--data", "lab.xlsx#Runs")


def test_empty_rows_are_said(run, ask, lab_book: Path) -> None:
    made = openpyxl.load_workbook("lab.xlsx")
    made["Runs"].insert_rows(4, 2)
    made.save("lab.xlsx")
    said = "lab.xlsx#Runs: 2 empty rows between others (A4, A5): passed over."
    assert said in run("suggest", "--data", "lab.xlsx#Runs").output.replace("\n", " ")
    assert ask("suggest", "--data", "lab.xlsx#Runs")["remarks"] == [said]
    assert said in run("import", "lab.xlsx#Runs").output.replace("\n", " ")


def test_suggestions_go_to_a_new_workbook_and_come_back(run, ask, lab_book: Path) -> None:
    run("suggest", "--data", "lab.xlsx#Runs", "-n", 2, "-o", "next.xlsx")
    rows = list(openpyxl.load_workbook("next.xlsx").active.values)
    assert list(rows[0]) == HEADER and len(rows) == 3 and rows[1][3] is None
    assert ask("suggest", "--data", "next.xlsx")["running"] == 2
    message = run("suggest", "--data", "next.xlsx", "-o", "lab.xlsx", code=1).output
    assert "has other sheets, which would be lost" in message


def test_suggestions_are_added_to_the_users_own_workbook(run, ask, lab_book: Path) -> None:
    wanted = ask("suggest", "--data", "lab.xlsx#Runs", "-n", 2)["suggestions"]
    others = {n: zipfile.ZipFile(lab_book).read(n) for n in zipfile.ZipFile(lab_book).namelist()}
    output = run("suggest", "--data", "lab.xlsx#Runs", "-n", 2, "--append").output
    assert "Added to lab.xlsx#Runs, below your results" in output
    rows = list(openpyxl.load_workbook("lab.xlsx")["Runs"].values)
    assert [list(row) for row in rows[:5]] == [HEADER, *ROWS]
    assert [row[2] for row in rows[5:]] == [each["params"]["solvent"] for each in wanted]
    del others["xl/worksheets/sheet1.xml"]
    assert {name: zipfile.ZipFile(lab_book).read(name) for name in others} == others
    assert ask("suggest", "--data", "lab.xlsx#Runs")["running"] == 3
    run("suggest", "--data", "lab.csv", "-n", 1, "--append")
    assert ask("suggest", "--data", "lab.csv")["running"] == 2


def test_a_workbook_that_is_open_costs_no_suggestion(run, ask, lab_book: Path, begun: Path) -> None:
    run("suggest", "-o", "next.xlsx", "-n", 2)
    before = Path("next.xlsx").read_bytes(), ask("show")["running"]
    Path("~$next.xlsx").touch()
    for words in (
        ["-o", "next.xlsx"],
        ["-o", "next.xlsx", "--append"],
        ["-o", "next.xlsx", "--force"],
    ):
        assert "is open in Excel" in run("suggest", *words, code=1).output
    assert (Path("next.xlsx").read_bytes(), ask("show")["running"]) == before
    Path("~$next.xlsx").unlink()
    run("suggest", "-o", "next.xlsx", "--append")
    assert len(list(openpyxl.load_workbook("next.xlsx").active.values)) == 4


def test_a_study_in_a_database_with_a_workbook(run, ask, begun: Path) -> None:
    run("suggest", "-n", 2, "-o", "next.xlsx")
    made = openpyxl.load_workbook("next.xlsx")
    made.active["E2"], made.active["E3"] = 71.25, "failed"
    made.save("next.xlsx")
    assert "2 for suggested trials" in run("import", "next.xlsx").output
    run("export", "-o", "all.xlsx")
    rows = list(openpyxl.load_workbook("all.xlsx").active.values)
    trials = ask("export")["trials"]
    assert rows[0] == ("trial", "temperature", "cycles", "solvent", "yield", "state", "note")
    assert [row[1] for row in rows[1:]] == [trial["params"]["temperature"] for trial in trials]
    assert "6 known before, 1 without a result yet" in run("import", "all.xlsx").output
    run("rank", "--paths", 5, "-o", "ranked.xlsx")
    Path("other.csv").write_text("temperature,cycles,solvent,yield\n50,2,DMF,\n")
    assert "a column 'trial'" in run("suggest", "-o", "other.csv", "--append", code=1).output
    assert "--append needs the table" in run("suggest", "--append", code=1).output
    both = run("suggest", "--data", "other.csv", "-o", "x.csv", "--append", code=1).output
    assert "leave out -o" in both


def test_export_does_not_write_over_the_users_own_workbook(run, lab_book: Path) -> None:
    """It replaced the workbook, with its other sheets and with results not imported yet."""
    run("suggest")
    before = lab_book.read_bytes()
    assert "has other sheets, which would be lost" in run("export", "-o", lab_book, code=1).output
    assert lab_book.read_bytes() == before
    run("export", "-o", lab_book, "--force")
    run("export", "-o", lab_book)
    assert openpyxl.load_workbook(lab_book).sheetnames == ["pathmax"]


def test_a_space_drawn_from_a_sheet_and_a_pool_on_another(run, ask, lab_book: Path) -> None:
    run("init", "drawn.toml", "--from", "lab.xlsx#Runs", "--objective", "yield")
    assert "solvent = [" in Path("drawn.toml").read_text(encoding="utf-8")
    made = openpyxl.Workbook()
    made.active.title = "Library"
    for row in [["name", "weight"], *[[f"m{i}", 1.5 * i] for i in range(9)]]:
        made.active.append(row)
    for row in [["name", "yield"], ["m3", 5], ["m7", 2.5]]:
        (made["Tested"] if "Tested" in made.sheetnames else made.create_sheet("Tested")).append(row)
    made.save("library.xlsx")
    pool = ["--pool", "library.xlsx#Library", "--id", "name", "--objective", "yield"]
    Path("space.toml").unlink()
    found = ask("suggest", "--data", "library.xlsx#Tested", *pool, "-n", 3)["suggestions"]
    assert not {each["params"]["name"] for each in found} & {"m3", "m7"}


def test_errors_name_the_cell(run, lab_book: Path) -> None:
    made = openpyxl.load_workbook(lab_book)
    made["Runs"]["A3"] = 170.5
    made.save("lab.xlsx")
    message = run("suggest", "--data", "lab.xlsx#Runs", code=1).output
    assert "lab.xlsx#Runs, cell A3, column 'temperature': expected a number from 20.0" in message
    made["Runs"]["A3"], made["Runs"]["A1"] = 70.5, "temperature (K)"
    made.save("lab.xlsx")
    message = run("suggest", "--data", "lab.xlsx#Runs", code=1).output
    assert "lab.xlsx#Runs, cell A1, column 'temperature (K)': the header says '(K)'" in message
