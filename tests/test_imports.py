"""`import pathmax` stays light: a test that counts modules, since a clock would lie."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import pathmax

HEAVY = {"click", "distributed", "matplotlib", "optuna", "pandas", "polars", "pyarrow", "rich",
         "scipy.stats", "sqlalchemy"}  # fmt: skip


def modules_after(code: str) -> set[str]:
    """The modules that a fresh interpreter holds after running the code."""
    report = f"{code}\nimport json, sys\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", report], capture_output=True, text=True, timeout=60, check=True
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize(
    "code",
    [
        "import pathmax",
        # Nor by the back door, when a name that was put off is looked up.
        "import pathmax\nfor name in pathmax.__all__: getattr(pathmax, name)",
    ],
    ids=["import", "every name"],
)
def test_nothing_heavy_is_loaded(code: str):
    loaded = modules_after(code)
    assert not loaded & HEAVY


def test_the_number_of_modules_has_a_budget():
    base = modules_after("import numpy, scipy.linalg")
    ours = modules_after("import pathmax\nfor name in pathmax.__all__: getattr(pathmax, name)")
    extra = {name for name in ours - base if not name.startswith("pathmax")}
    # numpy and scipy.linalg alone are about 270 modules; see benchmarks/startup.py for seconds.
    assert len(extra) <= 150, sorted(extra)


def test_commands_that_keep_and_show_trials_load_no_more_than_they_need(tmp_path: Path):
    """Their time is that of start-up: linear algebra alone takes as long as reading 10,000 trials.

    `show` says whether the model is any good, and needs one, from a few results on.
    """
    study = f'"--study", "s", "--storage", "sqlite:///{(tmp_path / "lab.db").as_posix()}"'
    commands = ['"show"', '"export"', '"tell", "0", "1.5"', '"show"']
    runs = "\n".join(f"main([{words}, {study}], standalone_mode=False)" for words in commands)
    url = f"sqlite:///{(tmp_path / 'lab.db').as_posix()}"
    pathmax.Study({"x": pathmax.Float(0, 1)}, name="s", storage=url, seed=0).ask()
    loaded = modules_after(f"from pathmax.cli import main\n{runs}")
    assert "sqlalchemy" in loaded
    unneeded = HEAVY | {"multiprocessing", "openpyxl", "scipy", "sqlalchemy.dialects.postgresql"}
    assert loaded & unneeded == {"click", "rich", "sqlalchemy"}  # rich sets tables


def test_reading_a_study_loads_neither_model_nor_search(tmp_path: Path):
    """`show` and `export` of 10,000 trials spent half of their time on importing these."""
    url = f"sqlite:///{(tmp_path / 'lab.db').as_posix()}"
    pathmax.Study({"x": pathmax.Float(0, 1)}, name="s", storage=url, seed=0).ask()
    runs = "\n".join(f"main(['{word}', '--storage', '{url}'], standalone_mode=False)"
                     for word in ("show", "export", "studies"))  # fmt: skip
    loaded = modules_after(f"from pathmax.cli import main\n{runs}")
    unneeded = (
        "acquisition. analysis.predictions gp. plots running search space.candidates space.grid "
        "suggestion.algorithm suggestion.surrogate tables.workbook_rows"
    ).split()
    rooms = tuple(f"pathmax.{name}" for name in unneeded)
    assert [name for name in loaded if name.startswith(rooms)] == []
    assert sum(name.startswith("pathmax") for name in loaded) <= 200  # of 598
