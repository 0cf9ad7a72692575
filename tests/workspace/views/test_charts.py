"""The data of charts of what was measured."""

import pytest

from pathmax.errors import SettingsError
from pathmax.workspace.opened_study import Opened
from pathmax.workspace.views import charts
from pathmax.workspace.views.snapshot import Snapshot
from tests.workspace.views.conftest import add


def test_progress_says_how_many_of_how_many_it_shows(opened: Opened) -> None:
    found = charts.progress(Snapshot.of(opened))
    assert found["label"] == "yield (%)" and found["remark"] == ""
    assert found["best"] == [[0, 10.0], [1, 40.0]]
    assert found["failed"] == [3] and found["running"] == [4]
    for i in range(3000):
        add(opened.study, 20 + i / 100, float(i % 17))
    many = charts.progress(Snapshot.of(opened))
    assert len(many["points"]) <= 1200
    assert many["remark"].endswith("of 3003 results drawn: the lowest and highest of each stretch")


def test_best_so_far_counts_only_what_is_within_the_bounds(several: Opened) -> None:
    found = charts.progress(Snapshot.of(several), "yield")
    assert found["best"] == [[0, 50.0], [1, 70.0]]
    assert [point[2] for point in found["points"]] == ["met", "met", "met", "not", "met"]
    assert charts.progress(Snapshot.of(several), "waste")["high"] == 5.0


def test_the_front_against_two_outcomes(several: Opened) -> None:
    found = charts.front(Snapshot.of(several))
    kinds = {number: kind for number, _, _, kind in found["points"]}
    assert kinds == {0: "front", 1: "front", 2: "met", 3: "not", 4: "front"}
    assert found["line"] and found["across"]["label"] == "yield"
    assert not charts.front(Snapshot.of(several), "yield", "waste")["line"]


def test_results_with_outcomes_still_to_come_are_undecided(several: Opened) -> None:
    add(several.study, 95, {"yield": 80, "cost": 6})  # 5: waste is still to come
    add(several.study, 96, {"yield": 80, "waste": 9})  # 6: too much waste whatever it costs
    add(several.study, 97, {"yield": 80, "waste": 1})  # 7
    found = charts.progress(Snapshot.of(several), "yield")
    kinds = {number: kind for number, _, kind in found["points"]}
    assert [kinds[number] for number in (3, 5, 6, 7)] == ["not", "open", "not", "open"]
    assert [p[3] for p in charts.front(Snapshot.of(several))["points"] if p[0] == 5] == ["open"]


def test_an_outcome_that_is_not_there_is_named(several: Opened) -> None:
    with pytest.raises(SettingsError, match="no outcome 'colour'; this study has yield"):
        charts.parallel(Snapshot.of(several), "colour")


def test_parallel_coordinates_lie_between_the_ends(opened: Opened) -> None:
    found = charts.parallel(Snapshot.of(opened))
    assert [axis["name"] for axis in found["axes"]] == ["temperature", "rate", "solvent"]
    assert found["lines"][0]["trial"] == 1 == found["chosen"][0]
    assert found["lines"][0]["at"] == pytest.approx([0.4, 1 / 3, 1.0])
    assert found["lines"][0]["settings"] == ["60", "0.001", "THF"]


def test_reasons_are_gathered(opened: Opened) -> None:
    failed = Snapshot.of(opened).failed
    assert [reason for reason, _ in charts.reasons(failed)] == ["the pump clogged"]
