"""How long it will take, learnt from what was run."""

import io

import pytest

from pathmax.experiments import time_left
from tests.experiments.small_runs import run_of, trace_of


def test_the_time_left_learns_from_what_runs_took():
    runs = [run_of(m, trial=i) for i in range(3) for m in ("pims", "mes")]
    now = [100.0]
    estimate = time_left.Estimate(runs, workers=2, clock=lambda: now[0])
    planned = sum(time_left.planned_seconds(run) for run in runs)
    assert estimate.seconds == pytest.approx(planned / 2)
    now[0] = 103.0
    estimate.finished(runs[0], 2.0)
    estimate.finished(runs[1], 4.0)  # 6 s of computing in 3 s on the wall; 12 are left
    assert estimate.seconds == pytest.approx(6.0)
    assert time_left.clock(67) == "1:07" and time_left.clock(7384.4) == "2:03:04"


def test_progress_is_lines_in_a_pipe_and_a_bar_on_a_terminal():
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    runs = [run_of(trial=i) for i in range(2)]
    pipe, terminal = io.StringIO(), Terminal()
    for stream in (pipe, terminal):
        with time_left.open_progress(runs, 1, stream) as shown:
            for run in runs:
                shown.finished(run, trace_of([1] * 11))
    assert pipe.getvalue().splitlines()[-1] == "[2/2] small pims trial 1: 2.0 s, 0:00 left"
    assert "2/2" in terminal.getvalue() and "left" in terminal.getvalue()
