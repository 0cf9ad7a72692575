"""What the page says in words about a trial."""

from types import SimpleNamespace

from pathmax import Float, Study
from pathmax.suggestion.kept_rows import RESULTS
from pathmax.trials.info import Info
from pathmax.trials.trial import Trial
from pathmax.web.pages.study_view import StudyView


def expectation(remark: str, target: str = "") -> str:
    section = {"mean": 71.9, "std": 4.1}
    stored = {"version": 2, "method": "pims", "outcomes": {"value": section}, "remark": remark}
    view = SimpleNamespace(
        info=lambda trial: Info(Info(stored).brief()),
        snapshot=SimpleNamespace(columns={"yield": "value"}, target=target),
        words=SimpleNamespace(unit=lambda column: "%"),
        single=True,
    )
    return StudyView.expectation(view, Trial(number=0, params={}))


def test_the_page_says_what_was_expected():
    assert expectation("") == "Expected when suggested: 71.9 ± 4.1 %"


def test_the_page_says_that_a_model_left_results_out():
    assert expectation(RESULTS).endswith(f" %. W{RESULTS[1:]}.")


def test_the_page_says_that_a_quick_trial_was_judged_by_the_target():
    told = expectation("", target="assay = 'full'")
    assert told == "Expected when suggested: 71.9 ± 4.1 %, at the target assay = 'full'"


def test_an_outcome_that_came_later_is_no_correction():
    study = Study({"x": Float(0, 1)}, objectives={"y": "maximize", "cost": "minimize"}, seed=0)
    trial = study.ask()
    study.tell(trial, {"y": 3.0})
    study.tell(trial, {"cost": 1.0})
    assert StudyView.remark(SimpleNamespace(), study.trials[0]) == ""
    study.correct(trial, {"y": 4.0})
    told = StudyView.remark(SimpleNamespace(), study.trials[0])
    assert told == "corrected, was y 3, cost 1"
