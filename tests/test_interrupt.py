"""Ctrl-C, pressed for real: a signal to a process in the middle of its work."""

import signal
import subprocess
import sys

import pytest

from pathmax import Study, TrialState
from pathmax.failures import INTERRUPTED

SCRIPT = """
import sys, time, pathmax
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
