"""What an earlier version stored is opened, understood and continued by this one.

`fixtures/version-0.1` holds studies that version 0.1 wrote, and what it said of them;
`fixtures/golden` holds suggestions from histories that are made of a seed. Another processor rounds
differently, so numbers are compared to a small share of their range.
"""

import json
import re
import shutil
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pathmax import Candidates, Float, Study, errors
from pathmax.analysis.replay import as_suggested
from pathmax.storage import Entry
from pathmax.suggestion.algorithm import suggest
from tests.fixtures.engine_5 import make_trials
from tests.fixtures.engine_8 import make_borrowing
from tests.fixtures.engine_10 import make_outcomes
from tests.fixtures.engine_11 import make_trials as make_trials_11
from tests.fixtures.golden import make_later
from tests.fixtures.golden.make_golden import FILE, difference, suggestions
from tests.postgres import Server

FIXTURES = Path(__file__).parent / "fixtures" / "version-0.1"
STUDIES = json.loads((FIXTURES / "expected.json").read_text("utf-8"))
GOLDEN = json.loads(FILE.read_text("utf-8"))
LATER = json.loads(make_later.FILE.read_text("utf-8"))

DERIVED = 1e-6  # of a range: how far a trial that is derived again may be off
CONTINUED = 1e-4  # the same for a new one
# On grids version 0.1 (engine 1) drew paths in a way that depends on the rounding of the processor.
# Engine 2 does not, and so leads elsewhere: `replay` says so.
MOVED = {"pims-grid", "fixed-grid", "failing-grid", "pims-text-grid", "pims-discrete", "exhausted"}

# Engine 2 learns parameters from a cold start as well when a warm one ends in short length scales,
# where version 0.1 stayed: of these studies models, and what follows from them, are others.
REFITTED = {
    "Ausbeute №1 – 触媒 'zweiter Tag' (100 %)",
    "abandoned",
    "added",
    "corrected",
    "discretization",
    "failing",
    "gp-est-grid",
    "gp-ucb-ints",
    "gp-ucb-mixed",
    "initial-0",
    "irgp-ucb-steps",
    "n-samples",
    "noise",
    "noise-learnt",
    "not-warped",
    "pims-log-int",
    "product",
    "product-mixed",
    "remarked",
    "reopened",
    "resolution-coarse",
    "running-mixed",
    "warped",
    "wider",
}
# Engine 7 goes on from where a fit to fewer results ended, as it is.
REFITTED |= {
    "branched",
    "confidence",
    "effort",
    "ei-mixed",
    "ignored-confidence",
    "ignored-n-samples",
    "initial-7",
    "jes-floats",
    "kind-rff",
    "outlier",
    "pims-floats",
    "pims-mixed",
    "reopened-options",
    "resolution",
    "ts-log",
}
MOVED |= REFITTED
# It looks for the best score of a box beside the best results from the start.
MOVED |= {"fixed", "mes-one", "refit-every-3", "running"}
# Engine 12 draws sample paths from other random features.
MOVED |= {
    "ignored-effort",
    "jes-pool",
    "large-pool",
    "linear",
    "pims-pool",
    "running-pool",
    "ts-pool",
}
REFITTED_BY = 0.15  # of a range: how far what is recommended may then be off

Expected = dict[str, Any]
Storage = Any  # what `Study.storage` is, wherever it is defined


def named(each: Expected) -> str:
    return re.sub(r"[^\w-]+", "-", each["name"], flags=re.ASCII)


every_study = pytest.mark.parametrize("expected", STUDIES, ids=named)


@pytest.fixture(scope="module")
def restored(postgres: Server) -> Iterator[Storage]:
    """A PostgreSQL schema with what version 0.1 left in one; the tests that write come last."""
    url = postgres.url()
    postgres.execute((FIXTURES / "studies.sql").read_text("utf-8"), url)
    with Study.load("empty", storage=url).storage as storage:
        yield storage


@pytest.fixture
def copied(tmp_path: Path) -> Iterator[Storage]:
    """A copy of the SQLite file that version 0.1 wrote."""
    shutil.copy(FIXTURES / "studies.db", tmp_path)
    with Study.load("empty", storage=tmp_path / "studies.db").storage as storage:
        yield storage


@pytest.fixture(params=["sqlite", "postgresql"])
def storage(request: pytest.FixtureRequest) -> Storage:
    """What version 0.1 wrote, in each kind of database."""
    return request.getfixturevalue("copied" if request.param == "sqlite" else "restored")


@contextmanager
def opened(storage: Storage, expected: Expected) -> Iterator[Study]:
    """The study; all it may warn of are options that version 0.1 took and ignored."""
    space = {}
    if "pool" in expected:  # too large to be stored
        pool = expected["pool"]
        numbers = np.random.default_rng(pool["seed"]).random(pool["shape"])
        space = {"space": Candidates(np.round(numbers, pool["decimals"]))}
    with warnings.catch_warnings():
        for option in expected["ignored_options"]:
            warnings.filterwarnings("ignore", message=f"(?s).*{option}")
        yield Study.load(expected["name"], storage=storage, **space)


def check_near(
    expected: Expected, params: dict[str, Any], found: dict[str, Any], tolerance: float
) -> None:
    gap = difference(params, found, expected["ranges"])
    assert gap <= tolerance, f"expected {params}, got {found}"


@contextmanager
def raising(expected: Any) -> Iterator[None]:
    """Expects the error that version 0.1 raised, if that is what it did."""
    if not isinstance(expected, dict) or list(expected) != ["error"]:
        yield
        return
    with pytest.raises(getattr(errors, expected["error"])):
        yield


@every_study
def test_every_trial_is_read_as_it_was_written(storage: Storage, expected: Expected):
    with opened(storage, expected) as study:
        read = [
            {
                "number": trial.number,
                "params": trial.params,
                "state": str(trial.state),
                "outcomes": trial.outcomes,
                "noise": trial.noise,
                "note": trial.note,
                "attributes": trial.attributes,
                "error": trial.error,
            }
            for trial in study.trials[: len(expected["trials"])]
        ]
        assert study.direction == expected["direction"]
    assert read == expected["trials"]


@every_study
def test_every_suggestion_is_derived_again(storage: Storage, expected: Expected):
    with opened(storage, expected) as study:
        for number, params in expected["replayed"].items():
            try:
                found = study.replay(int(number))
            except errors.TrialError as error:
                assert expected["name"] in MOVED
                assert "engine 1 of pathmax suggested it" in str(error)
            else:
                check_near(expected, params, found, DERIVED)


@every_study
def test_what_the_study_says_is_the_same(storage: Storage, expected: Expected):
    with opened(storage, expected) as study:
        with raising(expected["best"]):
            assert study.best_trial.number == expected["best"]
        with raising(expected["recommended"]):
            near = REFITTED_BY if expected["name"] in REFITTED else CONTINUED
            check_near(expected, expected["recommended"], study.recommend(), near)


@every_study
def test_the_study_goes_on(storage: Storage, expected: Expected):
    with opened(storage, expected) as study, raising(expected["next"]):
        trial = study.ask()
        assert trial.number == len(expected["trials"])
        assert study.space.validate(trial.params) == trial.params
        if expected["name"] not in MOVED:
            check_near(expected, expected["next"], trial.params, CONTINUED)
        assert study.tell(trial, 1.5, note="by a later version").value == 1.5
        assert study.trials[-1].note == "by a later version"
        assert study.replay(trial) == trial.params


def not_derived(study: Study, engine: int, ranges: dict[str, tuple[float, float]]) -> list[int]:
    """The trials of which `replay` says that this engine suggested them; the others are derived."""
    elsewhere = []
    known = {name: [*ends, False] for name, ends in ranges.items()}
    for trial in study.trials:
        try:
            found = study.replay(trial)
        except errors.TrialError as error:
            assert f"engine {engine} of pathmax suggested it" in str(error)
            elsewhere.append(trial.number)
        else:
            assert difference(trial.params, found, known) <= DERIVED
    return elsewhere


def test_engine_5_searched_paths_everywhere_with_few_parameters():
    """Engine 7 searches and learns a little differently, engine 12 draws other paths."""
    kept = json.loads(make_trials.FILE.read_text("utf-8"))
    study = Study({name: Float(*ends) for name, ends in make_trials.RANGES.items()}, seed=1)
    for number, each in enumerate(kept):
        outcomes = {"value": -make_trials.value(each["params"])}
        entry = Entry(params=each["params"], info=each["info"], outcomes=outcomes)
        study.storage.insert(study.name, entry)
        problem, past = as_suggested(study._session, study.trials[number])
        derived = suggest(problem, past).params
        assert study.space.validate(derived) == derived
    assert min(not_derived(study, 5, make_trials.RANGES)) >= 5  # the first design is the same


def test_engine_8_borrowed_by_even_odds_from_three_results_on():
    """Such a study goes on; what engine 9 would not borrow for is not derived, nor other paths."""
    study = make_borrowing.study()
    for each in json.loads(make_borrowing.FILE.read_text("utf-8")):
        outcomes = {"value": make_borrowing.value(each["params"])}
        entry = Entry(params=each["params"], info=each["info"], outcomes=outcomes)
        study.storage.insert(study.name, entry)
    assert {3, 4} <= set(not_derived(study, 8, make_borrowing.RANGES))
    trial = study.ask()
    assert trial.info["outcomes"]["value"]["model"]["borrowed"]["older"] > 0.0
    assert study.tell(trial, make_borrowing.value(trial.params)).value > 79.0
    assert study.replay(trial) == trial.params


@pytest.mark.parametrize(
    ("name", "moved"), [("pass or fail", range(5, 13)), ("exploding", (10, 12))]
)
def test_engine_10_held_models_to_bounds_as_stated_and_took_units_of_all(name, moved):
    """Such studies go on; what engine 11 would not suggest is not derived, nor other paths."""
    study = make_outcomes.study(name)
    for each in json.loads(make_outcomes.FILE.read_text("utf-8"))[name]:
        outcomes = make_outcomes.MADE[name](each["params"])
        entry = Entry(params=each["params"], info=each["info"], outcomes=outcomes)
        study.storage.insert(study.name, entry)
    elsewhere = not_derived(study, 10, make_outcomes.RANGES)
    assert set(moved) <= set(elsewhere) and min(elsewhere) >= 5  # the first design is the same
    trial = study.ask()
    study.tell(trial, make_outcomes.MADE[name](trial.params))
    assert study.replay(trial) == trial.params


@pytest.mark.parametrize("method", make_trials_11.METHODS)
def test_engine_11_drew_other_paths(method: str):
    """What no path decides is derived again; a study of 0.2.0 goes on in either case."""
    study = make_trials_11.study(method)
    kept = json.loads(make_trials_11.FILE.read_text("utf-8"))[method]
    for each in kept:
        outcomes = {"value": make_trials_11.value(each["params"])}
        entry = Entry(params=each["params"], info=each["info"], outcomes=outcomes)
        study.storage.insert(study.name, entry)
    elsewhere = not_derived(study, 11, make_trials_11.RANGES)
    assert bool(elsewhere) == (method == "pims")
    assert min(elsewhere, default=5) >= 5  # the first design is the same
    trial = study.ask()
    study.tell(trial, make_trials_11.value(trial.params))
    assert study.replay(trial) == trial.params


def test_a_worker_that_vanished_in_an_earlier_version_is_given_up(copied: Storage):
    study = Study.load("abandoned", storage=copied)
    assert [trial.number for trial in study.trials if trial.state == "running"] == [5]
    study.ask()
    assert study.trials[5].state == "failed"


@pytest.fixture(scope="module")
def computed() -> dict[str, dict[str, Any]]:
    """The suggestions of this version."""
    return {each["name"]: each["params"] for each in suggestions()}


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda each: each["name"].replace(" ", "-"))
def test_a_suggestion_is_the_one_that_was_kept(computed: dict[str, Any], golden: Expected):
    check_near(golden, golden["params"], computed[golden["name"]], CONTINUED)


def test_every_suggestion_has_been_kept(computed: dict[str, Any]):
    assert sorted(computed) == sorted(each["name"] for each in GOLDEN)


@pytest.fixture(scope="module")
def computed_later() -> dict[str, dict[str, Any]]:
    """The same of the kinds of studies that came after version 0.1."""
    return {each["name"]: each["params"] for each in make_later.later()}


@pytest.mark.parametrize("golden", LATER, ids=lambda each: each["name"].replace(" ", "-"))
def test_a_suggestion_of_a_later_kind_is_the_one_that_was_kept(
    computed_later: dict[str, Any], golden: Expected
):
    check_near(golden, golden["params"], computed_later[golden["name"]], CONTINUED)
