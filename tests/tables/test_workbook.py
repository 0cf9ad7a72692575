"""Workbooks: read by cell, written without a live formula, added to with all else kept."""

import datetime
import io
import sys
import zipfile
from pathlib import Path

import openpyxl
import pytest
from openpyxl.chart import BarChart, Reference
from openpyxl.styles import Font, PatternFill
from openpyxl.worksheet.table import Table as ExcelTable

from pathmax import Candidates
from pathmax.errors import DataFileError, MissingExtraError
from pathmax.tables import append_rows, read_cells, read_table, write_table

HOSTILE = ["=1+1", "+a", "-OH", "@x", "\ttab", "=cmd|' /C calc'!A0", "'=x", "naïve ☃"]


def book(
    path: Path, *rows: list[object], title: str = "Runs", **others: list[list[object]]
) -> Path:
    """A workbook with a sheet, and others behind it."""
    made = openpyxl.Workbook()
    made.active.title = title
    for name, content in {title: list(rows), **others}.items():
        sheet = made[name] if name in made.sheetnames else made.create_sheet(name)
        for row in content:
            sheet.append(row)
    made.save(path)
    return path


def members(file: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(file) as archive:
        return {info.filename: archive.read(info) for info in archive.infolist()}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "lab.xlsx"


def changed(file: Path, change) -> Path:
    made = openpyxl.load_workbook(file)
    change(made)
    made.save(file)
    return file


class TestReading:
    def test_numbers_texts_dates_and_flags(self, file: Path):
        day = datetime.datetime(2024, 5, 1)
        book(file, ["T", "n", "kind", "day", "dry"], [20.5, 1, " a ", day, True],
             [None, None, None, None, None], [0.3, 2, "b", day, False])  # fmt: skip
        table = read_table(file)
        assert table.header == ("T", "n", "kind", "day", "dry")
        assert table.columns["T"].tolist() == [20.5, 0.3]
        assert table.columns["n"].tolist() == [1, 2] and table.columns["n"].dtype.kind == "i"
        assert table.columns["kind"].tolist() == ["a", "b"]
        assert table.columns["day"].tolist() == ["2024-05-01"] * 2
        assert table.columns["dry"].tolist() == ["true", "false"]
        assert table.lines.tolist() == [2, 4]
        assert read_cells(file).columns["T"].tolist() == ["20.5", "0.3"]

    def test_a_sheet_by_name(self, file: Path):
        book(file, ["a"], [1], [2], Notes=[["b"], [3], [4]])
        with pytest.raises(DataFileError, match=r"which sheet\? It has Runs, Notes.*lab.xlsx#Runs"):
            read_table(file)
        assert read_table(f"{file}#notes").columns["b"].tolist() == [3, 4]  # as Excel sees them
        with pytest.raises(DataFileError, match="no sheet 'Rums'; there are Runs, Notes"):
            read_table(f"{file}#Rums")
        changed(file, lambda made: setattr(made["Notes"], "sheet_state", "hidden"))
        assert read_table(file).header == ("a",)

    def test_a_units_row_and_a_table_that_begins_elsewhere(self, file: Path):
        rows = [[], [], [None, "T", "yield"], [None, "°C", "%"], [None, 20, 71.5]]
        table = read_table(book(file, *rows), units_row=True)
        assert table.units == {"T": "°C", "yield": "%"} and table.lines.tolist() == [5]
        assert str(table.error(0, "yield", "odd")) == f"{file}, cell C5, column 'yield': odd"

    @pytest.mark.parametrize(
        ("rows", "message"),
        [
            (
                [["a", "b"], [1, 2], [3, "x y"], [4, 5], [6, 7]],
                r"cell B3, column 'b': 'x y' is not",
            ),
            ([["a", None, "b"], [1, 2, 3]], "cell B1: the column has no name"),
            ([["a", "b", "a"], [1, 2, 3]], "cell C1: the column is named 'a' like that of A1"),
            ([["a"], [1], [2, "stray"]], "cell B3: there is something in a column without a name"),
            ([["a", "b"], [1, "=1/A2"], [2, 3]], "cell B2: it holds a formula whose value is not"),
            ([["a", "b"], [1, "#DIV/0!"], [2, 3]], "cell B2: it holds the error #DIV/0!"),
            ([["a", "b"], [1, "1,500"], [2, 3]], r"cell B2, column 'b': '1,500' has a comma that"),
            ([], "the sheet is empty"),
        ],
    )
    def test_what_is_no_table_is_named_with_its_cell(self, file: Path, rows, message: str):
        with pytest.raises(DataFileError, match=message):
            read_table(book(file, *rows))

    def test_text_with_a_decimal_comma_is_a_number_as_in_a_file(self, file: Path):
        book(file, ["a", "b", "kind"], [1, "50,5", "x"], [2.5, 60.25, "1,5"], ["3,25", 70, "y"])
        table = read_table(file)
        assert table.columns["a"].tolist() == [1.0, 2.5, 3.25]
        assert table.columns["b"].tolist() == [50.5, 60.25, 70.0]
        assert table.columns["kind"].tolist() == ["x", "1,5", "y"]
        cells = read_cells(file, numbers=["a", "b"])
        assert [cells.number(row, "b") for row in range(3)] == [50.5, 60.25, 70.0]
        assert cells.columns["kind"].tolist() == ["x", "1,5", "y"]

    def test_merged_cells_and_percentages_are_named(self, file: Path):
        book(file, ["a", "b"], [1, 0.5], [2, 0.25], [3, 0.1])
        changed(file, lambda made: made.active.merge_cells("A2:A3"))
        with pytest.raises(DataFileError, match=r"cells A2:A3: they are merged, so only A2"):
            read_table(file)
        changed(file, lambda made: made.active.unmerge_cells("A2:A3"))
        changed(file, lambda made: setattr(made.active["A3"], "value", 2))
        changed(file, lambda made: setattr(made.active["B3"], "number_format", "0.0%"))
        with pytest.raises(DataFileError, match=r"cell B3: it is shown as 25 % and stored as 0.25"):
            read_table(file)

    def test_formulas_with_a_stored_value_are_read(self, file: Path, tmp_path: Path):
        book(file, ["a", "b"], [1, "=2*A2"])
        with zipfile.ZipFile(file) as old, zipfile.ZipFile(tmp_path / "new.xlsx", "w") as new:
            for name in old.namelist():
                data = old.read(name).replace(b"<f>2*A2</f><v></v>", b"<f>2*A2</f><v>2</v>")
                new.writestr(name, data.replace(b"<f>2*A2</f><v />", b"<f>2*A2</f><v>2</v>"))
        assert read_table(tmp_path / "new.xlsx").columns["b"].tolist() == [2]

    def test_what_is_no_workbook_says_so(self, file: Path):
        with pytest.raises(DataFileError, match="there is no such file"):
            read_table(file)
        for content in (b"", b"T,yield\n1,2\n", b"PK\x03\x04 and nothing"):
            file.write_bytes(content)
            with pytest.raises(DataFileError, match=r"lab.xlsx: this is not a workbook"):
                read_table(file)

    def test_without_openpyxl_the_extra_is_named(self, file: Path, monkeypatch):
        book(file, ["a"], [1])
        monkeypatch.setitem(sys.modules, "openpyxl", None)
        with pytest.raises(MissingExtraError, match=r"pathmax\[excel\]"):
            read_table(file)

    def test_candidates_from_a_sheet(self, file: Path):
        book(file, ["name", "w"], ["007", 1.5], ["008", 2], Other=[["x"], [1], [2]])
        pool = Candidates.from_csv(f"{file}#Runs", id="name")
        assert pool.params(1) == {"name": "008", "w": 2.0}


class TestWriting:
    def test_what_is_written_is_read_back_and_no_formula_is_live(self, file: Path):
        rows = [[text, i / 3, i, None, i % 2 == 0] for i, text in enumerate(HOSTILE)]
        write_table(f"{file}#Next", ["=name", "x", "n", "yield", "dry"], rows)
        sheet = openpyxl.load_workbook(file)["Next"]
        cells = [cell for row in sheet.iter_rows() for cell in row]
        assert "f" not in {cell.data_type for cell in cells}
        assert [sheet.cell(i + 2, 1).value for i in range(len(HOSTILE))] == HOSTILE
        assert sheet["A2"].quotePrefix and not sheet["A9"].quotePrefix
        with zipfile.ZipFile(file) as archive:
            assert b"<f" not in archive.read("xl/worksheets/sheet1.xml")
        table = read_table(file, text=["=name"])
        assert table.columns["=name"].tolist() == [text.strip() for text in HOSTILE]
        assert table.columns["x"].tolist() == [i / 3 for i in range(len(HOSTILE))]

    def test_characters_that_no_workbook_holds_are_written_out(self, file: Path):
        write_table(file, ["note"], [["red \x1b[31m \ud800"]])
        assert read_cells(file).columns["note"].tolist() == ["red \\x1b[31m \\xd800"]

    def test_a_title_that_excel_refuses(self, file: Path):
        with pytest.raises(DataFileError, match="Excel takes no sheet named 'a/b'"):
            write_table(f"{file}#a/b", ["x"], [[1]])
        assert not file.exists()

    @pytest.mark.parametrize("lock", ["~$lab.xlsx", ".~lock.lab.xlsx#"])
    def test_a_workbook_that_is_open_is_left_alone(self, file: Path, lock: str):
        before = book(file, ["a"], [1]).read_bytes()
        (file.parent / lock).touch()
        with pytest.raises(DataFileError, match=r"is open in (Excel|LibreOffice).*Nothing was"):
            write_table(file, ["a"], [[2]])
        with pytest.raises(DataFileError, match="close it and try again"):
            append_rows(read_table(file), [[2]])
        assert file.read_bytes() == before
        assert len(list(file.parent.iterdir())) == 2


class TestAppending:
    @pytest.fixture
    def rich(self, file: Path) -> Path:
        """A workbook as people have them: styles, a chart, an Excel table, formulas elsewhere."""
        made = openpyxl.Workbook()
        sheet = made.active
        sheet.title = "Runs"
        for row in (["T", "kind", "yield"], [20, "a", 1.5], [30, "b", None]):
            sheet.append(row)
        sheet["A3"].font = Font(italic=True)
        sheet["C3"].number_format = "0.00"
        sheet["A4"].fill = PatternFill("solid", fgColor="FFFF00")  # formatted, not filled in
        sheet.add_table(ExcelTable(displayName="Runs", ref="A1:C3"))
        chart = BarChart()
        chart.add_data(Reference(sheet, min_col=3, min_row=1, max_row=3), titles_from_data=True)
        sheet.add_chart(chart, "F2")
        other = made.create_sheet("Mean & more")
        other.append(["=AVERAGE(Runs!C2:C9)"])
        made.save(file)
        with zipfile.ZipFile(file, "a") as archive:  # what openpyxl would lose
            archive.writestr("xl/vbaProject.bin", b"\x00macros")
        return file

    def test_rows_are_added_and_all_else_is_kept(self, rich: Path):
        before = {
            i.filename: zipfile.ZipFile(rich).read(i) for i in zipfile.ZipFile(rich).infolist()
        }
        table = read_table(f"{rich}#Runs", text=["kind"])
        append_rows(table, [[44.5, "=1+1 <&>", None], [50, " c ", None], [None, None, True]])
        after = {
            i.filename: zipfile.ZipFile(rich).read(i) for i in zipfile.ZipFile(rich).infolist()
        }
        assert list(before) == list(after)
        different = {name for name in before if before[name] != after[name]}
        assert different == {"xl/worksheets/sheet1.xml", "xl/tables/table1.xml"}
        made = openpyxl.load_workbook(rich)
        sheet = made["Runs"]
        assert [[c.value for c in row] for row in sheet["A4:C6"]] == [
            [44.5, "=1+1 <&>", None], [50, " c ", None], [None, None, True],
        ]  # fmt: skip
        assert sheet["B4"].data_type != "f" and sheet["A5"].font.italic
        assert sheet["A4"].fill.fgColor.rgb == "00FFFF00"  # its own look
        assert sheet["C6"].number_format == "0.00"  # else as the cell above
        assert (
            sheet.tables["Runs"].ref == "A1:C6" and sheet.tables["Runs"].autoFilter.ref == "A1:C6"
        )
        assert sheet.dimensions == "A1:C6"
        assert made["Mean & more"]["A1"].value == "=AVERAGE(Runs!C2:C9)"
        again = read_cells(f"{rich}#Runs")
        assert again.lines.tolist() == [2, 3, 4, 5, 6]
        append_rows(again, [["60", "d", None]] * 30)
        assert len(read_cells(f"{rich}#Runs")) == 35

    def test_below_a_header_alone_and_with_a_units_row(self, file: Path):
        book(file, ["T", "yield"], ["°C", "%"])
        changed(file, lambda made: setattr(made.active["A1"], "font", Font(bold=True)))
        table = read_cells(file, units_row=True)
        append_rows(table, [[20, None], [30, None]])
        sheet = openpyxl.load_workbook(file).active
        assert [sheet["A3"].value, sheet["A4"].value, sheet["A3"].font.bold] == [20, 30, False]

    def test_what_somebody_wrote_meanwhile_is_not_lost(self, file: Path):
        table = read_cells(book(file, ["T", "yield"], [20, 1.0]))
        before = book(file, ["T", "yield"], [20, 1.0], [30, 2.0]).read_bytes()
        with pytest.raises(DataFileError, match=r"cell A3: somebody has.*Nothing was"):
            append_rows(table, [[40, None]])
        assert file.read_bytes() == before

    def test_sheets_of_other_programs(self, file: Path, tmp_path: Path):
        """Prefixes before names, cells and rows without numbers, folders written in full."""
        book(file, ["T", "yield"], [20, 1.0])
        stream = io.BytesIO()
        with zipfile.ZipFile(file) as old, zipfile.ZipFile(stream, "w") as new:
            for name in old.namelist():
                data = old.read(name)
                if name == "xl/worksheets/sheet1.xml":
                    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
                    data = (
                        f'<x:worksheet xmlns:x="{main}"><x:sheetData><x:row><x:c t="inlineStr">'
                        '<x:is><x:t>T</x:t></x:is></x:c><x:c t="inlineStr"><x:is><x:t>yield</x:t>'
                        "</x:is></x:c></x:row><x:row><x:c><x:v>20</x:v></x:c><x:c/></x:row>"
                        "</x:sheetData></x:worksheet>"
                    ).encode()
                new.writestr(name, data)
        file.write_bytes(stream.getvalue())
        append_rows(read_cells(file), [[30, None], [40, 2.5]])
        assert read_cells(file).columns["T"].tolist() == ["20", "30", "40"]

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
    @pytest.mark.parametrize("end", ["\n", "\r\n"])
    def test_rows_are_added_to_a_csv_file_too(self, tmp_path: Path, encoding: str, end: str):
        file = tmp_path / "lab.csv"
        text = end.join(["T;kind;yield", "20,5;é;1", "30;b;"])
        file.write_bytes(text.encode(encoding))
        append_rows(read_cells(file, numbers=["T"]), [[44.5, "=1", None]])
        assert file.read_bytes().decode(encoding) == text + end + "44,5;'=1;" + end


def test_a_workbook_that_would_fill_the_memory_is_refused(file: Path, monkeypatch):
    book(file, ["a"], [1])
    monkeypatch.setattr("pathmax.tables.workbook.LARGEST_FILE", 1000)
    with pytest.raises(DataFileError, match="more than the 0 that are read"):
        read_table(file)


def test_empty_rows_between_others_are_passed_over_and_named(file: Path):
    book(file, ["T", "yield"], [20, 1], [None, None], [30, 2], [None, None], [None, None], [40, 3])
    table = read_table(file)
    assert table.columns["T"].tolist() == [20, 30, 40]
    assert table.gaps.endswith("3 empty rows between others (A3, A5, A6): passed over.")
    book(file, ["T"], [20], [None], [30])
    assert "an empty row between others (A3)" in read_table(file).gaps
    book(file, ["T"], [20], [30])
    assert read_table(file).gaps == ""
