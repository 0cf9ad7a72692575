"""An Optuna study goes on as one of ours: what came of its trials is kept, the rest is said."""

import math

import optuna
import pytest
from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.storages import InMemoryStorage, JournalStorage
from optuna.storages.journal import JournalFileBackend
from optuna.trial import TrialState, create_trial

import pathmax
from pathmax import Categorical, Float, Int, Study
from pathmax.errors import SettingsError, SpaceError
from pathmax.integrations.optuna import import_study

SPACE = {
    "rate": FloatDistribution(1e-5, 1e-1, log=True),
    "dropout": FloatDistribution(0.0, 0.7, step=0.1),
    "layers": IntDistribution(1, 8),
    "heads": IntDistribution(2, 11, step=3),
    "schedule": CategoricalDistribution([None, "cosine", 0.5]),
    "batch": IntDistribution(32, 32),
}


@pytest.fixture(autouse=True)
def quiet():
    before = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    yield
    optuna.logging.set_verbosity(before)


def objective(trial: optuna.Trial) -> float:
    rate = trial.suggest_float("rate", 1e-5, 1e-1, log=True)
    trial.suggest_float("dropout", 0.0, 0.7, step=0.1)
    layers = trial.suggest_int("layers", 1, 8)
    trial.suggest_int("heads", 2, 11, step=3)
    trial.suggest_categorical("schedule", [None, "cosine", 0.5])
    trial.suggest_int("batch", 32, 32)
    trial.set_user_attr("epoch", 7)
    trial.set_user_attr("odd", math.inf)
    return (math.log10(rate) + 3) ** 2 + layers


def point(x: float, **more: object) -> dict:
    """A trial of one parameter as `create_trial` takes it."""
    line = {"x": FloatDistribution(0, 1)}
    return {"params": {"x": x}, "distributions": line, **more}


@pytest.mark.parametrize("kind", ["memory", "sqlite", "journal"])
def test_a_study_goes_on_from_any_storage(kind: str, tmp_path):
    stored = {
        "memory": InMemoryStorage(),
        "sqlite": f"sqlite:///{tmp_path / 'optuna.db'}",
        "journal": JournalStorage(JournalFileBackend(str(tmp_path / "journal.log"))),
    }[kind]
    sampler = optuna.samplers.RandomSampler(seed=0)
    theirs = optuna.create_study(study_name="tuning", storage=stored, sampler=sampler)
    theirs.optimize(objective, n_trials=9)
    study, remarks = import_study(
        "tuning", optuna_storage=stored, storage=tmp_path / "lab.db", seed=0
    )
    assert remarks == () and (study.name, study.direction) == ("tuning", "minimize")
    assert dict(study.space.parameters)["rate"] == Float(1e-5, 1e-1, log=True)
    assert dict(study.space.parameters)["dropout"] == Float(0.0, 0.7, step=0.1)
    assert dict(study.space.parameters)["heads"] == Int(2, 11, step=3)
    assert dict(study.space.parameters)["schedule"] == Categorical([None, "cosine", 0.5])
    assert [t.value for t in study.trials] == [t.value for t in theirs.trials]
    for ours, old in zip(study.trials, theirs.trials, strict=True):  # 0.3 for 0.30000000000000004
        assert ours.params == old.params | {"dropout": pytest.approx(old.params["dropout"])}
    assert study.best_value == theirs.best_value
    first = study.trials[0]
    assert first.attributes["optuna_number"] == 0 and first.duration is not None
    assert first.attributes["optuna_user_attrs"] == {"epoch": 7, "odd": "Infinity"}
    trial = study.ask()
    assert trial.info["n_observations"] == 9 and trial.params["batch"] == 32
    assert study.replay(trial) == trial.params
    study.tell(trial, 1.0)
    again = Study.load("tuning", storage=tmp_path / "lab.db")
    assert len(again.trials) == 10
    with pytest.raises(SettingsError, match=r"has trials already; go on with it by"):
        import_study(theirs, storage=tmp_path / "lab.db")
    assert len(theirs.trials) == 9  # nothing was changed there


def test_failed_pruned_running_and_waiting_trials_are_said():
    theirs = optuna.create_study(direction="maximize")
    theirs.add_trial(create_trial(value=1.0, **point(0.1)))
    theirs.add_trial(create_trial(state=TrialState.FAIL, **point(0.2)))
    theirs.add_trial(create_trial(state=TrialState.PRUNED, **point(0.3)))
    theirs.add_trial(create_trial(value=math.inf, **point(0.4)))
    theirs.add_trial(create_trial(state=TrialState.FAIL))  # failed before it asked for x
    theirs.enqueue_trial({"x": 0.5})
    theirs.enqueue_trial({"x": 0.6})
    theirs.ask()
    study, remarks = import_study(theirs, seed=0)
    assert [t.params["x"] for t in study.trials] == [0.1, 0.2, 0.3, 0.4]
    assert [t.state for t in study.trials] == ["complete", "failed", "stopped", "failed"]
    assert [t.error for t in study.trials[1:]] == [
        "failed in Optuna", "pruned in Optuna", "the value is +infinity",
    ]  # fmt: skip
    assert remarks == (
        "1 trial running in Optuna: left out, they end there",
        "1 trial waiting in Optuna: left out, they end there",
        "1 finished trial without a place in the space (Optuna's 4): left out",
        "1 trial pruned in Optuna: kept as stopped",
    )
    assert study.ask().info["n_observations"] == 1


def test_an_infinite_value_beside_another_is_a_failure():
    theirs = optuna.create_study(directions=["maximize", "minimize"])
    theirs.add_trial(create_trial(values=[1.0, math.inf], **point(0.1)))
    theirs.add_trial(create_trial(values=[1.0, 2.0], **point(0.2)))
    study, _ = import_study(theirs, seed=0)
    assert [t.state for t in study.trials] == ["failed", "complete"]
    assert "is +infinity (beside" in str(study.trials[0].error)


def test_constraints_and_several_directions():
    theirs = optuna.create_study(directions=["maximize", "minimize"])
    for x in (0.1, 0.9, 0.5, 0.7, 0.3, 0.85, 0.2, 0.6):
        kept = {"constraints": [x - 0.8]}
        theirs.add_trial(create_trial(values=[x, (x - 0.5) ** 2], system_attrs=kept, **point(x)))
    study, remarks = import_study(theirs, seed=0)
    assert remarks == () and study.goals.names == ("value 0", "value 1", "constraint 0")
    for ours, old in zip(study.trials, theirs.trials, strict=True):
        wanted = {"value 0": old.values[0], "value 1": old.values[1]}
        assert ours.outcomes == wanted | {"constraint 0": old.params["x"] - 0.8}
    assert {t.number for t in study.front} == {t.number for t in theirs.best_trials} == {2, 3, 7}
    assert study.ask().info["n_observations"] == 8


def test_conditional_parameters_and_ranges_that_changed_are_said():
    theirs = optuna.create_study()
    for i in range(6):
        high = 1.0 if i < 3 else 2.0
        given = {"x": (i / 3, FloatDistribution(0, high)), "kind": ("ab"[i % 2], None)}
        if i % 2:
            given["depth"] = (i, IntDistribution(1, 9))
        kinds = CategoricalDistribution(["a", "b"])
        theirs.add_trial(create_trial(
            value=float(i),
            params={name: value for name, (value, _) in given.items()},
            distributions={name: d or kinds for name, (_, d) in given.items()},
        ))  # fmt: skip
    study, remarks = import_study(theirs, seed=0)
    assert study.space.parameters["depth"] == Int(1, 9, when="kind in ['b']")
    assert remarks == (
        "depth: asked for where kind in ['b'], as far as the trials tell",
        "x: its range changed in Optuna; it is taken from 0.0 to 2.0",
    )
    assert [trial.params for trial in study.trials] == [trial.params for trial in theirs.trials]
    space = {"x": Float(0, 2), "depth": Int(1, 9), "kind": "b"}
    study, remarks = import_study(theirs, space=space, name="deep", seed=0)
    assert [t.attributes["optuna_number"] for t in study.trials] == [1, 3, 5]
    assert remarks == (
        "3 finished trials without a place in the space (Optuna's 0, 2, 4): left out",
    )


def test_parameters_that_depend_on_others_come_with_their_conditions():
    def objective(trial):
        width = trial.suggest_float("width", 0, 2, step=0.5)
        loss = trial.suggest_float("drop", 0, 1) + width
        if trial.params["drop"] > 0.5:
            loss += trial.suggest_float("rate", 0.1, 1, log=True)
        return loss + (trial.suggest_int("n", 1, 3) if width >= 1 else 0)

    theirs = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=3))
    theirs.optimize(objective, n_trials=30)
    ours, remarks = import_study(theirs, seed=0)
    assert ours.space.parameters["rate"] == Float(0.1, 1, log=True, when="drop > 0.5")
    assert ours.space.parameters["n"] == Int(1, 3, when="width >= 1.0")
    assert len(remarks) == 2 and len(ours.trials) == 30
    params = ours.ask().params
    assert ("rate" in params) == (params["drop"] > 0.5)


def test_a_parameter_that_nothing_tells_is_left_out():
    theirs = optuna.create_study()
    for i in range(8):
        given = {"x": FloatDistribution(0, 1), **({"y": FloatDistribution(0, 1)} if i % 2 else {})}
        theirs.add_trial(create_trial(
            value=float(i), params=dict.fromkeys(given, i / 8), distributions=given
        ))  # fmt: skip
    ours, remarks = import_study(theirs, seed=0)
    assert ours.space.names == ("x",) and len(ours.trials) == 8
    assert remarks == (
        "y: only some trials have a value, so the model does not know of them; to learn from "
        "them give space= with what each depends on",
    )


def test_what_cannot_be_a_study_is_refused():
    with pytest.raises(SpaceError, match=r"no finished trial .* give space="):
        import_study(optuna.create_study())
    with pytest.raises(SettingsError, match="expected an Optuna study or its name, got int"):
        import_study(3)
    theirs = optuna.create_study()
    theirs.add_trial(create_trial(value=1.0, **point(0.1)))
    with pytest.raises(SettingsError, match="method must be one of"):
        import_study(theirs, method="guess")
    assert pathmax.__version__
