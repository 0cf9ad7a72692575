"""A result that comes after its trial was taken back, and what was suggested meanwhile."""

from pathlib import Path

import pytest

from pathmax import Float, Study
from pathmax.storage import MemoryStorage, Storage, storage_url
from pathmax.storage.sql import SqlStorage
from pathmax.trials.trial import TrialState


class Clock:
    def __init__(self) -> None:
        self.now = 1e9

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Storage:
    if request.param == "memory":
        return MemoryStorage(clock=Clock())
    url = f"sqlite:///{tmp_path / 'lab.db'}"
    if request.param == "postgresql":
        url = request.getfixturevalue("postgres").url()
    return SqlStorage(storage_url(url), clock=Clock())


@pytest.mark.parametrize("late", [0.7, "it broke after all"])
def test_what_was_suggested_meanwhile_is_derived_again(kept: Storage, late: float | str):
    study = Study({"x": Float(0, 1)}, name="s", storage=kept, seed=0, initial=2)
    told = [study.tell(study.ask(), value) for value in (0.1, 0.5, 0.3)]
    lost = study._session.start(watched=True)
    kept.reclaim("s", grace=0.0)
    meanwhile = study.ask()  # from a past in which trial 3 had failed
    study.tell(meanwhile, 0.4)
    if isinstance(late, str):
        ended = study.fail(lost, late)
        assert (ended.state, ended.error) == (TrialState.FAILED, late)
    else:
        ended = study.tell(lost, late, note="slow")
        assert (ended.value, ended.note, ended.error) == (late, "slow", None)
    after = study.ask()
    assert "vanished" in ended.earlier[0].error
    assert ended.earlier[0].note is None
    assert after.info["n_observations"] == len(told) + 1 + (not isinstance(late, str))
    for trial in (*told, lost, meanwhile, after):
        assert study.replay(trial.number) == trial.params
    assert str(study.explain(meanwhile))
    again = Study.load("s", storage=kept)
    assert again.replay(meanwhile.number) == meanwhile.params
    kept.close()
