"""`import pathmax` stays light: a test that counts modules, since a clock would lie."""

import json
import subprocess
import sys

import pytest

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
