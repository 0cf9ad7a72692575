"""The report with its tables and figures, from traces made by hand."""

import numpy as np
import pytest

from pathmax.errors import SettingsError
from pathmax.experiments import paper
from pathmax.experiments.plan import PlannedRun
from pathmax.experiments.reporting import figures, finished_runs, report, tables
from pathmax.experiments.store import Store
from tests.experiments.reporting.test_claims import SETTING, summary_of


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
        monkeypatch.setattr(module, "regret_bound", lambda setting, n: np.arange(1.0, n + 1) * 100)


def test_the_report_holds_every_section_figure_and_printed_number(whole, monkeypatch):
    folder, store, runs = whole
    no_long_sums(monkeypatch)
    found = finished_runs.gather(store, runs)
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
    assert "Made by `pathmax reproduce all` with engine" in text
    assert "These runs had 4 only" in text
    assert "| emulators of real experiments, the paper's model |" in text
    assert "| emulators of real experiments, pathmax's priors |" in text
    assert "| Benchmark functions | 1:24 |" in text  # 2 trials of 7 methods on 4 settings, 1.5 s
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
    others = {"rff": finished_runs.gather(store, [rff]), "pathwise": {}}
    chosen = [run for run in runs if run.setting.name.startswith("synthetic")]
    found = finished_runs.gather(store, chosen)
    text = report.ReproductionReport(folder, found, "exact", "x", others).write().read_text()
    assert "| PIMS, here (rff paths) | 0.31" in text
    assert "TS, here (rff paths)" not in text and "pathwise paths)" not in text


def test_figures_are_the_same_bytes_for_the_same_numbers(whole):
    folder, store, runs = whole
    found = finished_runs.gather(store, runs)
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
