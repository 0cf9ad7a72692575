"""Claims and tables, on traces made by hand."""

import math

import numpy as np
import pytest

from pathmax.errors import SettingsError
from pathmax.experiments import paper
from pathmax.experiments.plan import PlannedRun
from pathmax.experiments.reporting import beyond, claims, figures, report, tables
from pathmax.experiments.reporting.summary import Summary
from pathmax.experiments.store import Store
from pathmax.experiments.trace import Trace

SETTING = {s.name: s for settings in paper.SETTINGS.values() for s in settings}


def summary_of(method, finals, *, width=1.0, std=0.5, length=4):
    """Trials whose simple regret goes from 3 to the given ends in the last step."""
    traces = []
    for i, final in enumerate(finals):
        regret = np.full(5 + length, 3.0)
        regret[-1] = final
        wobble = std + 0.01 * (-1) ** i
        chosen = np.full(length, width), np.full(length, wobble)
        traces.append(Trace(1 - regret, regret, chosen[1], chosen[0], 1.5))
    return Summary(method, traces)


def test_a_difference_is_of_paired_trials():
    one, other = summary_of("ts", [1.0, 2.0, 3.0]), summary_of("pims", [0.5, 1.4, 2.6])
    gap = claims.difference(one, other)
    assert gap.mean == pytest.approx(0.5)
    assert gap.error == pytest.approx(np.std([0.5, 0.6, 0.4], ddof=1) / math.sqrt(3))
    assert gap.worse and not gap.better
    over = claims.difference(one, other, over="run")
    assert over.mean == pytest.approx(0.5 / 5)


@pytest.mark.parametrize(
    ("ts", "verdict"),
    [
        ([1.0, 1.1, 0.9], "comes out"),
        ([0.1, 0.5, 0.0], "cannot be told"),
        ([0.0, 0.1, 0.0], "does not come out"),
        ([0.0, 0.4, 0.0], "cannot be told"),
    ],
)
def test_the_three_verdicts(ts, verdict):
    methods = {"pims": summary_of("pims", [0.1, 0.2, 0.1]), "ts": summary_of("ts", ts)}
    (claim,) = claims.inferior("ts", ("pims",), "here", methods, because="it explores too much")
    assert claim.verdict == verdict
    assert claim.statement == "TS is inferior to PIMS (here): it explores too much"


def test_few_trials_must_differ_by_more():
    """Two standard errors of three trials are little: Student's t asks for 4.3."""
    assert claims.errors(1) == math.inf
    assert claims.errors(3) == pytest.approx(4.303, abs=1e-3)
    assert claims.errors(20) == pytest.approx(2.093, abs=1e-3)
    assert claims.errors(1000) == 2.0
    methods = {"pims": summary_of("pims", [0.0] * 3), "ts": summary_of("ts", [0.1, 0.1, 0.25])}
    (claim,) = claims.inferior("ts", ("pims",), "here", methods, because="")  # three errors
    assert claim.verdict == "cannot be told" and "over 3 trials" in claim.found


def test_drawn_parameters_stand_beside_the_most_probable():
    drawn, map_ = summary_of("pims", [0.0, 0.1, 0.0]), summary_of("pims", [1.0, 1.2, 1.1])
    settings = {
        SETTING["parameters-most-probable"]: {"pims": map_},
        SETTING["parameters-drawn"]: {"pims": drawn},
    }
    text = "\n".join(beyond.parameters(settings))
    assert "drawing is better" in text and "2 of 3" in text


def test_best_or_comparable():
    better = {"pims": summary_of("pims", [0.1] * 3), "ei": summary_of("ei", [0.5] * 3)}
    assert claims.never_worse("pims", "here", better).verdict == "comes out"
    worse = {"pims": summary_of("pims", [0.5, 0.6, 0.5]), "ei": summary_of("ei", [0.1] * 3)}
    assert claims.never_worse("pims", "here", worse).verdict == "does not come out"
    alike = {"pims": summary_of("pims", [0.9, 0.1, 0.1]), "ei": summary_of("ei", [0.1] * 3)}
    assert claims.never_worse("pims", "here", alike).verdict == "comes out"


def test_table_2_is_held_against_two_standard_errors():
    def claimed(std, length):
        found = {"pims": summary_of("pims", [0.1] * 4, std=std, length=length)}
        return [claim.verdict for claim in claims.table_2({"synthetic-default": found})]

    assert claimed(0.33, 200) == ["comes out"]
    assert claimed(0.34, 200) == ["does not come out"]
    assert claimed(0.40, 100) == []  # the printed number is of a longer run


def test_confidence_parameters_are_compared_step_by_step():
    methods = {
        "pims": summary_of("pims", [0.1], width=2.0),
        "gp-ucb": summary_of("gp-ucb", [0.1], width=5.0),
    }
    assert claims.smaller_width("default", methods)[0].verdict == "comes out"
    methods["irgp-ucb"] = summary_of("irgp-ucb", [0.1], width=1.0)
    assert claims.smaller_width("default", methods)[0].verdict == "does not come out"


@pytest.fixture
def whole(tmp_path):
    """Every method on every setting, two made-up trials each."""
    store = Store(tmp_path / "runs")
    runs = []
    for section, settings in paper.SETTINGS.items():
        for setting in settings:
            for method in paper.methods_of(section):
                for trial in range(2):
                    run = PlannedRun(setting, method, trial, 0, 4)
                    final = 0.1 + 0.05 * trial + 0.3 * (method.name == "ts")
                    store.save(run, summary_of(method.name, [final], width=2.0).traces[0])
                    runs.append(run)
    return tmp_path, store, runs


def no_long_sums(monkeypatch):
    """The bound of a grid of 160,000 points takes seconds; here any number will do."""
    for module in (report, tables):
        monkeypatch.setattr(module, "bound", lambda setting, n: np.arange(1.0, n + 1) * 100)


def test_the_report_holds_every_section_figure_and_printed_number(whole, monkeypatch):
    folder, store, runs = whole
    no_long_sums(monkeypatch)
    found = report.gather(store, runs)
    assert {section: len(settings) for section, settings in found.items()} == {
        "synthetic": 3, "benchmarks": 4, "emulators": 4, "jes": 1, "parameters": 3,
    }  # fmt: skip
    order = list(found["synthetic"][SETTING["synthetic-default"]])
    assert order == list(paper.SECTION_METHODS["synthetic"])
    assert list(found["jes"][SETTING["alkox-paper"]]) == ["jes", "jes-exact"]
    assert "jes-exact" not in found["emulators"][SETTING["alkox-paper"]]
    text = (
        report.ReproductionReport(folder, found, "exact", "pathmax reproduce all", {})
        .write()
        .read_text()
    )
    for printed in ("0.27 ± 0.14", "0.71 ± 0.13", "0.92 ± 0.09"):
        assert printed in text
    for name in ("figure-1", "cumulative", "figure-2", "figure-3"):
        assert f"({name}.png)" in text
        assert (folder / f"{name}.png").stat().st_size > 5_000
        assert (folder / f"{name}.svg").read_text().startswith("<?xml")
    assert "Made by `pathmax reproduce all`" in text
    assert "These runs had 4 only" in text
    with np.load(folder / "curves.npz") as curves:
        assert curves["ackley/pims/regret"].shape == (2, 5)
        assert curves["synthetic-large/ts/std"].shape == (2,)
        assert curves["synthetic-large/pims/width"].shape == (3, 4)
    assert "nan" not in text
    rows = [line for line in text.splitlines() if line.startswith("|")]
    for line in rows:  # every table is rectangular, pipes inside cells escaped
        assert line.replace("\\|", "").count("|") >= 3
    assert "large \\|X\\|" in text


def test_table_2_shows_another_sampler_when_it_was_run(whole, monkeypatch):
    folder, store, runs = whole
    no_long_sums(monkeypatch)
    monkeypatch.setattr(figures, "save", lambda figure, folder, name: None)
    rff = PlannedRun(SETTING["synthetic-default"], paper.methods_of("synthetic")[0], 0, 0, 4, "rff")
    store.save(rff, summary_of("pims", [0.1], std=0.3).traces[0])
    others = {"rff": report.gather(store, [rff]), "pathwise": {}}
    chosen = [run for run in runs if run.setting.name.startswith("synthetic")]
    found = report.gather(store, chosen)
    text = report.ReproductionReport(folder, found, "exact", "x", others).write().read_text()
    assert "| PIMS, here (rff paths) | 0.31" in text
    assert "TS, here (rff paths)" not in text and "pathwise paths)" not in text


def test_figures_are_the_same_bytes_for_the_same_numbers(whole):
    folder, store, runs = whole
    found = report.gather(store, runs)
    for name in ("one", "two"):
        figures.save(figures.simple_regrets(found["benchmarks"]), folder, name)
    assert (folder / "one.svg").read_bytes() == (folder / "two.svg").read_bytes()


def test_every_method_has_a_colour_of_its_own():
    from pathmax.acquisition import METHODS

    assert set(figures.METHOD_COLOURS) == set(METHODS)
    assert len(set(figures.METHOD_COLOURS.values())) == len(METHODS)


def test_an_unknown_method_is_named():
    with pytest.raises(SettingsError, match="no method 'pimms'; known are pims"):
        paper.methods_of("synthetic", ["pimms"])


def test_trials_that_found_the_maximum_are_counted():
    both = {
        "pims": summary_of("pims", [0.1, 0.14, 0.16]),  # 5 % of the 3 at the start are 0.15
        "ts": summary_of("ts", [3.0, 0.0, 2.0]),
    }
    settings = {SETTING["ackley"]: both, SETTING["shekel"]: {"ts": summary_of("ts", [0.2])}}
    lines = [line for line in tables.found_table(settings) if line.startswith("|")]
    assert lines[2:] == ["| PIMS | 2 of 3 |  |", "| TS | 1 of 3 | 0 of 1 |"]
