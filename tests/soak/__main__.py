"""Use pathmax by chance for as long as wanted, and count: `make soak`, `make soak MINUTES=6`.

    python -m tests.soak --minutes 60 --seed 7
    python -m tests.soak --seed 7 --only studies --number 1203      one study again

Takes turns: studies by chance in memory, on SQLite and on PostgreSQL, studies at the ends of the
range of numbers, kill storms on both databases, and damaged files. Prints what was done every
minute; ends with an error at the first thing that does not hold, and says how to repeat it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.postgres import Server, running_server
from tests.soak import damaged_files, extreme_numbers, kill_storm, random_studies

STUDIES, EXTREMES, FILES, KILLS = 3, 3, 20, 10  # of each in a turn
KINDS = ("studies", "extremes", "kills", "files")
PLACES = ("memory", "sqlite", "postgresql")


@dataclass
class Soak:
    """What was done so far, and how to do more of it."""

    seed: int
    server: Server
    counts: dict[str, Counter[str]] = field(
        default_factory=lambda: {kind: Counter() for kind in KINDS}
    )

    def study(self, number: int) -> None:
        with self._place(PLACES[number % 3]) as place:
            self.counts["studies"] += random_studies.run(self.seed, number, place)

    def extreme(self, number: int) -> None:
        self.counts["extremes"] += extreme_numbers.run(self.seed, number)

    def file(self, number: int) -> None:
        self.counts["files"] += damaged_files.run(self.seed, number)

    def storm(self, number: int, kills: int = KILLS) -> None:
        """Kill processes in turn on a file and on a server."""
        kind, method = PLACES[1 + number % 2], ("random", "pims")[number // 2 % 2]
        with TemporaryDirectory() as folder, self._place(kind) as url:
            job = {
                "url": url, "folder": folder, "kills": kills, "at_once": 4,
                "seed": self.seed + number, "method": method,
            }  # fmt: skip
            command = [sys.executable, "-m", kill_storm.__name__, json.dumps(job)]
            done = subprocess.run(
                command, capture_output=True, text=True, env=_alone(), cwd=_root(), timeout=600
            )
            assert done.returncode == 0, done.stderr
        self.counts["kills"] += Counter(json.loads(done.stdout)) + Counter({kind: kills})

    @contextmanager
    def _place(self, kind: str) -> Iterator[str | None]:
        if kind == "memory":
            yield None
        elif kind == "postgresql":
            yield self.server.url()
        else:
            with TemporaryDirectory() as folder:
                yield f"sqlite:///{folder}/lab.db"


def _root() -> Path:
    return Path(__file__).parents[2]


def _alone() -> dict[str, str]:
    return os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=None, help="drawn when left out")
    parser.add_argument("--only", choices=KINDS)
    parser.add_argument("--number", type=int, help="with --only: this one alone")
    given = parser.parse_args()
    seed = int.from_bytes(os.urandom(3), "big") if given.seed is None else given.seed
    print(f"seed {seed}", flush=True)
    with running_server() as server:
        soak = Soak(seed, server)
        kinds: dict[str, tuple[Callable[[int], None], int]] = {
            "studies": (soak.study, STUDIES), "extremes": (soak.extreme, EXTREMES),
            "kills": (soak.storm, 1), "files": (soak.file, FILES),
        }  # fmt: skip
        if given.only is not None:
            kinds = {given.only: kinds[given.only]}
        if given.number is not None:
            return _done(soak, *next(iter(kinds.items())), given.number)
        return _rounds(soak, kinds, 60.0 * given.minutes)


def _rounds(soak: Soak, kinds: dict[str, tuple[Callable[[int], None], int]], seconds: float) -> int:
    start = said = time.monotonic()
    turn = 0
    while time.monotonic() - start < seconds:
        for kind, (once, size) in kinds.items():
            for number in range(turn * size, (turn + 1) * size):
                if _done(soak, kind, (once, 1), number):
                    return 1
        turn += 1
        if time.monotonic() - said > 60:
            said = time.monotonic()
            _say(soak, said - start)
    _say(soak, time.monotonic() - start)
    return 0


def _done(soak: Soak, kind: str, how: tuple[Callable[[int], None], int], number: int) -> int:
    try:
        how[0](number)
    except Exception:
        traceback.print_exc()
        again = f"python -m tests.soak --seed {soak.seed} --only {kind} --number {number}"
        print(f"\n{kind} {number} did not hold. Repeat it with\n    {again}", flush=True)
        return 1
    return 0


def _say(soak: Soak, seconds: float) -> None:
    print(f"after {seconds / 60:.1f} minutes", flush=True)
    for kind, counts in soak.counts.items():
        listed = ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))
        print(f"  {kind}: {listed}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
