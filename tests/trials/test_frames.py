"""Trials as data frames, in pandas and polars, with names that collide and cells of any type."""

import datetime
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest

from pathmax import Categorical, Float, Int, Study
from pathmax.errors import MissingExtraError, SettingsError
from pathmax.trials.frames import frame, uniform

SPACE = {"x": Float(0, 1), "n": Int(1, 5), "kind": Categorical(["a", True, 3])}


def study() -> Study:
    made = Study(SPACE, seed=0)
    made.add({"x": 0.5, "n": 2, "kind": True}, 1.5, noise=0.25, note="slow")
    made.add({"x": 0.75, "n": 3, "kind": "a"}, float("nan"))
    made.add({"x": 0.25, "n": 1, "kind": 3}, 2.5, attributes={"batch": 7, "who": ["Ann"]})
    made.ask()
    return made


def test_pandas_has_a_row_for_each_trial_and_numbers_are_numbers():
    made = study()
    found = made.to_frame()
    assert isinstance(found, pd.DataFrame) and len(found) == 4
    assert list(found.columns[:5]) == ["trial", "x", "n", "kind", "value"]
    assert found["x"].dtype == float and found["n"].dtype == np.int64
    assert found["value"].tolist()[::2] == [1.5, 2.5] and found["value"].isna().sum() == 2
    assert found["state"].tolist() == ["complete", "failed", "complete", "running"]
    assert found["noise of value"][0] == 0.25 and found["note"][0] == "slow"
    assert found["attributes.batch"][2] == 7 and found["attributes.who"][2] == ["Ann"]
    asked = found["asked_at"][3]
    assert abs(asked - datetime.datetime.now(datetime.UTC)) < datetime.timedelta(hours=1)
    assert found["kind"].tolist()[:3] == [True, "a", 3]


def test_polars_has_the_same():
    made = study()
    found = made.to_frame(library="polars")
    assert isinstance(found, pl.DataFrame) and found.height == 4
    assert found["value"].to_list() == [1.5, None, 2.5, None]
    assert found["kind"].to_list()[:3] == ["True", "a", "3"]  # one type for a column
    assert found.columns == list(made.to_frame("pandas").columns)
    assert str(found["told_at"].dtype).startswith("Datetime")


def test_a_result_has_frames_too():
    result = Study({"x": Float(0, 1)}, seed=0).optimize(lambda p: p["x"], 3, progress=False)
    assert result.to_frame()["value"].tolist() == [t.value for t in result.trials]
    assert result.to_frame("polars")["x"].to_list() == [t.params["x"] for t in result.trials]


def test_names_that_are_taken_and_several_outcomes():
    made = Study({"state": Float(0, 1), "cost": Float(0, 1)}, seed=0,
                 objectives={"cost": "minimize", "note": "maximize"})  # fmt: skip
    made.add({"state": 0.5, "cost": 0.25}, {"cost": 3.0}, noise={"cost": 0.1})
    found = made.to_frame()
    assert found["state"][0] == 0.5 and found["pathmax_state"][0] == "complete"
    assert found["cost"][0] == 0.25 and found["cost (result)"][0] == 3.0
    assert np.isnan(found["note"].astype(float)[0]) and found["pathmax_note"][0] is None
    assert found["noise of cost (result)"][0] == 0.1


def test_an_empty_study_is_an_empty_frame():
    for library in ("pandas", "polars"):
        found = Study({"x": Float(0, 1)}).to_frame(library)
        assert len(found) == 0 and "x" in found.columns and "value" in found.columns


def test_which_library(monkeypatch: pytest.MonkeyPatch):
    with pytest.raises(SettingsError, match='"pandas" or "polars", got \'numpy\''):
        study().to_frame("numpy")
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert isinstance(study().to_frame(), pl.DataFrame)
    with pytest.raises(MissingExtraError, match="pip install pandas"):
        study().to_frame("pandas")
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(MissingExtraError, match=r"needs pandas or polars.*pathmax\[notebook\]"):
        study().to_frame()


def test_cells_of_one_type_stay_as_they_are():
    assert uniform([1, 2.5, None]) == [1, 2.5, None]
    assert uniform([True, 1]) == ["True", "1"]
    assert frame({"a": [[1], [2]]}, "polars")["a"].to_list() == ["[1]", "[2]"]


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_costs_have_a_column_and_come_back(library):
    made = Study({"x": Float(0, 1)}, seed=0)
    made.add({"x": 0.5}, 1.0)
    assert "cost" not in made.to_frame(library).columns
    made.add({"x": 0.25}, 2.0, cost=3.5)
    again = Study({"x": Float(0, 1)}, seed=0)
    again.add(made.to_frame(library))
    assert [trial.cost for trial in again.trials] == [None, 3.5]


def test_an_outcome_may_be_a_cost_itself():
    made = Study({"x": Float(0, 1)}, objectives={"cost": "minimize"}, seed=0)
    made.add({"x": 0.5}, {"cost": 7.0}, cost=2.0)
    found = made.to_frame()
    assert found["cost"][0] == 7.0 and found["pathmax_cost"][0] == 2.0
