"""Suggestions: a function of history, settings and number, and of nothing else."""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pathmax
from pathmax import (
    Candidates,
    Categorical,
    Float,
    Grid,
    Int,
    Space,
    Study,
    TrialState,
    acquisition,
    gp,
)
from pathmax.errors import ExhaustedError, TrialError
from pathmax.suggestion.algorithm import KNOWN_STD
from pathmax.suggestion.choices import BENCH, RESOLUTION
from tests.spaces import spaces

MIXED = {"x": Float(0, 1), "rate": Float(1e-4, 1, log=True), "c": Categorical(["a", "b", "c"])}


def value_of(params: dict[str, object]) -> float:
    """Some smooth function of whatever the parameters are."""
    total = 0.0
    for i, x in enumerate(params.values()):
        number = float(len(str(x))) if isinstance(x, str | bool) or x is None else float(x)
        total += np.sin(i + np.arctan(number))
    return float(total)


def told(study: Study, n: int) -> Study:
    for _ in range(n):
        trial = study.ask()
        study.tell(trial, value_of(trial.params))
    return study


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(spaces(), st.integers(0, 2**32), st.booleans())
def test_in_any_space_every_suggestion_is_inside_decodes_and_survives_json(
    space: pathmax.Space, seed: int, modelled: bool
):
    study = Study(space, seed=seed, initial=2 if modelled else 5)
    size = space.cardinality or 5
    try:
        for _ in range(min(5, size)):
            trial = study.ask()
            assert space.validate(trial.params) == trial.params
            assert space.decode(space.encode(trial.params)) == trial.params
            assert json.loads(json.dumps(trial.to_json())) == trial.to_json()
            assert study.space.encode(trial.params).shape == (space.dimension,)
            study.tell(trial, float(trial.number))
    except ExhaustedError:  # bounds so narrow that only some floats lie between them
        assert len(study.trials) >= 1
    points = [json.dumps(trial.params) for trial in study.trials]
    assert len(set(points)) == len(points)


@pytest.mark.parametrize(
    "domain",
    [
        MIXED,
        {"a": Int(1, 6), "c": Categorical(["x", "y"])},
        Candidates([{"name": f"m{i}", "x": i**2, "c": "ab"[i % 2]} for i in range(30)], id="name"),
        Grid({"a": [1, 2, 4, 8], "b": np.linspace(0, 1, 6), "c": ["u", "v"]}),
    ],
    ids=["mixed", "finite space", "pool", "grid"],
)
def test_the_same_seed_and_history_give_the_same_trials(domain: object):
    one = told(Study(domain, seed=5), 11).trials
    two = told(Study(domain, seed=5), 11).trials
    other = told(Study(domain, seed=6), 11).trials
    assert [t.params for t in one] == [t.params for t in two]
    assert [t.info for t in one] == [t.info for t in two]
    assert [t.params for t in one] != [t.params for t in other]


def test_a_trial_is_the_same_whatever_process_asks_and_whatever_it_remembers(tmp_path):
    url = f"sqlite:///{tmp_path / 'lab.db'}"
    study = Study(MIXED, name="s", storage=url, seed=2, refit_every=4)
    told(study, 13)  # between two refits: the next ask extends the model that is kept
    study.ask(2)
    code = (
        "import sys, pathmax\n"
        f"trials = pathmax.Study.load('s', storage={url!r}).ask(1)\n"
        "print(trials[0].number)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                          env=os.environ)  # fmt: skip
    number = int(done.stdout)
    assert number == 15
    asked_elsewhere = study.trials[number]
    memory = Study(MIXED, seed=2, refit_every=4)
    told(memory, 13)
    memory.ask(2)
    here = memory.ask()
    assert here.params == asked_elsewhere.params
    assert here.info == asked_elsewhere.info


def test_every_trial_can_be_derived_again_at_the_end():
    study = Study(MIXED, seed=0, refit_every=3)
    running = []
    for i in range(16):  # told late, out of order, failed, added in between
        running.append(study.ask())
        if i % 3 == 2:
            study.tell(running.pop(0), value_of(running[0].params))
        if i % 5 == 4:
            study.fail(running.pop())
        if i == 7:
            added = study.add({"x": 0.5, "rate": 0.1, "c": "b"}, 0.3)
    for trial in study.trials:
        if trial.number != added.number:
            assert study.replay(trial) == trial.params, trial.number
    with pytest.raises(TrialError, match="was not suggested"):
        study.replay(added)


def test_a_late_result_of_a_trial_taken_back_leaves_what_was_suggested_in_between(tmp_path):
    study = Study(MIXED, name="s", storage=f"sqlite:///{tmp_path / 'lab.db'}", seed=0)
    told(study, 6)
    slow = study.storage.start("s", 6, study.trials[0].params, heartbeat=True)
    study.storage.reclaim("s", -1.0)
    later = study.ask()
    assert study.replay(later) == later.params
    study.tell(slow, 1.0)
    assert study.replay(later) == later.params


def test_failed_points_are_avoided():
    study = Study({"x": Float(0, 1)}, seed=0, initial=4)
    failures = 0
    for _ in range(30):
        trial = study.ask()
        x = float(trial.params["x"])
        if x > 0.7:  # where it would be best
            study.fail(trial)
            failures += 1
        else:
            study.tell(trial, x)
    assert failures <= 12  # 8 here; 26 if failures are only forgotten
    assert study.best_trial.value > 0.65


def test_interrupted_trials_say_nothing_and_leave_their_row_free():
    study = Study(Grid({"a": [1, 2, 3]}), seed=0)
    first = study.ask()

    def objective(params: dict[str, object]) -> float:
        raise KeyboardInterrupt

    study.optimize(objective, 1, progress=False)
    assert study.trials[1].state is TrialState.FAILED
    seen = {study.tell(trial, 1.0).params["a"] for trial in (first, *study.ask(2))}
    assert seen == {1, 2, 3}


def test_continuous_points_keep_a_distance():
    study = Study({"x": Float(0, 1)}, seed=0, initial=2)
    for _ in range(40):
        trial = study.ask()
        study.tell(trial, -abs(float(trial.params["x"]) - 0.5))
    xs = np.sort([float(trial.params["x"]) for trial in study.trials])
    assert np.diff(xs).min() >= RESOLUTION


def test_parallel_asks_differ_even_from_one_history():
    study = Study({"x": Float(0, 1)}, seed=0)
    told(study, 6)
    batch = study.ask(12)
    xs = np.sort([float(trial.params["x"]) for trial in batch])
    assert np.diff(xs).min() >= RESOLUTION


@pytest.mark.parametrize(
    "given",
    [
        {"initial": 9},
        {"warp": False},
        {"replicates": True},
        {"noise": 0.5},
        {"refit_every": 1},
        {"kernel": pathmax.gp.RBF()},
        {"method": "gp-ucb", "options": {"confidence": 3.0}, "seed": 9},
    ],
    ids=str,
)
def test_a_trial_is_derived_with_the_settings_of_its_time(tmp_path, given: dict[str, object]):
    url = f"sqlite:///{tmp_path / 'lab.db'}"
    space = {"x": Float(0, 1), "y": Float(0, 1)}
    study = told(Study(space, name="s", storage=url, seed=0, initial=4, refit_every=3), 8)
    card = study.explain(7)
    other = Study(space, name="s", storage=url, **given)
    told(other, 2)
    for trial in other.trials:
        assert other.replay(trial) == trial.params, trial.number
    assert other.explain(7) == card
    assert study.replay(9) == other.trials[9].params


def test_a_trial_of_an_earlier_version_is_derived_only_if_the_same_point_comes_out():
    study = told(Study({"x": Float(0, 1), "y": Float(0, 1)}, seed=0, initial=4), 6)
    storage = pathmax.storage.MemoryStorage()
    old = [(t, {k: v for k, v in t.info.items() if k != "settings"}) for t in study.trials]

    def opened(**given: object) -> Study:
        return Study(study.space, name="old", storage=storage, seed=0, **given)

    same = opened(initial=4)
    for trial, info in old:
        storage.start("old", trial.number, trial.params, info)
        storage.finish("old", trial.number, pathmax.storage.Ending(outcomes=trial.outcomes))
    assert same.replay(5) == study.trials[5].params
    assert same.explain(5) == study.explain(5).replace("of study:", "of old:")
    other = opened(warp=False)
    with pytest.raises(TrialError, match=r"cannot be derived again: .*did not keep its settings"):
        other.replay(5)
    assert re.search("other methods +not known", other.explain(5))
    assert "would try" not in other.explain(5)


@pytest.mark.parametrize(
    "space",
    [
        Space({"n": Int(1, 20_000)}),
        Space({"n": Float(0, 1000, step=0.05)}),
        Grid({"n": range(1, 20_001)}),
    ],
    ids=["int", "step", "grid"],
)
def test_a_long_list_is_searched_without_its_eigenvalues(space: Space | Grid) -> None:
    study = pathmax.Study(space, direction="maximize", seed=0)
    high = 1000 if isinstance(space, Space) and "step" in repr(space) else 20_000
    for _ in range(9):  # the eigenvalues of 20,000 values would take an hour
        trial = study.ask()
        study.tell(trial, -abs(float(trial.params["n"]) / high - 0.3))
    assert abs(float(study.best_trial.params["n"]) / high - 0.3) < 0.02


@pytest.mark.parametrize("seed", [10, 14, 15])  # with one draw each of these held a pair
def test_no_experiment_stands_twice_in_a_batch(seed: int) -> None:
    space = {
        "temperature": Float(60, 110),
        "hours": Int(1, 12),
        "load": Float(0.5, 5),
        "solvent": Categorical(["DMF", "THF", "water"]),
        "base": Categorical(["Cs2CO3", "K2CO3", "K3PO4"]),
    }
    study = Study(space, direction="maximize", seed=seed)
    rows = [
        (60, 2, 1, "DMF", "K2CO3", 32.5),
        (80, 2, 1, "DMF", "K2CO3", 45.1),
        (80, 4, 2.5, "THF", "Cs2CO3", 61),
        (100, 4, 2.5, "THF", "K2CO3", 58.2),
        (100, 12, 5, "water", "Cs2CO3", 12),
        (60, 12, 5, "THF", "Cs2CO3", 66.3),
        (60, 12, 5, "THF", "Cs2CO3", 64.9),  # measured twice, so noise is learnt
    ]
    for *settings_, value in rows:
        study.add(dict(zip(space, settings_, strict=True)), value)
    batch = study.ask(12)
    points = study.space.encode_many([trial.params for trial in batch])
    gaps = np.abs(points[:, None] - points).max(axis=2) + np.eye(len(batch))
    assert gaps.min() > BENCH
    assert all(study.replay(trial) == trial.params for trial in batch)


def test_what_is_known_is_left_for_something_better_unless_a_kernel_is_given(monkeypatch):
    """With a kernel, as in the paper's experiments, PIMS is the paper's: one path."""
    asked = []
    choose = acquisition.choose

    def watched(*args, **kwargs):
        asked.append(args[0].resolution)
        return choose(*args, **kwargs)

    monkeypatch.setattr(acquisition, "choose", watched)
    for kernel in (None, gp.RBF(0.3)):
        study = pathmax.Study({"x": pathmax.Float(0, 1)}, seed=0, initial=2, kernel=kernel)
        for value in (1.0, 2.0):
            study.tell(study.ask(), value)
        study.ask()
    assert asked == [KNOWN_STD, None]


def test_a_study_can_do_with_one_path_and_says_when_it_did_not():
    def study_with(seed, **given):
        space = {"x": Float(0, 1), "c": Categorical(["a", "b"])}
        study = Study(space, seed=seed, initial=0, noise=1e-10, **given)
        for x in np.linspace(0.1, 0.3, 12):  # with "a" the best is settled
            study.add({"x": x, "c": "a"}, np.sin(9 * x))
        for x, c, value in (
            (0.45, "a", -0.6),
            (0.6, "a", -0.2),
            (0.9, "a", -0.4),
            (0.9, "b", -0.3),
        ):
            study.add({"x": x, "c": c}, value)
        return study

    looked = 0
    for seed in range(6):
        study = study_with(seed)
        trial, plain = study.ask(), study_with(seed, options={"resolution": 0.0}).ask()
        assert "looked_elsewhere" not in plain.info
        if "looked_elsewhere" in trial.info:
            looked += 1
            assert plain.info["std"] < 1e-3 < trial.info["std"]
            assert "looked elsewhere" in str(study.explain(trial))
            assert study.replay(trial) == trial.params
        else:
            assert trial.params == plain.params
    assert looked >= 3


@dataclass(frozen=True)
class Fickle:
    """A method of one's own whose code is changed later."""

    name: ClassVar[str] = "fickle"
    at: ClassVar[float] = 0.25

    def choose(self, step):
        return acquisition.Choice(np.full(step.domain.dimension, Fickle.at))


def test_a_replay_that_leads_elsewhere_says_so_even_with_the_same_engine(monkeypatch):
    study = Study({"x": Float(0, 1)}, method=Fickle(), seed=0, initial=2, replicates=True)
    told(study, 4)
    assert study.replay(3) == study.trials[3].params == {"x": 0.25}
    monkeypatch.setattr(Fickle, "at", 0.75)
    with pytest.raises(
        TrialError, match=r"the same engine leads elsewhere now \(x = 0.75 in place"
    ):
        study.replay(3)
