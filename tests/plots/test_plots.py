"""Figures show what they should, for every kind of space, and survive odd names and few results."""

import itertools
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

from pathmax import Candidates, Categorical, Float, Grid, Int, Space, Study, plots
from pathmax.errors import DataFileError, MissingExtraError, TrialError
from pathmax.plots.calibration import chance_band
from pathmax.plots.style import scales, short_names

SPACES = {
    "mixed": {
        "x": Float(0, 1),
        "rate": Float(1e-5, 1e-1, log=True),
        "few decades": Float(5, 240, log=True),
        "n": Int(1, 5),
        "kind": Categorical(["a", True]),
        "fixed": "glass",
    },
    "steps": {
        "load": Float(0, 1, step=0.25),
        "volume": Float(0, 1000, step=0.5),
        "wells": Int(8, 96, step=8),
    },
    "grid": Grid({"x": [1, 2, 5], "kind": ["a", "b"]}),
    "pool": Candidates(
        [{"id": f"m{i}", "x": i / 7, "kind": "ab"[i % 2]} for i in range(30)], id="id"
    ),
    "odd names": {"$x_1$": Float(0, 1), "$": Float(0, 1), "🧪 _": Float(0, 1)},
}


def filled(space: object, n: int = 4, direction: str = "maximize") -> Study:
    study = Study(space, direction=direction, seed=0, initial=n)
    for i, trial in enumerate(study.ask(n)):
        study.tell(trial, float(i * i))
    return study


@pytest.mark.parametrize("kind", SPACES)
def test_every_kind_of_space_is_drawn(kind: str, tmp_path: Path) -> None:
    study = filled(SPACES[kind])
    figure = plots.overview(
        study.space, study.trials, study.direction, study.predict, name="study $1"
    )
    plots.save(figure, tmp_path / "figure.png", dpi=40)
    assert (tmp_path / "figure.png").read_bytes().startswith(b"\x89PNG")
    assert len(axes_of(figure)) == 2 + study.space.dimension


def axes_of(figure: Figure) -> list:
    return [axes for axes in figure.axes if axes.get_visible()]


@pytest.mark.parametrize("direction", ["maximize", "minimize"])
def test_progress_marks_the_best(direction: str) -> None:
    study = filled({"x": Float(0, 1)}, direction=direction)
    study.fail(study.ask(), "broke")
    axes = plots.progress(study.trials, direction, objective="yield (%)").axes[0]
    lines = {line.get_label(): line for line in axes.lines}
    number = study.best_trial.number
    assert list(lines["best so far"].get_ydata()) == (
        [0, 1, 4, 9] if direction == "maximize" else [0] * 4
    )
    assert list(lines[f"best (trial {number})"].get_xdata()) == [number]
    assert list(lines["failed"].get_xdata()) == [4]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("trial", "yield (%)")


def test_slices_carry_units_log_axes_and_the_model() -> None:
    study = filled(SPACES["mixed"])
    figure = plots.slices(
        study.space, study.trials, study.direction, study.predict, label=lambda name: f"{name} (s)"
    )
    by_label = {axes.get_xlabel(): axes for axes in figure.axes}
    assert list(by_label) == [f"{name} (s)" for name in study.space.searched_names]
    assert by_label["rate (s)"].get_xscale() == "log" and by_label["x (s)"].get_xscale() == "linear"
    assert [t.get_text() for t in by_label["kind (s)"].get_xticklabels()] == ["a", "True"]
    line = by_label["x (s)"].lines[0]
    best = study.best_trial.params
    mean, _ = study.predict([{**best, "x": x} for x in line.get_xdata()])
    assert line.get_ydata() == pytest.approx(mean)


def test_parallel_coordinates_end_at_the_result() -> None:
    study = filled(SPACES["mixed"])
    axes = plots.parallel(study.space, study.trials, study.direction).axes[0]
    heights = sorted(line.get_ydata()[-1] for line in axes.lines if len(line.get_ydata()) == 6)
    assert heights == pytest.approx([0, 1 / 9, 4 / 9, 1, 1])  # the best is drawn once more


@pytest.mark.parametrize("kind", SPACES)
def test_what_matters_has_a_bar_for_each_parameter(kind: str, tmp_path: Path) -> None:
    study = filled(SPACES[kind], n=5)
    shares = list(study.importances(n_paths=20))
    figure = plots.importances(shares, label=lambda name: f"{name} (s)")
    axes = figure.axes[0]
    assert len(axes.patches) == 2 * study.space.dimension
    wanted = np.clip([one.first.mean for one in shares], 0, 1)
    widths = [bar.get_width() for bar in axes.patches[: len(shares)]]
    assert widths == pytest.approx(wanted)
    assert len(axes.get_yticklabels()) == len(shares)
    plots.save(figure, tmp_path / "importances.png", dpi=40)


def test_calibration_shows_results_and_the_share_that_intervals_hold(tmp_path: Path) -> None:
    study = filled({"x": Float(0, 1)}, n=8)
    check = study.cross_validate()
    figure = plots.calibration(check, objective="yield $", title=check.sentence)
    left, right = figure.axes
    assert left.get_xlabel() == r"yield \$, measured"
    found = {line.get_label(): line for line in right.lines}["found"]
    shares = dict(zip(found.get_xdata().round(2), found.get_ydata(), strict=True))
    for level in (0.5, 0.9):
        assert shares[level] == pytest.approx(check.inside(level))
    plots.save(figure, tmp_path / "calibration.svg")


def test_the_band_of_chance_holds_what_chance_brings(rng: np.random.Generator) -> None:
    low, high = chance_band(np.array([0.0, 0.2, 0.5, 0.95, 1.0]), 20)
    drawn = rng.binomial(20, [[0.0], [0.2], [0.5], [0.95], [1.0]], (5, 4000)) / 20
    inside = ((low[:, None] <= drawn) & (drawn <= high[:, None])).mean(axis=1)
    assert np.all(inside >= 0.94) and inside[2] < 0.99


def test_a_notebook_can_show_a_figure() -> None:
    from IPython.core.formatters import PNGFormatter

    figure = plots.progress(filled({"x": Float(0, 1)}).trials, "maximize")
    assert PNGFormatter()(figure).startswith(b"\x89PNG")


def test_one_result_is_enough_and_none_is_an_error(tmp_path: Path) -> None:
    study = filled({"x": Float(0, 1)}, n=1)
    figure = plots.overview(study.space, study.trials, "maximize", study.predict, name="one")
    plots.save(figure, tmp_path / "one.svg")
    with pytest.raises(TrialError, match="nothing to draw"):
        plots.parallel(study.space, [], "maximize")
    assert plots.progress([], "maximize").axes


def test_where_a_figure_cannot_go(tmp_path: Path) -> None:
    figure = plots.progress([], "maximize")
    with pytest.raises(DataFileError, match=r"name it something\.png"):
        plots.save(figure, tmp_path / "figure.doc")
    with pytest.raises(DataFileError, match="cannot be written"):
        plots.save(figure, tmp_path / "nowhere" / "figure.png")


def test_without_matplotlib_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtraError, match=r'pip install "pathmax\[plot\]"'):
        plots.progress([], "maximize")


LONG = ["tetrahydrofuran (dry)", "N,N-dimethylformamide", "dimethyl sulfoxide", "1,4-dioxane/water"]
LONG += ["acetonitrile", "2-methyltetrahydrofuran", "toluene", "tert-butyl alcohol, hot"]


@pytest.mark.parametrize(
    "choices", [LONG, LONG[:2], ["K3PO4", "NaOtBu"], [f"c{i}" for i in range(30)]]
)
@pytest.mark.parametrize("kind", ["slices", "overview"])
def test_long_names_of_choices_do_not_overlap(choices: list[str], kind: str) -> None:
    study = filled(
        {"solvent": Categorical(choices), "a": Float(0, 1), "b": Float(0, 1), "c": Int(0, 5)}
    )
    drawn = (study.space, study.trials, study.direction, study.predict)
    figure = plots.slices(*drawn) if kind == "slices" else plots.overview(*drawn, name="s")
    figure.canvas.draw()
    axes = next(axes for axes in figure.axes if axes.get_xlabel() == "solvent")
    labels = axes.get_xticklabels()
    places = axes.transData.transform([(x, 0) for x in axes.get_xticks()])[:, 0]
    for left, right, step in zip(labels, labels[1:], np.diff(places), strict=False):
        if left.get_rotation():  # the lines of the two are apart by more than their height
            height = left.get_fontsize() * figure.dpi / 72
            assert step * np.sin(np.radians(left.get_rotation())) > height
        else:
            assert left.get_window_extent().x1 < right.get_window_extent().x0


def test_names_that_begin_alike_are_told_apart() -> None:
    names = short_names(["XPhos Pd G3 precatalyst A", "XPhos Pd G3 precatalyst B", "none"])
    assert names == ["XPhos P…talyst A", "XPhos P…talyst B", "none"]
    assert short_names(["tetrahydrofuran (dry)"]) == ["tetrahydrofuran…"]


@pytest.mark.parametrize("draw", ["overview", "parallel"])
def test_long_names_of_parameters_do_not_overlap(draw: str) -> None:
    names = ["Temperature (°C)", "Time [h]", "Catalyst loading (mol%)", "Stirring", "aB" * 15, "x"]
    study = filled({name: Float(0, 1) for name in names})
    if draw == "parallel":
        figure = plots.parallel(study.space, study.trials, "maximize", objective="Yield of product")
    else:
        figure = plots.overview(
            study.space, study.trials, "maximize", study.predict, name="a", objective="Yield (%)"
        )
    figure.draw_without_rendering()
    axes = next(axes for axes in figure.axes if axes.get_title() == "Settings and results")
    boxes = [tick.get_window_extent() for tick in axes.get_xticklabels()]
    legend = axes.get_legend().get_window_extent()
    assert all(a.x1 < b.x0 for a, b in itertools.pairwise(boxes))
    assert all(legend.y1 <= box.y0 for box in boxes)


def test_a_slice_shows_every_number_of_a_list():
    values = [0.1, 0.2, 0.5, 1.0, 30.0]
    space = Space({"amount": Float(values=values), "minutes": Float(5, 480, log=True, digits=1)})
    shown = {scale.name: scale.steps(101) for scale in scales(space, [])}
    assert shown["amount"] == values
    assert shown["minutes"][:3] == [5.0, 6.0, 7.0]
    assert len(shown["minutes"]) == space.parameters["minutes"].cardinality


def test_parallel_coordinates_show_every_scale_from_end_to_end() -> None:
    """A single result was at the top of every scale, whose upper end was not shown."""
    study = Study({"x": Float(0, 10), "y": Float(0, 1)}, seed=0)
    study.add({"x": 3.0, "y": 0.4}, 1.0)
    low, high = plots.parallel(study.space, study.trials, study.direction).axes[0].get_ylim()
    assert low < 0.0 and high > 1.0
