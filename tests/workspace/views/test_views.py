"""What pages show: snapshots, pages of trials, and the data of charts."""

import numpy as np
import pytest

import pathmax
from pathmax.errors import SettingsError, TrialError
from pathmax.study import Study
from pathmax.workspace.layout import Layout
from pathmax.workspace.opened_study import Opened
from pathmax.workspace.views import charts, model_charts
from pathmax.workspace.views.snapshot import Snapshot
from pathmax.workspace.views.thinning import evenly, extremes
from pathmax.workspace.views.trial_pages import TrialQuery, page_of
from pathmax.workspace.views.wording import Words, expected, lasting

SPACE = {
    "temperature": pathmax.Float(20, 120),
    "rate": pathmax.Float(1e-4, 1e-1, log=True),
    "solvent": pathmax.Categorical(["DMF", "THF"]),
}
UNITS = {"temperature": "°C", "yield": "%"}


def add(study: Study, temperature: float, value: object, solvent: str = "DMF") -> None:
    study.add({"temperature": temperature, "rate": 1e-3, "solvent": solvent}, value)


@pytest.fixture
def opened() -> Opened:
    study = Study(SPACE, name="suzuki", seed=0)
    for temperature, value, solvent in [(30, 10.0, "DMF"), (60, 40.0, "THF"), (90, 30.5, "DMF")]:
        add(study, temperature, value, solvent)
    study.fail(study.ask(), "the pump clogged\nat the second valve")
    study.ask()
    study.annotate(1, note="a little cloudy", attributes={"operator": "Ada"})
    return Opened(study, Layout(domain=study.space, objective="yield", units=UNITS))


@pytest.fixture
def several() -> Opened:
    goals = {"objectives": {"yield": "maximize", "cost": "minimize"}}
    study = Study(SPACE, **goals, constraints={"waste": "<= 5"}, seed=0)  # type: ignore[arg-type]
    rows = [(50, 5, 1), (70, 7, 2), (60, 8, 1), (90, 3, 9), (40, 4, 2)]
    for i, (got, cost, waste) in enumerate(rows):
        add(study, 30 + 10 * i, {"yield": got, "cost": cost, "waste": waste})
    return Opened(study, Layout(domain=study.space, goals=study.goals))


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


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("", [4, 3, 2, 1, 0]),
        ("cloudy", [1]),
        ("ada", [1]),
        ("CLOGGED", [3]),
        ("temperature > 50 and solvent == 'DMF' and yield > 0", [2]),
        ("yield >= 30", [2, 1]),
        ("trial < 2", [1, 0]),
        ("state == 'failed'", [3]),
    ],
)
def test_filters_are_words_or_sentences(opened: Opened, text: str, numbers: list[int]) -> None:
    shown = page_of(Snapshot.of(opened), TrialQuery(text=text))
    assert [trial.number for trial in shown.trials] == numbers and not shown.remark


def test_a_sentence_that_is_not_understood_filters_nothing_and_says_why(opened: Opened) -> None:
    shown = page_of(Snapshot.of(opened), TrialQuery(text="pressure > 3"))
    assert shown.matching == 5 and "pressure" in shown.remark


@pytest.mark.parametrize(
    ("sort", "descending", "numbers"),
    [
        ("trial", False, [0, 1, 2, 3, 4]),
        ("results.yield", True, [1, 2, 0, 3, 4]),
        ("results.yield", False, [0, 2, 1, 3, 4]),
        ("note", True, [3, 1, 0, 2, 4]),
        ("state", False, [0, 1, 2, 3, 4]),
    ],
)
def test_what_a_trial_lacks_comes_last_either_way(
    opened: Opened, sort: str, descending: bool, numbers: list[int]
) -> None:
    shown = page_of(Snapshot.of(opened), TrialQuery(sort=sort, descending=descending))
    assert [trial.number for trial in shown.trials] == numbers


def test_pages_have_ends(opened: Opened) -> None:
    shown = page_of(Snapshot.of(opened), TrialQuery(page=99, size=2))
    assert (shown.page, shown.pages, shown.first, shown.last) == (3, 3, 5, 5)
    assert page_of(Snapshot.of(opened), TrialQuery(text="nowhere")).first == 0


def test_no_peak_is_lost_when_points_are_thinned(rng: np.random.Generator) -> None:
    values = rng.normal(size=50_000)
    values[31_415] = 99.0
    kept = extremes(values)
    assert len(kept) <= 1200 and 31_415 in kept and int(values.argmin()) in kept
    assert (np.diff(kept) > 0).all()
    assert 7 in evenly(10_000, 100, keep=[7]) and len(evenly(10, 100)) == 10


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
    assert [point[2] for point in found["points"]] == [True, True, True, False, True]
    assert charts.progress(Snapshot.of(several), "waste")["high"] == 5.0


def test_the_front_against_two_outcomes(several: Opened) -> None:
    found = charts.front(Snapshot.of(several))
    kinds = {number: kind for number, _, _, kind in found["points"]}
    assert kinds == {0: "front", 1: "front", 2: "met", 3: "not", 4: "front"}
    assert found["line"] and found["across"]["label"] == "yield"
    assert not charts.front(Snapshot.of(several), "yield", "waste")["line"]


def test_an_outcome_that_is_not_there_is_named(several: Opened) -> None:
    with pytest.raises(SettingsError, match="no outcome 'colour'; this study has yield"):
        charts.parallel(Snapshot.of(several), "colour")


def test_parallel_coordinates_lie_between_the_ends(opened: Opened) -> None:
    found = charts.parallel(Snapshot.of(opened))
    assert [axis["name"] for axis in found["axes"]] == ["temperature", "rate", "solvent"]
    assert found["lines"][0]["trial"] == 1 == found["chosen"][0]
    assert found["lines"][0]["at"] == pytest.approx([0.4, 1 / 3, 1.0])
    assert found["lines"][0]["settings"] == ["60", "0.001", "THF"]


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
    found = model_charts.ranking(study, 3)
    assert found["paths"] == 4 and found["front"] is found["bounded"] is (which == "several")
    assert len(found["contenders"][0]["expected"]) == len(found["outcomes"])
    assert found["regret"]["unit"] == {"opened": "%", "several": "% of the front"}[which]
    assert 0 <= found["regret"]["mean"] <= found["regret"]["quantile"]


def test_reasons_are_gathered(opened: Opened) -> None:
    assert [reason for reason, _ in charts.failures(Snapshot.of(opened))] == ["the pump clogged"]


def test_numbers_have_the_digits_that_are_known() -> None:
    assert expected(71.93, 4.12) == "71.9 ± 4.1"
    assert expected(71.93, 0.0123) == "71.930 ± 0.012"
    assert expected(12345.6, 321.0) == "12350 ± 320"
    assert expected(3.0, 0.0) == "3"
    words = Words(Layout(domain=Study(SPACE).space, units=UNITS))
    assert words.setting("temperature", 73.4829102) == "73.48"
    assert words.setting("rate", 0.00123456) == "0.001235"
    assert words.label("temperature") == "temperature (°C)" and words.unit("rate") == ""


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.4, "0 s"), (61, "1 min"), (3600, "1 h"), (11_100, "3 h 5 min"), (187_200, "2 d 4 h")],
)
def test_times_are_short(seconds: float, text: str) -> None:
    assert lasting(seconds) == text


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
