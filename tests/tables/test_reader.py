"""Fault 30 of the list, the reading half: CSV as people have it, or an error with its place."""

import re
from pathlib import Path

import numpy as np
import pytest

from pathmax.errors import DataFileError
from pathmax.tables import Table, read_cells, read_table

PLAIN = "name,weight,charge\nwater,18.02,0\nammonia,17.03,-1\n"


@pytest.fixture
def write(tmp_path: Path):
    def _write(content: str | bytes, encoding: str = "utf-8") -> Path:
        path = tmp_path / "data.csv"
        path.write_bytes(content.encode(encoding) if isinstance(content, str) else content)
        return path

    return _write


def as_lists(table: Table) -> dict[str, list[object]]:
    return {name: column.tolist() for name, column in table.columns.items()}


WHAT_PLAIN_SAYS = {
    "name": ["water", "ammonia"],
    "weight": [18.02, 17.03],
    "charge": [0, -1],
}


@pytest.mark.parametrize(
    "content",
    [
        PLAIN,
        PLAIN.rstrip("\n"),
        PLAIN.replace("\n", "\r\n"),
        PLAIN.replace("\n", "\r"),
        PLAIN.encode("utf-8-sig"),
        PLAIN.encode("utf-16"),
        PLAIN.replace(",", ";").replace(".", ","),
        PLAIN.replace(",", "\t").replace(".", ","),
        PLAIN.replace(",", "\t").encode("utf-16"),  # Excel's "Unicode Text"
        "sep=;\n" + PLAIN.replace(",", ";"),
        PLAIN.replace(",", " , "),
        "\n\n" + PLAIN.replace("\n", "\n\n"),
        PLAIN.replace("\n", "\n,,\n"),
        PLAIN.replace("\n", "\n  ,  ,\n"),
        PLAIN.replace("\n", ",,\n"),
        re.sub(r"([^,\n]+)", r'"\1"', PLAIN),
        re.sub(r"([^,\n]+)", r' "\1" ', PLAIN),
        PLAIN.replace("-1", "\N{MINUS SIGN}1"),
        'name,weight,charge\nwater,"18,02",0\nammonia,"17,03",-1\n',  # Google Sheets in Europe
    ],
    ids=lambda content: repr(content)[:40],
)
def test_every_spelling_of_one_table_reads_the_same(write, content: str | bytes) -> None:
    assert as_lists(read_table(write(content))) == WHAT_PLAIN_SAYS


def test_lines_are_those_of_the_file(write) -> None:
    table = read_table(write('a,b\n\n1,"x\ny"\n\n\n2,z\n'))
    assert table.lines.tolist() == [3, 7]
    assert str(table.error(1, "b", "is odd")).endswith("data.csv, line 7, column 'b': is odd")


def test_windows_encoding_is_understood(write) -> None:
    path = write("température,µ\n20,5\n", "cp1252")
    assert read_table(path).header == ("température", "µ")


def test_windows_encoding_far_down_the_file_is_understood(write) -> None:
    rows = "".join(f"{i},plain\n" for i in range(20_000))
    assert read_table(write(f"a,b\n{rows}1,\xb5\n", "cp1252")).columns["b"][-1] == "µ"


def test_cells_dropped_by_excel_at_the_end_of_a_row_are_blank(write) -> None:
    table = read_table(write("a,b,note\n1,2,fine\n3,4\n"))
    assert table.columns["note"].tolist() == ["fine", ""]


def test_blank_cells_among_numbers_are_nan(write) -> None:
    assert np.isnan(read_table(write("a,b\n1,2\n2,\n")).columns["b"][1])


def test_labels_keep_their_zeros_when_asked_and_underscores_always(write) -> None:
    table = read_table(write("id,well\n007,1_1\n008,1_2\n"), text=["id"])
    assert as_lists(table) == {"id": ["007", "008"], "well": ["1_1", "1_2"]}


def test_units_row_is_kept_apart(write) -> None:
    table = read_table(write("t,x\n°C,\n20,1\n"), units_row=True)
    assert (table.units, table.columns["t"].tolist(), table.lines.tolist()) == (
        {"t": "°C", "x": ""},
        [20],
        [3],
    )


def test_no_rows_is_an_empty_table(write) -> None:
    table = read_table(write("a,b\n"))
    assert len(table) == 0 and table.header == ("a", "b")


def test_a_column_that_turns_to_text_late_is_text_from_the_start(write) -> None:
    cells = ["1"] * 1024 + ["x"] * 1024
    assert read_table(write("a\n" + "\n".join(cells))).columns["a"].tolist() == cells


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", r"data.csv: the file is empty; expected a first line with the names"),
        ("\n \n", r"the file is empty"),
        (b"PK\x03\x04rest", r"an Excel workbook.*Save As, CSV UTF-8"),
        (b"SQLite format 3\x00", r"a database, not a CSV"),
        (b"a,b\n\x00\x01\x02", r"not a text file"),
        ("a,a\n1,2\n", r"line 1: columns 1 and 2 are both named 'a'; rename or delete one"),
        ("a, a \n1,2\n", r"both named 'a'"),
        ("a,,b\n1,2,3\n", r"line 1: column 2 has no name"),
        ("a,b\n1,2,3\n", r"line 2: 3 cells, but the header names 2 columns"),
        ("Suzuki\na,b\n1,2\n", r"line 2: 2 cells, but the header names 1 column; delete lines"),
        ('a,b\n1,"2\n3,4\n5,6\n', r"line 2: a quotation mark opens here and is never closed"),
        ('"a,b\n1,2\n3,4\n', r"line 1: a quotation mark opens here"),
        ('a,b\n1,"' + "2\n" * 70_000, r"line 2: the cell that begins here never ends"),
        ("a\n1\n2\nn.d.\n3\n", r"line 4, column 'a': 'n.d.' is not a number, but most cells"),
        ("a;b\n1,5;1\n2.5;1\n", r"line 3, column 'a': '2.5' has a decimal point where other"),
        ('a,b\n"1,234",1\n', r"line 2, column 'a': '1,234' has a comma that may group thousands"),
        ("a;b\n1,5;x\n1e999;x\n", r"line 3, column 'a': '1e999' is too large"),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_what_could_be_read_wrongly_is_an_error_with_its_place(
    write, content: str | bytes, message: str
) -> None:
    with pytest.raises(DataFileError, match=message):
        read_table(write(content))


def test_missing_files_and_folders_are_named(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match=r"nowhere\.csv: there is no such file \(looked in"):
        read_table(tmp_path / "nowhere.csv")
    with pytest.raises(DataFileError, match="this is a folder"):
        read_table(tmp_path)


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("71%", "write 71 without the % sign"),
        ("25 °C", "write 25 here and move '°C' to the header or to a units row"),
        ("1 234,5", "has a thousands separator"),
        ("inf", "'inf' is not a number"),
        ("nan", "'nan' is not a number"),
        ("<5", "'<5' is not a number"),
    ],
)
def test_a_cell_that_is_no_number_says_what_to_write(write, cell: str, message: str) -> None:
    table = read_cells(write(f"a;b\n1;2\n{cell};2\n"), numbers=["a"])
    assert table.number(0, "a") == 1.0
    with pytest.raises(DataFileError, match=f"line 3, column 'a': .*{re.escape(message)}"):
        table.number(1, "a")


@pytest.mark.parametrize("cell", ["NA", "n/a", "NaN", "-"])
def test_a_word_for_no_value_is_to_be_left_out(write, cell: str) -> None:
    with pytest.raises(DataFileError, match=f"line 4, column 'a': '{cell}' is not .* cells empty"):
        read_table(write(f"a,b\n1,2\n2,2\n{cell},2\n3,2\n"))


def test_decimal_commas_are_seen_in_the_columns_of_numbers_only(write) -> None:
    path = write('a,note\n1.5,"1,5"\n')
    assert read_cells(path, numbers=["a", "absent"]).number(0, "a") == 1.5


def test_many_blocks_of_rows_are_one_table(tmp_path: Path, rng: np.random.Generator) -> None:
    path = tmp_path / "pool.csv"
    numbers = rng.random((3000, 3))
    np.savetxt(path, numbers, delimiter=",", header="a,b,c", comments="")
    table = read_table(path)
    np.testing.assert_array_equal(np.column_stack(list(table.columns.values())), numbers)
    assert table.lines.tolist() == list(range(2, 3002))


def test_columns_without_number(tmp_path: Path) -> None:
    """Time in proportion to the columns: names are not compared pair by pair, nor files re-read."""
    count = 20_000
    cells = ",".join("a" if i % 2 else str(i) for i in range(count))
    names = ",".join(f"c{i}" for i in range(count))
    (tmp_path / "wide.csv").write_text(f"{names}\n{cells}\n{cells}\n")
    table = read_table(tmp_path / "wide.csv")
    assert table.is_text("c1") and not table.is_text("c19998") and len(table.header) == count


def test_a_number_below_one_groups_no_thousands(write):
    assert read_table(write('a,b\n"0,287",1\n"-0,125",2\n')).columns["a"].tolist() == [
        0.287,
        -0.125,
    ]
