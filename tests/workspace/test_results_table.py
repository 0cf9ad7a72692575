"""A table of results against every kind of space: what a cell may say, and where it is wrong."""

from pathlib import Path

import pytest

from pathmax import Candidates, Categorical, Float, Grid, Int, Space
from pathmax.errors import DataFileError
from pathmax.trials.trial import TrialState
from pathmax.workspace.layout import Layout
from pathmax.workspace.results_table import ResultRow, read_results
from pathmax.workspace.row_remarks import RowRemarks


@pytest.fixture
def rows(tmp_path: Path):
    def _rows(text: str, domain: object, **layout: object) -> tuple[ResultRow, ...]:
        path = tmp_path / "t.csv"
        path.write_text(text, encoding="utf-8")
        return read_results(path, Layout(domain=domain, **layout)).rows

    return _rows


SPACE = Space(
    {
        "t": Float(0, 1),
        "n": Int(1, 5),
        "s": Categorical(["a", " b ", 5, 2.5, True, None]),
        "v": "glass",
    }
)


def test_cells_become_values_of_the_space(rows) -> None:
    table = (
        "t;n;s;v;value;trial;state;note\n0,5;3;a;glass;1,5;7;complete;fine\n0;3;b;;;;;\n"
        "0;3;5;;failed;;;\n0;3;2,5;;;;failed;\n0;3;TRUE;;;;;\n0;3;;;;;;\n"
    )
    found = rows(table, SPACE)
    assert found[0] == ResultRow(
        index=0,
        params={"t": 0.5, "n": 3, "s": "a", "v": "glass"},
        state=TrialState.COMPLETE,
        outcomes={"value": 1.5},
        number=7,
        remarks=RowRemarks(note="fine", attributes={}),
    )
    assert [row.params["s"] for row in found] == ["a", " b ", 5, 2.5, True, None]
    assert found[2].params["s"] is not True
    assert [str(row.state) for row in found[1:4]] == ["running", "failed", "failed"]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("0.5,3,a,steel,1", r"line 2, column 'v': expected one of glass, got 'steel'"),
        ("0.5,3,c,,1", r"column 's': expected one of a, b, 5, 2.5, true, \(empty\), got 'c'"),
        ("0.5,3.5,a,,1", r"line 2, column 'n': expected a whole number from 1 to 5, got 3.5"),
        ("2,3,a,,1", r"line 2, column 't': expected a number from 0.0 to 1.0, got 2.0"),
        (",3,a,,1", r"line 2, column 't': is empty; fill it in, or delete the row"),
        ("0.5,3,a,,inf", r"line 2, column 'value': 'inf' is not a number; leave the cell empty"),
    ],
)  # fmt: skip
def test_what_does_not_fit_has_a_place(rows, row: str, message: str) -> None:
    with pytest.raises(DataFileError, match=message):
        rows(f"t,n,s,v,value\n{row}\n", SPACE)


def test_a_parameter_may_have_the_name_of_one_of_our_columns(rows) -> None:
    found = rows(
        "trial,state,value\n0.5,0.25,\n", Space({"trial": Float(0, 1), "state": Float(0, 1)})
    )
    assert found[0].params == {"trial": 0.5, "state": 0.25} and found[0].number is None


def test_a_grid(rows) -> None:
    grid = Grid({"pH": [6, 6.5], "b": ["x", "y"]})
    assert rows("pH;b;value\n6,5;y;1\n", grid)[0].params == {"pH": 6.5, "b": "y"}
    with pytest.raises(DataFileError, match=r"line 2, column 'pH': expected one of 6, 6\.5"):
        rows("pH,b,value\n7,y,1\n", grid)


POOL = {"id": ["007", "m2"], "w": [1.5, 2.5], "c": ["x", "y"]}


def test_a_pool_by_id_by_features_and_by_number(rows) -> None:
    pool = Candidates(POOL, id="id")
    assert rows("id,value\n007,1\n", pool)[0].params == {"id": "007", "w": 1.5, "c": "x"}
    features = Candidates({"w": [1.5, 2.5], "c": ["x", "y"]})
    assert rows("w;c;value\n2,5;y;1\n", features)[0].params == {"w": 2.5, "c": "y"}
    numbered = Candidates({"id": [7, 8], "w": [1.5, 2.5]}, id="id")
    assert rows("id,value\n8,1\n", numbered)[0].params == {"id": 8, "w": 2.5}
    with pytest.raises(DataFileError, match="line 2: no candidate has the features"):
        rows("w,c,value\n2.5,x,1\n", features)
    with pytest.raises(DataFileError, match=r"no column 'w'.*, pass over it \(--ignore w\)"):
        rows("c,value\nx,1\n", features)


def test_units_are_compared_without_brackets_and_in_either_micro(rows) -> None:
    space = Space({"t": Float(0, 1)})
    layout = {"units_row": True, "units": {"t": "\N{MICRO SIGN}L"}}
    assert rows("t,value\n[\N{GREEK SMALL LETTER MU}L],\n0.5,1\n", space, **layout)
    with pytest.raises(DataFileError, match="line 2, column 't': the units row says 'mL'"):
        rows("t,value\nmL,\n0.5,1\n", space, **layout)


WARM = Space({"t": Float(0, 100), "s": Categorical(["a", "b"])})


@pytest.mark.parametrize("head", ["t (°C)", "t [°C]", "t(°C)", "t / °C", "t"])
def test_a_unit_may_stand_in_the_header(rows, head: str) -> None:
    found = rows(f"{head};s;value (%)\n60,5;a;1,5\n", WARM, units={"t": "°C"})
    assert [(row.params["t"], row.outcomes.get("value")) for row in found] == [(60.5, 1.5)]


def test_a_unit_in_the_header_that_is_another_or_that_stands_there_twice(rows) -> None:
    message = r"column 't \(K\)': the header says '\(K\)', the space file says '°C'; convert"
    with pytest.raises(DataFileError, match=message):
        rows("t (K),s,value\n60,a,1\n", WARM, units={"t": "°C"})
    with pytest.raises(DataFileError, match="no column 't', which is a parameter"):
        rows("t (°C),t [°C],s,value\n60,60,a,1\n", WARM)
    with pytest.raises(DataFileError, match=r"column 't \(°C\)': neither a parameter nor"):
        rows("t,t (°C),s,value\n60,60,a,1\n", WARM)


def test_a_name_that_has_brackets_itself_is_taken_as_it_is(rows) -> None:
    space = Space({"t (K)": Float(0, 400), "t": Float(0, 100)})
    assert rows("t (K),t,value\n300,27,1\n", space)[0].params == {"t (K)": 300, "t": 27}
