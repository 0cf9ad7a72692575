"""Fault 30 of the list, the writing half: no cell can start a formula, and files appear whole."""

import csv
import io
import math
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathmax.errors import DataFileError
from pathmax.tables import Dialect, format_cell, format_number, read_cells, write_table

HOSTILE = [
    "=cmd|' /C calc'!A0",
    "+1+1",
    "-2+3",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    " =1",
    "\N{FULLWIDTH EQUALS SIGN}1",
    "-OH",
    "-",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_text_cannot_start_a_formula(text: str) -> None:
    assert format_cell(text) == "'" + text


@pytest.mark.parametrize("value", [-3.5, -1e-9, -7, 0.1 + 0.2, 1e300, 5.0, "-3.5", "+4", None])
def test_numbers_stay_numbers(value: float | str | None) -> None:
    cell = format_cell(value)
    assert not cell.startswith("'")
    assert value is None or float(cell) == float(value)


def test_numbers_are_short_and_whole_ones_have_no_point() -> None:
    assert [format_number(v) for v in (5.0, 0.1, 1e-7, -0.25)] == ["5", "0.1", "1e-07", "-0.25"]
    assert format_number(1234.5678, digits=5) == "1234.6"
    assert format_number(2.5, ",") == "2,5"
    ends = (math.inf, -math.inf, math.nan)
    assert [format_number(v, digits=3) for v in ends] == ["inf", "-inf", "nan"]


TEXTS = st.text(
    st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from("=+-@'\",;\t\n|(")
).map(str.strip)


@given(
    st.lists(st.tuples(TEXTS, st.floats(allow_nan=False, allow_infinity=False)), max_size=5),
    st.sampled_from([Dialect(), Dialect(delimiter=";", decimal=","), Dialect(delimiter="\t")]),
)
def test_what_is_written_is_read_back(tmp_path_factory, rows, dialect: Dialect) -> None:
    path = tmp_path_factory.mktemp("round") / "a.csv"
    write_table(path, ["text", "number"], rows, dialect=dialect)
    table = read_cells(path, numbers=["number"])
    assert table.columns["text"].tolist() == [text for text, _ in rows]
    assert [table.number(i, "number") for i in range(len(rows))] == [number for _, number in rows]


def test_names_of_columns_are_guarded_too(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    write_table(path, ["=HYPERLINK(1)", "b"], [[1, 2]])
    assert path.read_text().startswith("'=HYPERLINK(1),b\n")
    assert read_cells(path).header == ("=HYPERLINK(1)", "b")


PARTED = [
    "x;=1+1",
    "x\t@SUM(1)",
    "x\n-2+3+cmd|' /C calc'!D2",
    "x|  +HYPERLINK(1)",
    'x;"=1"',
    "x;\ufeff=1",
    "x;'=1",
]


@pytest.mark.parametrize("text", PARTED)
@pytest.mark.parametrize("written", [",", ";"])
@pytest.mark.parametrize("read", [",", ";", "\t", "|"])
def test_no_part_of_a_cell_starts_a_formula_where_other_separators_rule(text, written, read):
    text = text if written == "," else text.replace(";", ",")
    stream = io.StringIO()
    write_table(stream, ["a", "b"], [["y", text]], dialect=Dialect(delimiter=written))
    cells = [
        cell for row in csv.reader(io.StringIO(stream.getvalue()), delimiter=read) for cell in row
    ]
    for cell in cells:
        assert not cell.lstrip('\ufeff \t"').startswith(("=", "+", "-", "@"))


@pytest.mark.parametrize("text", ["cooled, -5 °C", "/q+1;-1", "a,b;c", "x; y=2"])
def test_what_runs_nothing_is_left_as_it_is(text: str) -> None:
    stream = io.StringIO()
    write_table(stream, ["a"], [[text]])
    assert next(csv.reader(stream.getvalue().splitlines()[1:])) == [text]


def test_half_a_character_is_written_as_a_question_mark(tmp_path: Path) -> None:
    write_table(tmp_path / "t.csv", ["name \ud800"], [["file \udcff."]])
    assert (tmp_path / "t.csv").read_bytes() == b"name ?\nfile ?.\n"


def test_excel_is_told_of_utf8_only_when_it_matters(tmp_path: Path) -> None:
    for text, starts in [("plain", b"a"), ("°C", b"\xef\xbb\xbf")]:
        write_table(tmp_path / "a.csv", ["a"], [[text]])
        assert (tmp_path / "a.csv").read_bytes().startswith(starts)


def test_a_failed_write_leaves_the_old_file_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.csv"
    path.write_text("precious")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(DataFileError, match=r"No space left on device; nothing was changed"):
        write_table(path, ["a"], [[1]])
    assert path.read_text() == "precious" and os.listdir(tmp_path) == ["a.csv"]


def test_a_file_that_is_read_only_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.csv"
    path.write_text("precious")
    monkeypatch.setattr(os, "access", lambda *_: False)  # as for somebody who is not root
    with pytest.raises(DataFileError, match="is read-only, so that nothing was written"):
        write_table(path, ["a"], [[1]])
    assert path.read_text() == "precious"
