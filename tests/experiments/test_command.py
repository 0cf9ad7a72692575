"""`pathmax reproduce`, for real but small: every kind, killed and resumed, on a Dask cluster."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from pathmax.cli import main
from pathmax.experiments.reproduction import Reproduction
from pathmax.experiments.store import Store

SECTIONS = {"synthetic": 3, "benchmarks": 4, "emulators": 4}
TINY = ["--trials", "1", "--iterations", "2", "--methods", "pims,ts", "--jobs", "1"]


def reproduce(*words: str) -> str:
    done = CliRunner().invoke(main, ["reproduce", *words])
    assert done.exit_code == 0, done.output
    return done.output


def files_in(folder: Path) -> dict[str, bytes]:
    runs = folder / "runs"
    return {str(f.relative_to(runs)): f.read_bytes() for f in sorted(runs.rglob("*.npz"))}


def test_everything_end_to_end(tmp_path):
    """All three kinds at once, in a process of its own, as a user would."""
    out = tmp_path / "out"
    command = [sys.executable, "-m", "pathmax", "reproduce", "all", *TINY, "--out", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str(out / "report.md")
    # of the sections beyond the paper, `parameters` has both methods and `jes` neither
    assert len(files_in(out)) == 2 * (sum(SECTIONS.values()) + 3)
    report = (out / "report.md").read_text()
    for title in ("drawn from the prior", "Benchmark functions", "Emulators", "are not known"):
        assert title in report
    numbers = " ".join(TINY[:-2])  # neither the folder nor the number of jobs changes a number
    assert f"Made by `pathmax reproduce all {numbers}` with engine" in report
    assert "It was run as 28 runs in " in report
    # a second time there is nothing to do
    again = reproduce("all", *TINY, "--out", str(out))
    assert "28 of 28 runs are there already" in again


def test_killed_in_the_middle_it_goes_on_where_it_was(tmp_path):
    out, whole = tmp_path / "out", Reproduction(("benchmarks",), 6, 3, ("pims",), seed=5)
    words = ["--trials", "6", "--iterations", "3", "--methods", "pims", "--seed", "5"]
    command = [sys.executable, "-m", "pathmax", "reproduce", "benchmarks", *words, "--jobs", "1"]
    process = subprocess.Popen(
        [*command, "--out", str(out)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    deadline = time.monotonic() + 120
    while len(files_in(out)) < 2 and time.monotonic() < deadline:
        assert process.poll() is None, "it ended before it could be killed"
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = files_in(out)
    left = whole.missing(out)
    assert 2 <= len(kept) < 24 and len(left) == 24 - len(kept)
    text = reproduce("benchmarks", *words, "--jobs", "1", "--out", str(out))
    assert f"{len(kept)} of 24 runs are there already" in text
    finished = files_in(out)
    assert len(finished) == 24 and not whole.missing(out)
    assert {name: finished[name] for name in kept} == kept  # what was there was not done again
    # and it is what it would have been without the interruption
    from pathmax.experiments.trace import execute

    run = left[-1]
    np.testing.assert_array_equal(Store(out / "runs").load(run).value, execute(run).value)


@pytest.mark.usefixtures("python_handles_ctrl_c")
def test_ctrl_c_ends_it_with_a_sentence(tmp_path):
    words = ["benchmarks", "--trials", "9", "--iterations", "4", "--methods", "pims", "--jobs", "1"]
    process = subprocess.Popen(
        [sys.executable, "-m", "pathmax", "reproduce", *words, "--out", str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    deadline = time.monotonic() + 120
    while not files_in(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.005)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the workers as well
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "runs are kept: the same command goes on" in output
    assert "Traceback" not in errors


def test_workers_do_not_outlive_a_killed_parent(tmp_path):
    script = (
        "from pathmax.experiments import runner\nimport os, time\n"
        "if __name__ == '__main__':\n"
        "    with runner.processes(1) as (executor, _):\n"
        "        print(executor.submit(os.getpid).result(), flush=True)\n"
        "        time.sleep(60)\n"
    )
    file = tmp_path / "parent.py"
    file.write_text(script)
    parent = subprocess.Popen([sys.executable, str(file)], stdout=subprocess.PIPE, text=True)
    with parent:
        worker = int(parent.stdout.readline())
        parent.kill()
    deadline = time.monotonic() + 30
    while alive(worker) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not alive(worker)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().split(")")[-1].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


def test_on_a_dask_cluster_the_numbers_are_the_same(tmp_path):
    from distributed import LocalCluster

    words = ["--trials", "1", "--iterations", "2", "--methods", "pims"]
    with LocalCluster(
        n_workers=1, threads_per_worker=1, processes=True, dashboard_address=":0"
    ) as cluster:
        address = cluster.scheduler_address
        reproduce("emulators", *words, "--dask", address, "--out", str(tmp_path / "dask"))
    whole = Reproduction(("emulators",), 1, 2, ("pims",))
    from pathmax.experiments.trace import execute

    for run in whole.runs():
        there = Store(tmp_path / "dask" / "runs").load(run)
        np.testing.assert_array_equal(there.value, execute(run).value)


def test_a_cluster_that_does_not_answer_is_named(tmp_path, monkeypatch):
    import distributed

    def silent(address, timeout):
        raise OSError("timed out")

    monkeypatch.setattr(distributed, "Client", silent)
    words = ["benchmarks", *TINY, "--dask", "tcp://127.0.0.1:1", "--out", str(tmp_path)]
    done = CliRunner().invoke(main, ["reproduce", *words])
    assert done.exit_code == 1
    assert "no Dask scheduler answers at tcp://127.0.0.1:1" in done.output


def test_both_forms_of_jes_share_their_problems_with_the_emulators():
    """The lower bound is run once for both sections; the other form is shown in its own alone."""
    runs = Reproduction(("emulators", "jes"), trials=1, methods=("jes",)).runs()
    assert sorted(run.label for run in runs) == sorted(
        f"{name} jes trial 0" for name in ("alkox", "alkox-paper", "fullerenes", "fullerenes-paper")
    )
    forms = Reproduction(("jes",), trials=1).runs()
    assert [run.method.name for run in forms] == ["jes", "jes-exact"]
    assert forms[0].study_seed == forms[1].study_seed
    assert Reproduction(("jes",), trials=1, model="pathmax").runs() == []


def test_wrong_wishes_are_named(tmp_path):
    done = CliRunner().invoke(main, ["reproduce", "all", "--methods", "pimms"])
    assert done.exit_code == 1 and "there is no method 'pimms'" in done.output
    done = CliRunner().invoke(main, ["reproduce", "all", "--sampler", "sobol"])
    assert done.exit_code == 2
    help_text = CliRunner().invoke(main, ["reproduce", "--help"]).output
    for section in (*SECTIONS, "jes", "parameters", "all"):
        assert section in help_text


@pytest.mark.parametrize("section", [*SECTIONS, "jes", "parameters"])
def test_a_quick_reproduction_is_a_smaller_one(section):
    quick, full = Reproduction((section,), quick=True), Reproduction((section,))
    assert len(full.runs()) == 5 * len(quick.runs())
    assert max(run.iterations for run in quick.runs()) < min(r.iterations for r in full.runs())


def test_an_error_before_the_first_run_is_the_one_that_is_heard_of(tmp_path, monkeypatch):
    def broken(*args, **kwargs):
        raise RuntimeError("no more processes")

    monkeypatch.setattr("pathmax.experiments.runner.perform", broken)
    whole = Reproduction(("benchmarks",), 1, 1, ("pims",))
    with ThreadPoolExecutor(1) as executor, pytest.raises(RuntimeError, match="no more processes"):
        whole.perform(tmp_path / "new" / "folder", executor, 1)
