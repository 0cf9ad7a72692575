"""The data of charts that ask the model."""

import pytest

import pathmax
from pathmax.errors import TrialError
from pathmax.study import Study
from pathmax.workspace.layout import Layout
from pathmax.workspace.opened_study import Opened
from pathmax.workspace.views import charts, model_charts
from pathmax.workspace.views.snapshot import Snapshot
from pathmax.workspace.views.trial_pages import TrialQuery, page_of
from pathmax.workspace.views.wording import Words
from tests.workspace.views.conftest import add


def test_slices_are_what_the_model_predicts(opened: Opened) -> None:
    found = model_charts.slices(opened, Snapshot.of(opened))
    first = found["slices"][0]
    params = {"temperature": first["x"][50], "rate": 1e-3, "solvent": "THF"}
    mean, std = opened.study.predict([params])
    assert first["mean"][50] == pytest.approx(mean[0])
    assert first["upper"][50] - first["lower"][50] == pytest.approx(2 * 1.96 * std[0])
    assert [s["kind"] for s in found["slices"]] == ["band", "band", "choices"]
    assert found["through"] == 1 and first["centre"] == 60


def test_slices_go_through_any_trial_and_of_any_outcome(several: Opened) -> None:
    found = model_charts.slices(several, Snapshot.of(several), "cost", 2)
    assert found["through"] == 2 and found["value"] == 8
    with pytest.raises(TrialError, match="trial 77 has no value"):
        model_charts.slices(several, Snapshot.of(several), "cost", 77)


def test_a_parameter_that_is_not_active_everywhere() -> None:
    ratio = pathmax.Float(0, 1, when="solvent == 'THF'")
    study = Study({"solvent": pathmax.Categorical(["DMF", "THF"]), "ratio": ratio}, seed=0)
    for i, value in enumerate([1.0, 2.0, 5.0, 3.0]):
        study.add({"solvent": "THF", "ratio": i / 4}, value)
        study.add({"solvent": "DMF"}, value - 1)
    opened = Opened(study, Layout(domain=study.space))
    found = charts.parallel(Snapshot.of(opened))
    assert {tuple(line["at"]) for line in found["lines"]} >= {(0.0, None), (1.0, 0.5)}
    cut = model_charts.slices(opened, Snapshot.of(opened))
    assert [s["axis"]["name"] for s in cut["slices"]] == ["solvent", "ratio"]
    elsewhere = model_charts.slices(opened, Snapshot.of(opened), through=1)
    assert [s["axis"]["name"] for s in elsewhere["slices"]] == ["solvent"]
    shown = page_of(Snapshot.of(opened), TrialQuery(text="ratio >= 0.5"))
    assert [trial.number for trial in shown.trials] == [6, 4]
    assert Words(opened.layout).setting("ratio", None) == "–"


def test_importances_and_checks_wait_for_results_enough(opened: Opened) -> None:
    with pytest.raises(TrialError, match="there are 3 results of yield; this is said of 5"):
        model_charts.importances(opened, Snapshot.of(opened))
    for i in range(4):
        add(opened.study, 40 + 10 * i, 20.0 + i)
    found = model_charts.importances(opened, Snapshot.of(opened))
    assert {one["label"] for one in found["importances"]} == {"temperature (°C)", "rate", "solvent"}
    check = model_charts.validation(opened, Snapshot.of(opened))
    assert [point[4] for point in check["points"]] == [0, 1, 2, 5, 6, 7, 8]


@pytest.mark.parametrize("which", ["opened", "several"])
def test_the_likeliest_best_and_what_stopping_costs(
    which: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("RANKING_PATHS", "REGRET_PATHS", "JOINT_PATHS"):
        monkeypatch.setattr(model_charts, name, 4)
    study: Opened = request.getfixturevalue(which)
    found = model_charts.ranking(study, count=3)
    assert found["paths"] == 4 and found["front"] is found["bounded"] is (which == "several")
    assert len(found["contenders"][0]["expected"]) == len(found["outcomes"])
    unit = {"opened": "%", "several": "times the extent of the front"}[which]  # few results: far
    assert found["regret"]["unit"] == unit and bool(found["regret"]["remark"]) is (
        which == "several"
    )
    assert 0 <= found["regret"]["mean"] <= found["regret"]["quantile"]


def test_the_tile_and_the_tab_name_one_regret(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They had paths of their own, and so two estimates of one thing beside each other."""
    monkeypatch.setattr(model_charts, "RANKING_PATHS", 8)
    monkeypatch.setattr(model_charts, "REGRET_PATHS", 4)
    tile, tab = model_charts.regret(opened), model_charts.ranking(opened, count=3)["regret"]
    assert [tile[name] for name in ("mean", "quantile")] == [tab["mean"], tab["quantile"]]
