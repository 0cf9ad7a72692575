"""Ctrl-C, pressed for real: a signal to a process in the middle of its work."""

import signal
import subprocess
import sys
import threading

import pytest

from pathmax import Float, Study, TrialState
from pathmax.running.interrupts import Shield
from pathmax.trials.trial import INTERRUPTED

pytestmark = pytest.mark.usefixtures("python_handles_ctrl_c")

SCRIPT = """
import signal, sys, time, pathmax
signal.signal(signal.SIGINT, signal.default_int_handler)  # the parent may ignore it
from concurrent.futures import ThreadPoolExecutor

def objective(params):
    if len(study.trials) > 3:
        print("waiting", flush=True)
        time.sleep(600 if executor is None else 5)
    return params["x"]

workers = int(sys.argv[2])
executor = ThreadPoolExecutor(workers) if workers else None
study = pathmax.Study({"x": pathmax.Float(0, 1)}, name="s", storage=sys.argv[1], seed=0)
result = study.optimize(objective, 50, executor=executor)
print("ending:", result.ending, flush=True)
"""


@pytest.mark.parametrize("workers", [0, 2])
def test_ctrl_c_ends_the_run_and_not_the_script(workers: int, tmp_path):
    url = f"sqlite:///{tmp_path / 'lab.db'}"
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT, url, str(workers)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("waiting")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert "ending: stopped by Ctrl-C" in out
    assert "Traceback" not in err
    trials = Study.load("s", storage=url).trials
    assert not any(trial.state is TrialState.RUNNING for trial in trials)
    told = [trial for trial in trials if trial.state is TrialState.COMPLETE]
    assert [trial.value for trial in told] == [trial.params["x"] for trial in told]
    assert len(told) >= 2
    assert {trial.error for trial in trials if trial not in told} == {INTERRUPTED}


def test_ctrl_c_waits_for_the_step_in_hand_and_twice_does_not():
    done = []
    with Shield() as shield:
        with pytest.raises(KeyboardInterrupt), shield.hold():
            signal.raise_signal(signal.SIGINT)
            done.append("the step")
        with pytest.raises(KeyboardInterrupt), shield.hold():
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)
            done.append("never")
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert done == ["the step"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_handler_of_the_users_own_stays_in_charge():
    pressed = []
    before = signal.signal(signal.SIGINT, lambda *_: pressed.append(1))
    try:
        with Shield() as shield, shield.hold():
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)
    assert pressed == [1]


@pytest.mark.parametrize("step", ["start", "finish"])
def test_ctrl_c_in_the_middle_of_storing_leaves_no_trial_running(step: str, monkeypatch):
    study = Study({"x": Float(0, 1)}, seed=0)
    original = getattr(study.storage, step)

    def pressed_right_after(*args: object, **kwargs: object) -> object:
        stored = original(*args, **kwargs)
        if stored.number == 3:
            signal.raise_signal(signal.SIGINT)
        return stored

    monkeypatch.setattr(study.storage, step, pressed_right_after)
    result = study.optimize(lambda params: params["x"], 9, progress=False)
    assert result.ending == "stopped by Ctrl-C"
    expected = ["complete"] * 3 + ["failed" if step == "start" else "complete"]
    assert [trial.state for trial in result.trials] == expected


class Pressed:
    """Ctrl-C strikes while this is being collected: no exception gets out of there."""

    def __del__(self) -> None:
        signal.raise_signal(signal.SIGINT)


def test_fault_34_ctrl_c_inside_a_finaliser_is_not_lost():
    study = Study({"x": Float(0, 1)}, seed=0)
    hook = sys.unraisablehook

    def objective(params: dict) -> float:
        if len(study.trials) == 3:
            pressed = Pressed()
            del pressed
            threading.Event().wait(20)  # ended by the signal that is sent again
        return params["x"]

    result = study.optimize(objective, 6, progress=False)
    assert result.ending == "stopped by Ctrl-C"
    assert [trial.state for trial in result.trials] == ["complete", "complete", "failed"]
    assert sys.unraisablehook is hook


def test_other_errors_of_finalisers_are_reported_as_ever(monkeypatch):
    reported = []
    monkeypatch.setattr(sys, "unraisablehook", lambda report: reported.append(report.exc_type))

    class Broken:
        def __del__(self) -> None:
            raise ZeroDivisionError

    with Shield():
        broken = Broken()
        del broken
    assert reported == [ZeroDivisionError]
