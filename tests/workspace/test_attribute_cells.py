"""What people keep with a trial is in tables, and comes back from them as it was."""

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathmax import Float, Study
from pathmax.errors import DataFileError
from pathmax.tables import Dialect, format_cell
from pathmax.trials.trial import TrialState
from pathmax.workspace.attribute_cells import ATTRIBUTE_HEAD, attribute_cell, read_attributes
from pathmax.workspace.importing import apply, settle
from pathmax.workspace.layout import Layout
from pathmax.workspace.opened_study import Opened
from pathmax.workspace.results_table import read_results
from pathmax.workspace.trials_table import trials_table, write_trials

EUROPEAN = Dialect(delimiter=";", decimal=",")
KEPT = {
    "batch": 7, "lot": "7", "pH": 6.5, "ok": True, "said": "true", "by": "Ada", "peaks": [1, "a"],
    "more": {"a": None}, "odd": "=1+1", "blank": "", "spaced": " x ", "comma": "7,5",
}  # fmt: skip

VALUES = st.recursive(
    st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=5,
)


@given(value=VALUES, dialect=st.sampled_from([Dialect(), EUROPEAN]))
def test_a_cell_gives_back_what_was_written(value, dialect):
    cell = attribute_cell(value)
    text = cell if isinstance(cell, str) else format_cell(cell, dialect.decimal)
    found = read_attributes({f"{ATTRIBUTE_HEAD}a": text.strip()}, dialect)
    assert found == {"a": value}
    assert isinstance(found["a"], bool) == isinstance(value, bool)


def opened(**settings) -> Opened:
    study = Study({"x": Float(0, 1)}, seed=0, **settings)
    return Opened(study, Layout(domain=study.space, objective="yield"))


@pytest.mark.parametrize("decimal_comma", [False, True])
def test_an_export_is_imported_with_attributes_and_costs(tmp_path: Path, decimal_comma):
    old, new = opened(), opened()
    for study in (old.study, new.study):
        study.ask(3)
    old.study.tell(0, 1.5, attributes=KEPT, note="fine", cost=2.5)
    old.study.fail(1, "it broke")
    old.study.annotate(1, attributes={"batch": 8})
    old.study.add({"x": 0.25}, 2.0, attributes={"batch": 9})
    file = tmp_path / "all.csv"
    write_trials(old, file, decimal_comma=decimal_comma)
    text = file.read_text("utf-8-sig").replace("\n3", "\n")  # the added one is new there
    file.write_text(text, encoding="utf-8")
    apply(settle(read_results(file, new.layout), new.study), new.study)
    before, after = old.study.trials, new.study.trials
    assert [t.attributes for t in after] == [t.attributes for t in before]
    assert [(t.note, t.error, t.cost) for t in after] == [(t.note, t.error, t.cost) for t in before]
    assert after[2].state is TrialState.RUNNING
    again = settle(read_results(file, new.layout), new.study)
    assert again.counts() == {"told": 0, "added": 0, "known": 3, "waiting": 1}


def test_columns_are_named_as_in_a_frame():
    held = opened()
    held.study.add({"x": 0.5}, 1.0, attributes={"batch": 7})
    header, (row,) = trials_table(held)
    assert header == ["trial", "x", "yield", "state", "note", "attributes.batch"]
    assert row[-1] == 7


def test_a_name_that_pathmax_keeps_for_itself_is_refused_with_its_place(tmp_path: Path):
    file = tmp_path / "a.csv"
    file.write_text("x,yield,attributes.pathmax_earlier\n0.5,1,2\n")
    with pytest.raises(DataFileError, match=r"line 2: the attribute 'pathmax_earlier'"):
        read_results(file, opened().layout)
    file.write_text("x,yield,cost\n0.5,1,-2\n")
    with pytest.raises(DataFileError, match=r"column 'cost': a cost is 0 or more, got -2"):
        read_results(file, opened().layout)


def test_nothing_to_keep_has_no_column():
    held, page = opened(), io.StringIO()
    held.study.add({"x": 0.5}, 1.0)
    write_trials(held, page)
    assert page.getvalue().splitlines()[0] == "trial,x,yield,state,note"
