"""A database with many results: how long it takes to read, and a tell beside a bare commit.

    python -m benchmarks.long_studies                     10^5 results on SQLite and PostgreSQL
    python -m benchmarks.long_studies --results 10000

The results are added at once, and then every row is given what explains a suggestion, that of one
which was made at the end, as if all had been suggested. Reading is `Study.load(...).trials`. A bare
commit is a transaction of the same database that inserts one row as long as an outcome into a table
without any index but its key, by the driver itself. The two take turns: medians of wall-clock and
of processor time, which the server of PostgreSQL has beside it.
"""

from __future__ import annotations

import argparse
import sqlite3
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy import create_engine, text

import pathmax
from benchmarks.clock import machine, table
from tests.postgres import running_server

NAMES = [f"x{i}" for i in range(10)]
TELLS = 300
BEGIN = {"sqlite": "BEGIN IMMEDIATE", "postgresql": "BEGIN"}
MARK = {"sqlite": "?", "postgresql": "%s"}


def fill(url: str, results: int) -> pathmax.Study:
    """A study whose results all seem to have been suggested."""
    space = {name: pathmax.Float(0, 1) for name in NAMES}
    study = pathmax.Study(space, name="long", storage=url, direction="minimize", seed=0)
    points = np.random.default_rng(0).random((results, len(NAMES))).tolist()
    rows = [dict(zip(NAMES, u, strict=True)) for u in points]
    study.add([row | {"value": sum((v - 0.4) ** 2 for v in row.values())} for row in rows])
    asked = study.ask()
    engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    with engine.begin() as connection:
        info = "SELECT info FROM pathmax_trials WHERE number = :number"
        connection.execute(
            text(f"UPDATE pathmax_trials SET info = ({info})"), {"number": asked.number}
        )
    engine.dispose()
    return study


def reading(url: str) -> str:
    """Seconds of processor time and by the clock to read all of it."""
    processor, clock = time.process_time(), time.perf_counter()
    trials = pathmax.Study.load("long", storage=url).trials
    processor, clock = time.process_time() - processor, time.perf_counter() - clock
    assert trials[1].info["method"] == "pims"
    return f"{len(trials):,} rows in {processor:.1f} s of processor time, {clock:.1f} s"


def bare_commits(url: str) -> Callable[[], None]:
    """What makes one commit of the database, nothing else."""
    kind = url.partition(":")[0]
    connection: Any
    if kind == "sqlite":
        connection = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)
        connection.execute("PRAGMA synchronous=FULL")
    else:
        import psycopg

        connection = psycopg.connect(url, autocommit=True)
    connection.execute("CREATE TABLE bare (id INTEGER PRIMARY KEY, outcomes TEXT)")
    insert = f"INSERT INTO bare VALUES ({MARK[kind]}, {MARK[kind]})"
    numbers = iter(range(10**9))

    def commit() -> None:
        connection.execute(BEGIN[kind])
        connection.execute(insert, (next(numbers), '{"value":0.123456789}'))
        connection.execute("COMMIT")

    return commit


def measure(url: str, results: int) -> list[list[str]]:
    study = fill(url, results)
    kind = url.partition(":")[0]
    print(f"{kind}: {reading(url)}", flush=True)
    space = {name: pathmax.Float(0, 1) for name in NAMES}
    quick = pathmax.Study(space, name="quick", storage=url, direction="minimize", method="random")
    asked, commit = iter(quick.ask(TELLS)), bare_commits(url)
    work = {"tell": lambda: quick.tell(next(asked), 0.5), "bare commit": commit}
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in work}
    for _ in range(TELLS):
        for name, once in work.items():
            clock, processor = time.perf_counter(), time.process_time()
            once()
            times[name].append((time.perf_counter() - clock, time.process_time() - processor))
    assert study.trials[0].value is not None
    tell, bare = (1e6 * np.median(times[name], axis=0) for name in work)
    return [
        [kind, by, f"{t:.0f} us", f"{b:.0f} us", f"{t / b:.2f}"]
        for by, t, b in zip(("clock", "processor"), tell, bare, strict=True)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--results", type=int, default=100_000)
    parser.add_argument("--folder", help="where the file of SQLite is: /dev/shm has no flush")
    asked = parser.parse_args()
    results = asked.results
    print(machine() + "\n")
    with tempfile.TemporaryDirectory(dir=asked.folder) as folder, running_server() as server:
        rows = measure(f"sqlite:///{Path(folder, 'long.db')}", results)
        rows += measure(server.url(), results)
    print("\n" + table(["database", "by", "tell", "bare commit", "ratio"], rows))


if __name__ == "__main__":
    main()
