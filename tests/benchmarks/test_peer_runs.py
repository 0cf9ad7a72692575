"""Runs that are kept say which engine made them, and those of another engine are made again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import peer_runs
from benchmarks.engines import ONE_OBJECTIVE
from pathmax.suggestion.explanation import ENGINE


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "suite" / "pathmax.jsonl"


def run(problem: str, seed: int, loss: float) -> peer_runs.Row:
    return {"problem": problem, "seed": seed, "losses": [loss]}


def test_ours_has_the_engine_and_a_peer_has_none(file: Path) -> None:
    peer_runs.keep(file, run("f", 0, 1.0), ours=True)
    peer_runs.keep(file, run("f", 1, 2.0), ours=False)
    assert [row.get("engine") for row in peer_runs.rows(file)] == [ENGINE, None]
    assert peer_runs.engines(file) == {ENGINE: 1, None: 1}


def test_a_run_of_another_engine_is_made_again_and_gives_way(file: Path) -> None:
    for seed in (0, 1):
        peer_runs.keep(file, run("f", seed, 1.0), ours=True)
    old = [row | {"engine": ONE_OBJECTIVE - row["seed"]} for row in peer_runs.rows(file)]
    file.write_text("".join(json.dumps(row) + "\n" for row in old))
    assert set(peer_runs.done(file, ours=True)) == {("f", 0)}
    assert set(peer_runs.done(file, ours=False)) == {("f", 0), ("f", 1)}  # a peer's would stay
    peer_runs.keep(file, run("f", 1, 3.0), ours=True)
    assert set(peer_runs.done(file, ours=True)) == {("f", 0), ("f", 1)}
    assert len(peer_runs.rows(file)) == 2
    assert peer_runs.load(file)["f", 1]["losses"] == [3.0]


def test_a_run_since_the_engine_that_suggests_the_same_stays(file: Path) -> None:
    rows = [run("f", seed, 1.0) | {"engine": ENGINE - seed} for seed in range(3)]
    file.parent.mkdir()
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert set(peer_runs.done(file, ours=True, since=ENGINE - 1)) == {("f", 0), ("f", 1)}
    assert set(peer_runs.done(file, ours=True, since=ENGINE)) == {("f", 0)}


def test_a_run_of_an_engine_that_is_still_to_come_is_made_again(file: Path) -> None:
    file.parent.mkdir()
    file.write_text(json.dumps(run("f", 0, 1.0) | {"engine": ENGINE + 1}) + "\n")
    assert peer_runs.done(file, ours=True) == {}


def test_a_run_without_an_engine_is_made_again(file: Path) -> None:
    file.parent.mkdir()
    file.write_text(json.dumps(run("f", 0, 1.0)) + "\n")
    assert peer_runs.done(file, ours=True) == {}


def test_what_else_names_a_run_keeps_it_apart(file: Path) -> None:
    key = ("problem", "kind", "seed")
    for kind in ("alone", "related", "alone"):
        peer_runs.keep(file, run("f", 0, 1.0) | {"kind": kind}, True, key)
    assert set(peer_runs.load(file, key)) == {("f", "alone", 0), ("f", "related", 0)}


@pytest.mark.parametrize(
    ("peer", "ours"),
    [
        ("pathmax", True),
        ("restricted pathmax", True),
        ("outcomes botorch", False),
        ("sobol", False),
    ],
)
def test_ours_is_what_runs_pathmax(peer: str, ours: bool) -> None:
    assert peer_runs.is_ours(peer) is ours
