"""What a process asks for it gets, or gives back."""

import pytest

from pathmax import Float, Study
from pathmax.errors import ModelError
from pathmax.session.session import Session
from pathmax.trials.trial import INTERRUPTED


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
@pytest.mark.parametrize("ended_by", [KeyboardInterrupt, ModelError("no factor")])
def test_a_batch_that_is_ended_in_the_middle_gives_back_what_it_began(
    kind, ended_by, tmp_path, monkeypatch
):
    storage = None if kind == "memory" else f"sqlite:///{tmp_path / 'lab.db'}"
    study = Study({"x": Float(0, 1)}, storage=storage, name="s", seed=0)
    suggest, left = Session._suggest, [None, None, ended_by]

    def interrupted(self, past):
        if (error := left.pop(0)) is not None:
            raise error
        return suggest(self, past)

    monkeypatch.setattr(Session, "_suggest", interrupted)
    with pytest.raises(BaseException, match=r"no factor|^$"):
        study.ask(4)
    monkeypatch.undo()
    assert [trial.error for trial in study.trials] == [INTERRUPTED, INTERRUPTED]
    again = study.ask(2)
    assert [trial.number for trial in again] == [2, 3]
