"""What a page draws of curves, of trials that were stopped early, and of costs."""

import math

import pytest

from pathmax import Categorical, Fidelity, Float, Study
from pathmax.trials.trial import TrialState
from pathmax.workspace.layout import Layout
from pathmax.workspace.opened_study import Opened
from pathmax.workspace.views import charts, curve_chart
from pathmax.workspace.views.snapshot import Snapshot
from pathmax.workspace.views.trial_pages import TrialQuery, page_of

SPACE = {
    "rate": Float(0, 1),
    "kind": Categorical(["a", "b"]),
    "momentum": Float(0, 1, when="kind == 'b'"),
}


def snapshot(study: Study) -> Snapshot:
    return Snapshot.of(Opened(study, Layout(domain=study.space, objective="loss")))


def run(study: Study, steps: int, end: float) -> int:
    trial = study.ask()
    for step in range(1, steps + 1):
        study.report(trial, step, end + math.exp(-step))
    return trial.number


@pytest.fixture
def study() -> Study:
    made = Study(SPACE, direction="minimize", seed=0, method="random")
    for end in (0.5, 0.3, 0.4):
        made.tell(run(made, 8, end), end)
    made.stop(run(made, 4, 0.9), "hopeless")
    run(made, 2, 0.6)
    return made


def test_a_curve_is_drawn_for_each_trial_that_reported(study: Study) -> None:
    study.ask()  # reports nothing
    found = curve_chart.curves(snapshot(study))
    assert [(line["trial"], line["state"]) for line in found["lines"]] == [
        *((number, "complete") for number in range(3)),
        (3, "stopped"),
        (4, "running"),
    ]
    stopped = found["lines"][3]
    assert stopped["steps"] == [1, 2, 3, 4] and stopped["why"] == "hopeless"
    assert stopped["expected"][0] == pytest.approx(0.9, abs=0.2)
    assert found["chosen"] == [1] and found["remark"] == ""
    assert curve_chart.curves(snapshot(study), number=3)["chosen"] == [3]


def test_of_many_curves_those_that_matter_are_drawn(study: Study, monkeypatch) -> None:
    monkeypatch.setattr(curve_chart, "MOST_CURVES", 3)
    monkeypatch.setattr(curve_chart, "STEPS_DRAWN", 4)
    found = curve_chart.curves(snapshot(study), number=0)
    assert [line["trial"] for line in found["lines"]] == [0, 1, 4]  # wanted, best, running
    assert found["lines"][0]["steps"][0] == 1 and found["lines"][0]["steps"][-1] == 8
    assert len(found["lines"][0]["steps"]) <= 6
    assert found["remark"] == "3 of 5 curves drawn: those that run, the best and the latest"


def test_what_is_no_number_breaks_no_curve(study: Study) -> None:
    trial = study.ask()
    study.report(trial, 1, 0.5)
    study.report(trial, 2, math.nan)
    assert curve_chart.curves(snapshot(study))["lines"][-1]["values"] == [0.5]


def test_stopped_trials_are_where_their_curves_were_expected_to_end(study: Study) -> None:
    seen = snapshot(study)
    (stop,) = charts.progress(seen)["stopped"]
    end = study.trials[3].expected_end["value"]
    assert stop == [3, end[0], math.sqrt(end[1])]
    lines = {line["trial"]: line for line in charts.parallel(seen)["lines"]}
    assert lines[3]["state"] == "stopped" and lines[3]["value"] == end[0]
    assert lines.keys() == {0, 1, 2, 3}


def test_a_parameter_that_a_trial_lacks_has_no_place_on_its_axis(study: Study) -> None:
    found = charts.parallel(snapshot(study))
    column = [axis["name"] for axis in found["axes"]].index("momentum")
    for line in found["lines"]:
        params = study.trials[line["trial"]].params
        assert (line["at"][column] is None) == (params["kind"] == "a")


def test_without_a_model_of_curves_a_stopped_trial_has_no_expected_end() -> None:
    study = Study(SPACE, direction="minimize", seed=0, method="random")
    study.tell(study.ask(), 1.0)
    study.stop(study.ask())
    seen = snapshot(study)
    assert charts.progress(seen)["stopped"] == [[1, None, None]]
    assert charts.parallel(seen)["lines"][1]["value"] is None
    assert seen.stopped[0].state is TrialState.STOPPED


def test_results_below_the_target_are_no_broken_bounds_and_costs_are_known() -> None:
    study = Study({"x": Float(0, 1), "epochs": Fidelity(1, 10)}, seed=0, method="random")
    for x, epochs, value in ((0.2, 1, 0.3), (0.4, 10, 0.6), (0.6, 5, 0.4)):
        study.add({"x": x, "epochs": epochs}, value)
    study.add({"x": 0.8, "epochs": 10}, 0.5, cost=7.0)
    seen = snapshot(study)
    found = charts.progress(seen)
    assert [point[2] for point in found["points"]] == ["low", "met", "low", "met"]
    assert found["target"] == "epochs = 10" and found["best"] == [[1, 0.6]]
    assert seen.has_costs and seen.cost(study.trials[3]) == 7.0
    dearest = page_of(seen, TrialQuery(sort="cost"))
    assert dearest.trials[0].number == 3
