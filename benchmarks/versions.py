"""One suggestion by two versions of pathmax, in turns: the interval of old / new.

    python -m benchmarks.versions OLD_SRC            OLD_SRC: the src folder of the other version
    python -m benchmarks.versions OLD_SRC --pairs 40

Each version runs in a process of its own on one thread and suggests for the same results; the two
take turns, so that an unsteady machine is unsteady for both. Counted is the processor's time.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from benchmarks.clock import machine, table

SIZES = ((20, 4), (100, 10), (1000, 10))
WORKER = """
import sys, time
import numpy as np
from pathmax import Float, Study
for line in sys.stdin:
    n, d, seed = map(int, line.split())
    rng = np.random.default_rng(seed)
    study = Study({f"x{i}": Float(0, 1) for i in range(d)}, seed=seed)
    for row in rng.random((n, d)):
        study.add({f"x{i}": float(v) for i, v in enumerate(row)}, float(np.sin(5 * row).sum()))
    started = time.process_time()
    study.ask()
    print(time.process_time() - started, flush=True)
"""


def worker(src: Path) -> subprocess.Popen[str]:
    alone = {"PYTHONPATH": str(src), "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    return subprocess.Popen(
        [sys.executable, "-c", WORKER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | alone,
    )


def seconds(process: subprocess.Popen[str], n: int, d: int, seed: int) -> float:
    assert process.stdin is not None and process.stdout is not None
    print(n, d, seed, file=process.stdin, flush=True)
    return float(process.stdout.readline())


def report(old: Path, pairs: int) -> str:
    new = Path(__file__).parents[1] / "src"
    rows = []
    one, other = worker(old), worker(new)
    for n, d in SIZES:
        times = np.empty((pairs, 2))
        for i in range(-1, pairs):  # the first is for warming up
            turn = [(one, 0), (other, 1)][:: 1 if i % 2 else -1]
            for process, column in turn:
                spent = seconds(process, n, d, max(i, 0))
                if i >= 0:
                    times[i, column] = spent
        ratios = np.log(times[:, 0] / times[:, 1])
        draws = np.random.default_rng(0).choice(ratios, (4000, pairs)).mean(axis=1)
        low, high = np.exp(np.quantile(draws, [0.025, 0.975]))
        middle = np.median(times, axis=0) * 1e3
        rows.append(
            [f"({n}, {d})", *(f"{ms:.0f}" for ms in middle),
             f"{np.exp(ratios.mean()):.2f} ({low:.2f} to {high:.2f})"]
        )  # fmt: skip
    for process in (one, other):
        process.terminate()
    head = ["n, d", "old (ms)", "new (ms)", "old / new, 95 %"]
    return f"{table(head, rows)}\n\n{pairs} pairs in turns; medians of processor time."


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("old", type=Path)
    parser.add_argument("--pairs", type=int, default=30)
    given = parser.parse_args()
    print(machine(), report(given.old, given.pairs), sep="\n\n")


if __name__ == "__main__":
    main()
