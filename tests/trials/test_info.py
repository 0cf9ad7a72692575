"""What is stored with a suggestion is read and written in one place, whatever its version."""

import json

import pytest

import pathmax
from pathmax.errors import TrialError
from pathmax.suggestion import explanation
from pathmax.trials.info import INFO_VERSION, Info, write

FIRST = {  # as pathmax 0.1 wrote it
    "method": "pims",
    "seed": [3, 7],
    "n_observations": 7,
    "pending": [5],
    "mean": 1.0,
    "std": 0.5,
    "kernel": {"kind": "rbf"},
    "noise": 0.1,
    "prior_mean": 0.0,
    "bowl": None,
    "outcomes": {"sign": -1.0},
    "fitted_on": 6,
    "jitter": 0.0,
}


def test_the_first_version_is_read_as_if_it_were_the_second():
    info = Info(FIRST)
    assert info.engine == 1 and info.settings is None and info.corrected == []
    model = info.models["value"]
    assert model["transform"] == {"sign": -1.0}
    assert model["kernel"] == {"kind": "rbf"} and model["fitted_on"] == 6
    assert info.section("value") == {"mean": 1.0, "std": 0.5}


def test_what_is_written_is_json_and_is_read_back():
    model = {"kernel": {"kind": "rbf"}, "noise": 0.1}
    stored = write(
        engine=4,
        method="pims",
        seed=(3, 7),
        n_observations=2,
        pending=(1,),
        corrected=(0, 0),
        settings={"method": "pims"},
        facts={"mean": 2.0},
        outcomes={"yield": {"mean": 2.0, "model": model}, "cost": {"mean": 1.0}},
        remark="look",
    )
    info = Info(json.loads(json.dumps(stored)))
    assert info["version"] == INFO_VERSION and info.engine == 4 and info.seed == (3, 7)
    assert info.models == {"yield": model}
    assert info.section("cost") == {"mean": 1.0}
    assert info.corrected == [0, 0] and info.pending == (1,) and info.remark == "look"


def test_a_trial_whose_params_were_given_is_no_suggestion():
    assert not Info({}).is_suggestion and not Info({}).is_modelled


def a_study() -> pathmax.Study:
    study = pathmax.Study({"x": pathmax.Float(0, 1)}, seed=0)
    for _ in range(7):
        trial = study.ask()
        study.tell(trial, -((trial.params["x"] - 0.3) ** 2))
    return study


def test_a_trial_of_another_engine_replays_as_long_as_it_leads_to_the_same_point(monkeypatch):
    study = a_study()
    monkeypatch.setattr("pathmax.analysis.replay.ENGINE", explanation.ENGINE + 1)
    assert study.replay(6) == study.trials[6].params


def test_where_another_engine_leads_elsewhere_replay_says_so(monkeypatch):
    study = a_study()
    monkeypatch.setattr("pathmax.analysis.replay.ENGINE", explanation.ENGINE + 1)
    monkeypatch.setattr(
        "pathmax.analysis.replay.suggest",
        lambda problem, past: type("Other", (), {"params": {"x": 0.987}}),
    )
    with pytest.raises(TrialError, match=r"engine \d+ of pathmax suggested it.*leads elsewhere"):
        study.replay(6)


def test_a_brief_info_leaves_the_models_out():
    section = {"mean": 1.0, "std": 0.5, "target": 2.0, "model": {"kernel": {}}}
    stored = {"version": INFO_VERSION, "method": "pims", "seed": [1, 2], "xi": 0.3}
    brief = Info(stored | {"outcomes": {"value": section}}).brief()
    assert brief == {
        "version": INFO_VERSION,
        "method": "pims",
        "xi": 0.3,
        "outcomes": {"value": {"mean": 1.0, "std": 0.5}},
    }
    assert dict(Info(brief).section("value")) == {"mean": 1.0, "std": 0.5}
    assert Info({"method": "random", "seed": [0, 0]}).brief() == {"method": "random"}
