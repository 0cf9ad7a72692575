"""Benchmarks name what pathmax has: a module that is run once a year is imported here."""

import importlib
from pathlib import Path

import pytest

import benchmarks

NAMES = sorted(
    path.stem
    for path in Path(str(benchmarks.__file__)).parent.glob("*.py")
    if not path.stem.startswith("__")
)


@pytest.mark.parametrize("name", NAMES)
def test_a_benchmark_can_be_imported(name: str):
    importlib.import_module(f"benchmarks.{name}")
