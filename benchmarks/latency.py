"""Seconds for one suggestion, told one result since the last one, beside the peers.

    python -m benchmarks.latency            all sizes, and the steady state of a 200-trial run
    python -m benchmarks.latency --quick    n up to 300, 100 for the slowest; three suggestions each
    python -m benchmarks.latency --processor    n up to 300, by the processor's time, on one thread:
                                                for a machine that has other work to do
    python -m benchmarks.latency --processor --largest    n = 1000 alone

Each peer has seen n - 7 results and been asked once; then they are told a result and asked for the
next trial seven times, in turns, and the median of each counts: what else the machine does falls on
all of them alike. Each runs with one and with two threads, and the better counts; in the steady
state each has the threads that served it best at n = 100, d = 4.

The peers learn their parameters anew for every suggestion. pathmax is there as a user gets it, and
with parameters learnt anew each time (`refit_every=1`). As it comes, parameters are learnt when
results have grown by a twentieth or one is surprising, so a median over few suggestions may leave
the learning out: pathmax is asked at least n/20 times, and tables have the mean as well.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.clock import machine, readable, table
from benchmarks.peers import ALL, Peer, PeerError

SIZES = ((20, 4), (100, 4), (100, 10), (300, 10), (1000, 10))
# name -> peer, what its `start` is given, the largest n that is worth waiting for
ENTRIES: dict[str, tuple[str, dict[str, Any], int]] = {
    "pathmax": ("pathmax", {}, 10_000),
    "pathmax, learnt each time": ("pathmax", {"refit_every": 1}, 10_000),
    "BoTorch LogEI": ("botorch", {"method": "logei"}, 10_000),
    "BoTorch pathwise TS": ("botorch", {"method": "ts"}, 10_000),
    "Optuna GPSampler": ("optuna", {"method": "gp"}, 10_000),
    "scikit-optimize": ("skopt", {"method": "GP"}, 300),
    "bayesian-optimization": ("bayesopt", {}, 300),
}
ASKS, FEW_ASKS = 7, 3
THREADS = (1, 2)
STEADY = "200 trials"
BARS = (  # entry, the sizes, how many times as long as pathmax at least
    ("Optuna GPSampler", SIZES[:4], 3.0),
    ("BoTorch LogEI", SIZES[:4], 5.0),
    ("Optuna GPSampler", SIZES[4:], 10.0),
    ("BoTorch LogEI", SIZES[4:], 10.0),
)
PATIENCE = 240.0  # seconds for a run of 200 trials; later trials take longer than the earlier ones


class Best(NamedTuple):
    """A peer's time, the threads that it had, and whether patience ended before the run did."""

    seconds: float
    threads: int
    cut: bool = False
    mean: float | None = None  # of the times that `seconds` is the median of

    def __str__(self) -> str:
        mean = "" if self.mean is None else f", mean {readable(self.mean)}"
        return ("more than " if self.cut else "") + readable(self.seconds) + mean

    def times(self, other: Best) -> list[float]:
        """How many times as long as another: by the median and, where both have one, the mean."""
        means = [self.mean / other.mean] if self.mean and other.mean else []
        return [self.seconds / other.seconds, *means]


Row = dict[str, Best]  # entry -> what it took; an entry that could not run is missing


def box(d: int) -> list[dict[str, Any]]:
    return [{"name": f"x{j}", "kind": "float", "low": 0.0, "high": 1.0} for j in range(d)]


def loss(params: dict[str, float]) -> float:
    x = np.array(list(params.values()))
    return float(3.0 * np.sum((x - 0.4) ** 2) - np.cos(7.0 * (x - 0.4)).sum())


def rows(n: int, d: int, rng: np.random.Generator) -> list[dict[str, float]]:
    """Half spread out, half about the optimum, as a study leaves them."""
    U = rng.random((n, d))
    U[n // 2 :] = np.clip(0.4 + 0.2 * (U[n // 2 :] - 0.5), 0.0, 1.0)
    return [{f"x{j}": float(v) for j, v in enumerate(u)} for u in rng.permutation(U)]


class Entrant:
    """A peer that knows n results and is asked again and again."""

    def __init__(
        self, entry: str, peer: Peer, n: int, d: int, processor: bool = False, often: int = 1
    ) -> None:
        self.often = often  # how many times in a turn
        known = rows(n, d, np.random.default_rng(n + d))
        self.peer = peer
        self.took: list[float] = []
        self.processor = processor
        peer.call("start", space=box(d), seed=0, **ENTRIES[entry][1])
        peer.call("add", params=known, values=[loss(one) for one in known])
        self.params = peer.call("ask")

    def again(self) -> None:
        for _ in range(self.often):
            self.once()

    def once(self) -> None:
        """Tell it the newest result, ask for the next trial, and note how long both took."""
        before = self.peer.call("processor_seconds") if self.processor else 0.0
        self.peer.call("tell", params=self.params, value=loss(self.params))
        told = self.peer.seconds
        self.params = self.peer.call("ask")
        took = told + self.peer.seconds
        if self.processor:
            took = self.peer.call("processor_seconds") - before
        self.took.append(took)


def suggestions(n: int, d: int, full: bool, processor: bool = False) -> Row:
    """Median and mean seconds of all entries at one size; one that fails is left out."""
    entrants: dict[str, dict[int, Entrant]] = {}
    asks = ASKS if full or processor else FEW_ASKS
    threads = THREADS[:1] if processor else THREADS
    with ExitStack() as stack:
        for entry in entries(n, full):
            often = 1 + n // (20 * asks) if ENTRIES[entry][0] == "pathmax" else 1
            with trouble(entry):
                peers = {t: stack.enter_context(Peer(ENTRIES[entry][0], t)) for t in threads}
                entrants[entry] = {
                    t: Entrant(entry, p, n - often * asks, d, processor, often)
                    for t, p in peers.items()
                }
        for _ in range(asks):
            for entry in list(entrants):
                entrant = entrants.pop(entry)
                with trouble(entry):
                    for one in entrant.values():
                        one.again()
                    entrants[entry] = entrant
    return {
        entry: min(
            Best(float(np.median(one.took)), t, mean=float(np.mean(one.took)))
            for t, one in both.items()
        )
        for entry, both in entrants.items()
    }


def entries(n: int, full: bool) -> list[str]:
    """Those that are installed and worth waiting for with n results."""
    patience = 1 if full else 3
    return [
        entry
        for entry, (peer, _, largest) in ENTRIES.items()
        if patience * n <= largest and ALL[peer].ready
    ]


@contextmanager
def trouble(entry: str) -> Iterator[None]:
    """Say what went wrong with a peer, and go on without it."""
    try:
        yield
    except PeerError as error:
        print(f"  {entry}: {error}", file=sys.stderr, flush=True)


def steady(entry: str, threads: int, trials: int = 200, d: int = 4) -> Best:
    """Seconds a trial over a whole run from nothing, with the peer's own schedule.

    A run that outlasts PATIENCE ends there, with the mean of the trials that it made.
    """
    peer_name, options, _ = ENTRIES[entry]
    total, done = 0.0, 0
    with Peer(peer_name, threads) as peer:
        peer.call("start", space=box(d), seed=0, **options)
        while done < trials and total <= PATIENCE:
            params = peer.call("ask")
            total += peer.seconds
            peer.call("tell", params=params, value=loss(params))
            total += peer.seconds
            done += 1
    return Best(total / done, threads, done < trials)


def measure(
    sizes: tuple[tuple[int, int], ...], full: bool, processor: bool = False
) -> dict[str, Row]:
    """What is measured -> the times of all entries, told to standard error as they come."""
    found: dict[str, Row] = {}
    for n, d in sizes:
        what = title(n, d)
        found[what] = suggestions(n, d, full, processor)
        tell(what, found[what])
    if full:
        row: Row = {}
        for entry, earlier in found[title(100, 4)].items():
            with trouble(entry):
                row[entry] = steady(entry, earlier.threads)
        found[STEADY] = row
        tell(STEADY, row)
    return found


def title(n: int, d: int) -> str:
    return f"n = {n}, d = {d}"


def tell(what: str, row: Row) -> None:
    times = ", ".join(f"{entry} {took}" for entry, took in row.items())
    print(f"  {what}: {times}", file=sys.stderr, flush=True)


def cell(row: Row, entry: str) -> str:
    if entry not in row:
        return "-"
    if "pathmax" not in row:
        return str(row[entry])
    ratios = ", means ".join(f"{one:.1f}x" for one in row[entry].times(row["pathmax"]))
    return f"{row[entry]} ({'at least ' if row[entry].cut else ''}{ratios})"


def render(found: dict[str, Row]) -> str:
    peers = [entry for entry in ENTRIES if entry != "pathmax"]
    lines = [
        [
            "a 200-trial run, d = 4, each trial" if what == STEADY else what,
            str(row.get("pathmax", "-")),
            *(cell(row, entry) for entry in peers),
        ]
        for what, row in found.items()
    ]
    return table(["one suggestion", *ENTRIES], lines)


def verdict(found: dict[str, Row]) -> str:
    """How the least ratio to a peer stands to the bar of the design."""
    said = []
    for entry, sizes, bar in BARS:
        where = f"up to n = {sizes[-1][0]}" if len(sizes) > 1 else f"at n = {sizes[0][0]}"
        rows = {title(*size): found.get(title(*size), {}) for size in sizes}
        ratios = [
            min(row[entry].times(row["pathmax"]))
            for row in rows.values()
            if entry in row and "pathmax" in row
        ]
        state = "not measured"
        if ratios:
            state = "met" if min(ratios) >= bar else "missed"
            state += f", {min(ratios):.1f}x at the least"
            if len(ratios) < len(rows):
                state += f", measured at {len(ratios)} of {len(rows)} sizes"
        said.append(f"{bar:.0f}x for {entry} {where}: {state}")
    return "Bars: " + "; ".join(said) + "."


def draw(found: dict[str, Row], file: Path) -> None:
    """The times as bars, a group for each size, on a logarithmic scale."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8.5, 4.2), layout="constrained")
    width = 0.8 / len(ENTRIES)
    for i, entry in enumerate(ENTRIES):
        have = [(j, row[entry].seconds) for j, row in enumerate(found.values()) if entry in row]
        at = [j + (i - (len(ENTRIES) - 1) / 2) * width for j, _ in have]
        axes.bar(at, [took for _, took in have], width, label=entry, color=f"C{i}")
    axes.set_yscale("log")
    labels = [what.replace(", ", "\n") for what in found]
    axes.set_xticks(range(len(found)), [one.replace(STEADY, "200 trials,\neach") for one in labels])
    axes.set_ylabel("seconds for one suggestion")
    axes.legend(fontsize=8, ncols=3, loc="upper left")
    axes.set_ylim(top=axes.get_ylim()[1] * 6)
    axes.grid(axis="y", alpha=0.3)
    figure.savefig(file, dpi=150)
    pyplot.close(figure)


def report(
    sizes: tuple[tuple[int, int], ...], full: bool, figure: Path | None, processor: bool = False
) -> str:
    found = measure(sizes, full, processor)
    if figure is not None:
        draw(found, figure)
    return render(found) + "\n\n" + verdict(found)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--processor", action="store_true")
    parser.add_argument("--largest", action="store_true", help="the largest size alone")
    parser.add_argument("--figure", type=Path, help="where to draw the times")
    options = parser.parse_args()
    print(machine() + "\n")
    quick = options.quick or options.processor
    sizes = SIZES[-1:] if options.largest else SIZES[:-1] if quick else SIZES
    print(report(sizes, not quick, options.figure, options.processor))


if __name__ == "__main__":
    main()
