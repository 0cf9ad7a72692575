"""What was read is read once: places of many together, a history while nothing changes."""

import gc

import numpy as np
import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.dialects import sqlite

import pathmax
from pathmax.errors import DamageWarning
from pathmax.session.editions import MANY_TRIALS, Edition
from pathmax.session.ledger import Ledger
from pathmax.storage import statements
from pathmax.storage.records import Entry
from pathmax.trials.trial import Trial, TrialState

AXES = {"a": [0.0, 0.25, 0.5, 1.0], "b": [1, 2, 3, 4, 5]}
ROWS = [{"a": a, "b": b} for a in AXES["a"] for b in AXES["b"]]
DOMAINS = {
    "space": pathmax.Space({"a": pathmax.Float(0, 1), "b": pathmax.Int(1, 5)}),
    "pool": pathmax.Candidates({name: [row[name] for row in ROWS] for name in AXES}),
    "grid": pathmax.Grid(AXES),
}


def complete(params: dict[str, float]) -> Entry:
    return Entry(params=params, state=TrialState.COMPLETE, outcomes={"value": 1.0})


def filled(storage: str | None = None, *, odd: bool = False) -> pathmax.Study:
    study = pathmax.Study(DOMAINS["space"], name="many", storage=storage, method="random", seed=0)
    rows = [ROWS[i % len(ROWS)] for i in range(2 * MANY_TRIALS)]
    rows += [{"a": 7.0, "b": 1}] if odd else []
    study.storage.insert_many("many", [complete(params) for params in rows])
    return study


@pytest.mark.parametrize("domain", DOMAINS.values(), ids=DOMAINS)
def test_many_trials_are_placed_as_each_would_be(domain):
    trials = [Trial(number=i, params=ROWS[i % len(ROWS)]) for i in range(2 * MANY_TRIALS)]
    together = Edition(domain, pathmax.Study(domain).goals, 0)
    together.place_all(trials)
    alone = Edition(domain, pathmax.Study(domain).goals, 0)
    for trial in trials:
        one, other = together.place(trial), alone.place(trial)
        np.testing.assert_array_equal(one.u, other.u)
        assert one.row == other.row


def test_one_that_does_not_fit_is_named_and_the_others_are_placed():
    with pytest.warns(DamageWarning, match="not in the space"):
        history = filled(odd=True)._session.history()
    assert history.n == 2 * MANY_TRIALS


def test_a_history_is_made_once_while_nothing_changes():
    study = filled()
    session = study._session
    first = session.history()
    assert session.history() is first
    trial = study.ask()
    study.tell(trial, 2.0)
    second = session.history()
    assert second.n == first.n + 1
    assert second.measured["value"][-1] == 2.0


def test_trials_that_come_late_stand_in_order():
    study = filled()
    ledger = Ledger(study.storage, study._session.key, study._session._editions)
    trials = {number: Trial(number=number, params=ROWS[0]) for number in range(4)}
    ledger._add(1, [trials[0], trials[3]])
    ledger._add(2, [trials[2], trials[1]])
    assert list(ledger._trials) == [0, 1, 2, 3]


def test_the_collector_works_again_after_many_were_read(tmp_path):
    place = f"sqlite:///{tmp_path / 'many.db'}"
    filled(place)
    assert gc.isenabled()
    assert len(pathmax.Study.load("many", storage=place).trials) == 2 * MANY_TRIALS
    assert gc.isenabled()


def test_what_changed_is_found_by_revision_whatever_else_there_is(tmp_path):
    place = f"sqlite:///{tmp_path / 'many.db'}"
    filled(place)
    query = str(statements.CHANGES.compile(dialect=sqlite.dialect(paramstyle="named")))
    with create_engine(place).connect() as connection:
        plan = connection.execute(
            text(f"explain query plan {query}"), {"since": 100, "study": "many", "identity": None}
        ).all()
    assert any("pathmax_trials_by_revision" in step[-1] for step in plan)
