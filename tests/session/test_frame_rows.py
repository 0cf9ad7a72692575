"""Tables of results from before: read as a whole, or refused as a whole with the rows named."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from pathmax import Candidates, Categorical, Float, Int, Study, TrialState
from pathmax.errors import OutcomeError, ParamsError

SPACE = {"x": Float(0, 1), "n": Int(1, 5), "kind": Categorical(["a", "b"])}
ROWS = [
    {"x": 0.5, "n": 2, "kind": "a", "yield": 1.5},
    {"x": 0.25, "n": 3, "kind": "b", "yield": 2.5},
]
FRAMES = {
    "pandas": pd.DataFrame(ROWS, index=["first", "second"]),
    "nullable pandas": pd.DataFrame(ROWS).convert_dtypes(),
    "categories": pd.DataFrame(ROWS).astype({"kind": "category"}),
    "polars": pl.DataFrame(ROWS),
    "arrow": pa.Table.from_pylist(ROWS),
    "dicts": ROWS,
}


@pytest.mark.parametrize("kind", FRAMES)
def test_a_frame_of_any_kind(kind: str):
    study = Study(SPACE, seed=0)
    added = study.add(FRAMES[kind], "yield")
    assert [t.number for t in added] == [0, 1]
    assert [t.value for t in study.trials] == [1.5, 2.5]
    assert study.trials[1].params == {"x": 0.25, "n": 3, "kind": "b"}
    assert study.best_value == 2.5 and study.best_params["kind"] == "b"


def test_the_result_may_be_apart_or_have_its_own_name():
    frame = pd.DataFrame(ROWS)
    study = Study(SPACE, seed=0)
    study.add(frame.drop(columns="yield"), frame["yield"])
    study.add(frame.rename(columns={"yield": "value"}))
    assert [t.value for t in study.trials] == [1.5, 2.5, 1.5, 2.5]
    with pytest.raises(OutcomeError, match=r"no column 'value'.*study\.add"):
        study.add(frame)
    with pytest.raises(OutcomeError, match="there is no column 'yeld'; there are 'x', 'n'"):
        study.add(frame, "yeld")
    with pytest.raises(OutcomeError, match="2 values, one for each row"):
        study.add(frame.drop(columns="yield"), [1.0])


def test_rows_that_cannot_be_read_are_named_and_nothing_is_stored():
    study = Study(SPACE, seed=0)
    frame = pd.DataFrame([*ROWS, *ROWS, *ROWS])
    frame.loc[:, "kind"] = ["a", "c", "a", "b", "b", "d"]
    frame = frame.reset_index(drop=True)
    frame.loc[2, "x"] = 7.0
    frame.loc[3, "yield"] = np.nan
    frame["n"] = frame["n"].astype(float)
    frame.loc[4, "n"] = np.nan
    with pytest.raises(ParamsError) as caught:
        study.add(frame, "yield")
    said = str(caught.value)
    assert "5 of 6 rows" in said and "nothing was added" in said
    for row, word in ((1, "kind"), (2, "x"), (3, "no result"), (4, "n"), (5, "kind")):
        assert word in said.split(f"row {row}: ")[1].split("; row")[0]
    assert study.trials == []
    many = pd.DataFrame([{**ROWS[0], "x": 7.0}] * 9)
    with pytest.raises(ParamsError, match=r"9 of 9 rows.*and 4 more"):
        study.add(many, "yield")


def test_several_outcomes_each_in_a_column():
    study = Study({"x": Float(0, 1)}, objectives={"a": "maximize"}, constraints={"b": "<= 1"})
    study.add(pd.DataFrame({"x": [0.1, 0.2], "a": [1.0, 2.0], "b": [0.5, np.nan]}))
    assert [t.outcomes for t in study.trials] == [{"a": 1.0, "b": 0.5}, {"a": 2.0}]
    with pytest.raises(OutcomeError, match="each in a column of its name"):
        study.add(pd.DataFrame({"x": [0.1], "a": [1.0]}), "a")


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_what_a_study_wrote_goes_into_another(library: str):
    one = Study(SPACE, seed=0)
    one.add({"x": 0.5, "n": 2, "kind": "a"}, 1.5, noise=0.25, note="slow", attributes={"lot": 7})
    one.add({"x": 0.75, "n": 3, "kind": "b"}, 2.5)
    one.fail(one.ask(), "broke")
    one.ask()
    other = Study(SPACE, seed=0)
    other.add(one.to_frame(library))
    assert [t.state for t in other.trials] == [TrialState.COMPLETE] * 2 + [TrialState.FAILED]
    assert [t.params for t in other.trials] == [t.params for t in one.trials[:3]]
    first, _, failed = other.trials
    assert (first.value, first.noise, first.note) == (1.5, 0.25, "slow")
    assert first.attributes == {"lot": 7} and failed.error == "broke"


def test_columns_that_mean_nothing_are_not_passed_over():
    study = Study(SPACE, seed=0)
    frame = pd.DataFrame(ROWS).assign(colour="red")
    with pytest.raises(ParamsError, match=r"neither parameters nor outcomes.*'colour'.*drop"):
        study.add(frame, "yield")
    with pytest.raises(ParamsError, match="data frame or a list of dicts"):
        study.add([0.5, 2])
    with pytest.raises(ParamsError, match="in a table they are columns"):
        study.add(pd.DataFrame(ROWS), "yield", note="slow")
    assert study.add([]) == [] == study.trials


def test_rows_of_a_pool():
    pool = Candidates([{"id": f"m{i}", "x": i / 4} for i in range(5)], id="id")
    study = Study(pool, seed=0)
    study.add(pd.DataFrame({"id": ["m1", "m3"], "x": [0.25, 0.75], "value": [1.0, 2.0]}))
    assert [t.params["id"] for t in study.trials] == ["m1", "m3"]


def test_one_cost_for_a_table_is_refused():
    study = Study({"x": Float(0, 1)}, seed=0)
    with pytest.raises(ParamsError, match="'cost'"):
        study.add([{"x": 0.5, "value": 1.0}], cost=2.0)
    assert not study.trials
