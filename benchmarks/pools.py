"""Which row of a pool next: time and memory with 100 results known, d = 10.

    python -m benchmarks.pools            10^4, 10^5 and 10^6 rows
    python -m benchmarks.pools --quick    10^4 and 10^5 rows
    python -m benchmarks.pools --library  10^6 and 10^7 rows of Parquet files that are not held

A suggestion includes the refit. Times are processor time on one thread, so that other work of the
machine does not count. Peak memory is the worker's, the pool and the libraries included.
That our choice is the exact one is checked below by computing the PIMS score of every row in double
precision, without any shortcut.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from typing import Any, NamedTuple

import numpy as np

from benchmarks.clock import machine, readable, table
from benchmarks.peers import ALL, Peer, PeerError
from benchmarks.workers.library_files import write_library
from benchmarks.workers.shared_pool import known, pool
from pathmax import acquisition, gp

DIMENSION, KNOWN = 10, 100
# name -> peer, what its `pool_start` is given, the most rows that it is given
ENTRIES: dict[str, tuple[str, dict[str, Any], int]] = {
    "pathmax": ("pathmax", {}, 10**7),
    # its features grow with the rows, to 24 GB for 10^6; without features its draw is cubic in them
    "PHYSBO, 1000 random features": ("physbo", {"features": 1000}, 10**5),
    "BoTorch LogEI": ("botorch", {}, 10**6),
}


class Cost(NamedTuple):
    """What one suggestion cost a peer."""

    seconds: float
    megabytes: float
    prepared: float

    def __str__(self) -> str:
        return (
            f"{readable(self.seconds)}, {self.megabytes:.0f} MB "
            f"(prepared in {readable(self.prepared)})"
        )


def suggestion(entry: str, rows: int) -> Cost:
    name, options, _ = ENTRIES[entry]
    with Peer(name) as peer:
        began = peer.call("processor_seconds")
        peer.call("pool_start", rows=rows, d=DIMENSION, n=KNOWN, **options)
        prepared = peer.call("processor_seconds")
        peer.call("pool_ask")
        took = peer.call("processor_seconds") - prepared
        return Cost(took, peer.call("peak_megabytes"), prepared - began)


def costs(entry: str, sizes: tuple[int, ...]) -> list[str]:
    """A cell for each size."""
    name, _, largest = ENTRIES[entry]
    cells: list[str] = []
    for rows in sizes:
        if rows > largest or not ALL[name].ready:
            cells.append("-")
            continue
        try:
            cost = suggestion(entry, rows)
        except PeerError as error:
            print(error, file=sys.stderr)
            cells.append("-")
            continue
        cells.append(str(cost))
        print(f"  {entry}, {rows:,} rows: {cost}", file=sys.stderr, flush=True)
    return cells


def is_exact(rows: int) -> bool:
    """Whether the chosen row has the best PIMS score of all, computed the plain way."""
    U = pool(rows, DIMENSION)
    tried, y = known(rows, DIMENSION, KNOWN)
    model = gp.fit(gp.Matern52(np.ones(DIMENSION)), U[tried], y)
    excluded = np.zeros(rows, dtype=bool)
    excluded[tried] = True
    domain = acquisition.Pool(U, excluded=excluded)
    choice = acquisition.choose("pims", model, domain, np.random.default_rng(0), t=KNOWN)
    mean, std = (np.concatenate(part) for part in zip(
        *(model.predict(block) for block in np.array_split(U, max(1, rows // 10_000))), strict=True
    ))  # fmt: skip
    score = np.where(excluded, np.inf, (choice.info["g_star"] - mean) / std)
    assert choice.index is not None
    best = float(score.min())
    return bool(score[choice.index] <= best + 1e-9 * (1.0 + abs(best)))


def library(sizes: tuple[int, ...]) -> str:
    """Suggestions from Parquet files, held and not: time, processor time, peak memory, the row."""
    lines = []
    for rows in sizes:
        with tempfile.TemporaryDirectory() as folder:
            pattern = write_library(folder, rows, DIMENSION)
            ways = {"not held": [], "held": ["held"]}
            found = {
                way: json.loads(
                    subprocess.run(
                        [sys.executable, "-m", "benchmarks.workers.library_ask", pattern,
                         str(KNOWN), *how],
                        check=True, capture_output=True, text=True,
                    ).stdout
                )
                for way, how in ways.items()
            }  # fmt: skip
        same = found["held"]["params"] == found["not held"]["params"]
        for way, answer in found.items():
            lines.append([
                f"{rows:,} rows, {way}", readable(answer["opened"]), readable(answer["seconds"]),
                readable(answer["processor"]), f"{answer['megabytes']:.0f} MB",
                "yes" if same else "NO",
            ])  # fmt: skip
    head = ["one suggestion", "opened in", "suggested in", "processor time", "peak", "same row"]
    return table(head, lines)


def report(sizes: tuple[int, ...]) -> str:
    lines = [[entry, *costs(entry, sizes)] for entry in ENTRIES]
    lines.append(["pathmax's row is the exact choice", *(
        "yes" if is_exact(rows) else "NO" for rows in sizes
    )])  # fmt: skip
    return table(["one suggestion", *(f"{rows:,} rows" for rows in sizes)], lines)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--library", action="store_true")
    options = parser.parse_args()
    quick = options.quick
    print(machine() + "\n")
    if options.library:
        print(library((10**5,) if quick else (10**6, 10**7)))
        return
    print(report((10**4, 10**5) if quick else (10**4, 10**5, 10**6)))


if __name__ == "__main__":
    main()
