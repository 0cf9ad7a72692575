"""One logger, quiet unless somebody listens, that says what a study does."""

import logging
import subprocess
import sys

import pytest

import pathmax
from pathmax import Float, Study
from pathmax.errors import ObjectiveError
from tests.objectives import fails_above_half, kills_its_worker_above_half

LINE = {"x": Float(0, 1)}


def said(caplog: pytest.LogCaptureFixture) -> list[str]:
    assert {record.name for record in caplog.records} <= {"pathmax"}
    return [record.getMessage() for record in caplog.records]


def test_what_is_asked_and_told_is_said(caplog):
    caplog.set_level(logging.INFO, logger="pathmax")
    study = Study(LINE, name="s", seed=0)
    one, two = study.ask(2)
    study.tell(one, 3.5)
    study.fail(two, "spilt\nand more")
    study.correct(one, 4.5)
    study.add({"x": 0.5}, 1.0)
    assert said(caplog) == [
        "study 's': opened in memory: maximize",
        f"study 's': trial 0: try x = {one.params['x']:.6g}",
        f"study 's': trial 1: try x = {two.params['x']:.6g}",
        "study 's': trial 0: told: 3.5",
        "study 's': trial 1: told: failed: spilt",
        "study 's': trial 0: corrected: 4.5",
        "study 's': trial 2: added: 1",
    ]


def test_a_run_says_how_it_began_and_ended(caplog):
    caplog.set_level(logging.DEBUG, logger="pathmax")
    Study(LINE, name="s", seed=0, initial=2).optimize(fails_above_half, 4, progress=False)
    lines = said(caplog)
    assert "study 's': optimize: 4 trials, 1 at once" in lines
    assert any(line.startswith("study 's': optimize: done: ") for line in lines)
    assert any("failed: ValueError: too hot" in line for line in lines)
    assert any("by pims from" in line and "lengthscale" in line for line in lines)


def test_a_worker_that_dies_is_a_warning(caplog):
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(1) as executor:
        Study(LINE, name="s", seed=0).optimize(
            kills_its_worker_above_half, 4, executor=executor, progress=False
        )
    warned = [r.getMessage() for r in caplog.records if r.levelno == logging.WARNING]
    assert any("its worker died" in line for line in warned)


def test_a_trial_that_is_taken_back_is_a_warning(caplog, tmp_path, monkeypatch):
    url = f"sqlite:///{tmp_path / 'lab.db'}"
    study = Study(LINE, name="s", storage=url, seed=0)
    study._session.start(watched=True)
    monkeypatch.setattr("pathmax.session.session.GRACE", 0.0)
    Study.load("s", storage=url).ask()
    (warned,) = [r.getMessage() for r in caplog.records if r.levelno == logging.WARNING]
    assert "study 's': trial 0 is taken back: its worker vanished" in warned


def test_names_and_choices_cannot_write_lines_of_their_own(caplog):
    caplog.set_level(logging.INFO, logger="pathmax")
    Study({"a\nb": pathmax.Categorical(["c\nd", "e\nf"])}, seed=0).ask()
    assert all("\n" not in line for line in said(caplog))


def test_nothing_is_printed_unless_somebody_listens():
    script = (
        "import logging, pathmax\n"
        "pathmax.maximize(lambda p: p['x'], {'x': pathmax.Float(0, 1)}, 4, progress=False)\n"
        "logging.getLogger('pathmax').warning('nobody reads this')\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


class TestCallbacks:
    def test_each_is_called_with_the_study_and_the_trial(self):
        seen = []
        study = Study(LINE, seed=0)
        study.optimize(
            fails_above_half, 6, progress=False, on_error="fail",
            callbacks=[lambda s, t: seen.append((s, t)), lambda s, t: seen.append(t.number)],
        )  # fmt: skip
        assert [each for each in seen if isinstance(each, int)] == list(range(6))
        assert all(pair[0] is study for pair in seen[::2])
        assert [pair[1] for pair in seen[::2]] == study.trials

    def test_one_may_use_the_study_and_one_that_raises_ends_the_run(self):
        def note(study, trial):
            study.annotate(trial, note=f"best {study.best_trial.number}")
            if trial.number == 3:
                raise ZeroDivisionError("enough")

        study = Study(LINE, seed=0)
        with pytest.raises(ZeroDivisionError, match="enough"):
            study.optimize(lambda p: p["x"], 9, progress=False, callbacks=[note])
        assert [trial.state for trial in study.trials] == ["complete"] * 4
        assert study.trials[3].note is not None

    def test_on_workers_they_run_here_one_after_the_other(self):
        import threading
        from concurrent.futures import ThreadPoolExecutor

        threads = []
        with ThreadPoolExecutor(3) as executor:
            pathmax.minimize(
                lambda p: p["x"], LINE, 7, executor=executor, progress=False, seed=0,
                callbacks=[lambda study, trial: threads.append(threading.current_thread())],
            )  # fmt: skip
        assert threads == [threading.main_thread()] * 7

    @pytest.mark.parametrize("wrong", [print, [3], "print", None])
    def test_what_is_no_list_of_functions_is_refused(self, wrong):
        study = Study(LINE, seed=0)
        with pytest.raises(pathmax.errors.SettingsError, match="a list of functions"):
            study.optimize(lambda p: 1.0, 2, callbacks=wrong)
        assert study.trials == []

    def test_after_an_error_that_ends_the_run_there_is_none(self):
        seen = []
        with pytest.raises(ObjectiveError):
            pathmax.maximize(
                lambda p: 1 / 0, LINE, 5, progress=False, on_error="raise",
                callbacks=[lambda study, trial: seen.append(trial)],
            )  # fmt: skip
        assert seen == []
