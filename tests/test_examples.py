"""Every program in examples/ runs from start to end, with a few trials, and says what it found."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
SECONDS = 180

# The arguments that keep each short, and what its last words must be about.
RUNS = {
    "minimize_a_function.py": (["8"], ["lowest value found", "trial            ", "branin.png"]),
    "tune_scikit_learn.py": (["6"], ["settings tried       6", "recommended", "on fresh folds"]),
    "pick_from_csv.py": (["8"], ["day  8", "most promising", "best of 8 solvents tried"]),
    "laboratory_notebook.py": (
        ["3"],
        [
            "vial  2",
            "Day 3",
            "Anna's thesis",
            "failed: the stirrer had stopped   repeat if there is time",
            "mean of four injections",
            "Why the last one?",
            "suggested by pims",
            "expected yield",
        ],
    ),
    "eight_workers.py": (["16"], ["16 trials in", "8 workers", "best value"]),
    "dask_cluster.py": (["12"], ["12 trials", "lowest loss"]),
    "optuna_sampler.py": (["8"], ["trials               8", "best accuracy", "suggested by pims"]),
    "front.py": (
        ["12"],
        ["The front, cheapest first", "of the front expected", "Figure saved: pathmax-front.png"],
    ),
    "demo.py": (["--trials", "8"], ["Best measured yield", "Figure saved: pathmax-demo.png"]),
}


def test_every_example_is_run_here_and_listed_in_the_readme():
    programs = {path.name for path in EXAMPLES.glob("*.py")}
    assert programs == set(RUNS)
    readme = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    assert all(f"({name})" in readme for name in programs)


@pytest.mark.parametrize("name", RUNS)
def test_example(name: str, tmp_path: Path):
    arguments, said = RUNS[name]
    environment = {
        **os.environ,
        "MPLBACKEND": "Agg",
        "OMP_NUM_THREADS": "1",
        "PYTHONWARNINGS": "error",
        "PYTHONIOENCODING": "utf-8",
        "TMPDIR": str(tmp_path),
    }
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name), *arguments],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for words in said:
        assert words in done.stdout
