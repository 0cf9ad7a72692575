"""Every storage keeps what a study learns from."""

import pathmax

SPACE = {"x": pathmax.Float(0, 1)}
OLDER = [{"x": x / 7, "value": -((x / 7 - 0.4) ** 2)} for x in range(8)]


def test_what_is_learnt_from_is_kept(storage):
    study = pathmax.Study(SPACE, name="s", storage=storage, seed=0, learn_from={"older": OLDER})
    trial = study.ask()
    study.tell(trial, -((trial.params["x"] - 0.5) ** 2))
    study.ask()
    again = pathmax.Study.load("s", storage=storage)
    assert [(one.name, one.results) for one in again.borrowed()] == [("older", 8)]
    assert [again.replay(trial) for trial in again.trials] == [t.params for t in study.trials]
