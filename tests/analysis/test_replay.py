"""Why a suggestion cannot be derived again: the reason that is named is the right one."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from pathmax import Float, Study
from pathmax.errors import DamageWarning, TrialError


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Two results of one outcome, then three of another, and a trial suggested from these."""
    file = tmp_path / "lab.db"
    study = Study({"x": Float(0, 1)}, objectives={"a": "maximize"}, name="s", storage=file, seed=0)
    for i in range(2):
        study.tell(study.ask(), {"a": float(i)})
    study.change_space(objectives={"b": "maximize"})
    for i in range(3):
        study.tell(study.ask(), {"b": float(i)})
    assert study.ask().info["n_observations"] == 3
    assert study.replay(5) == study.trials[5].params
    study.storage.close()
    return file


def change(file: Path, statement: str) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(statement)


SET = "UPDATE pathmax_trials SET info = json_set(info, {}) WHERE number = 5"


def test_an_earlier_engine_counted_results_without_an_outcome_that_was_wanted(file: Path) -> None:
    change(file, SET.format("'$.engine', 9, '$.n_observations', 5"))
    words = "from 5 results, but 3 .* engine 9 of pathmax suggested it, which counted .* engine"
    for ask_again in (Study.replay, Study.explain):
        with pytest.raises(TrialError, match=words):
            ask_again(Study.load("s", storage=file), 5)


def test_a_result_that_came_late(file: Path) -> None:
    change(file, SET.format("'$.engine', 8, '$.n_observations', 2"))
    with pytest.raises(TrialError, match=r"from 2 results, but 3 .*: a result came late"):
        Study.load("s", storage=file).replay(5)


def test_a_result_that_is_gone(file: Path) -> None:
    change(file, "DELETE FROM pathmax_trials WHERE number = 4")
    with pytest.warns(DamageWarning, match="trial 4 .*gone"):
        study = Study.load("s", storage=file)
        with pytest.raises(TrialError, match=r"from 3 results, but 2 .* are gone, or have become"):
            study.replay(5)
