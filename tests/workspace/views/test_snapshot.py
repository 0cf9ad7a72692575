"""What is true of a study at one moment: counts, the best, the front, what was spent."""

import pathmax
from pathmax.study import Study
from pathmax.workspace.layout import Layout
from pathmax.workspace.opened_study import Opened
from pathmax.workspace.views.snapshot import Snapshot
from pathmax.workspace.views.trial_pages import TrialQuery, page_of
from tests.workspace.views.conftest import SPACE


def test_a_snapshot_counts_and_knows_the_best(opened: Opened) -> None:
    found = Snapshot.of(opened)
    counts = [len(part) for part in (found.complete, found.running, found.failed, found.left_out)]
    assert counts == [3, 1, 1, 0]
    assert found.best is not None and found.best.number == 1
    assert found.front == () and found.columns == {"yield": "value"}


def test_the_front_of_a_snapshot_is_that_of_the_study(several: Opened) -> None:
    found = Snapshot.of(several)
    assert [t.number for t in found.front] == [t.number for t in several.study.front] == [0, 1, 4]
    assert found.best is None and len(found.feasible) == 4


def test_results_that_left_the_space_are_apart(opened: Opened) -> None:
    opened.study.change_space({**SPACE, "temperature": pathmax.Float(50, 120)})
    found = Snapshot.of(Opened(opened.study, opened.layout))
    assert [trial.number for trial in found.left_out] == [0]
    shown = page_of(found, TrialQuery(state="left out"))
    assert {trial.number for trial in shown.trials} == found.outside >= {0}


def test_with_a_fidelity_the_best_is_at_the_target_and_what_was_spent_is_known():
    space = {"x": pathmax.Float(0, 1), "site": pathmax.Fidelity(["pilot", "plant"], cost=[1, 9])}
    study = Study(space, seed=0)
    study.add({"x": 0.1, "site": "pilot"}, 90.0)
    opened = Opened(study, Layout(domain=study.space, objective="yield"))
    assert Snapshot.of(opened).best is None
    study.add({"x": 0.2, "site": "plant"}, 10.0, cost=12)
    now = Snapshot.of(opened)
    assert now.best is not None
    assert now.best.number == 1
    assert (now.spent, now.target) == (13.0, "site = 'plant'")
