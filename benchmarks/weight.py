"""What it costs to have and to start: megabytes installed, and the time to a first suggestion.

    python -m benchmarks.weight

Megabytes are those of a fresh virtual environment with the package and what it requires, without
pip and setuptools. Seconds are the processor time of a process up to the first suggestion that a
model made, ten results being known already; the least of five.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.clock import machine, table
from benchmarks.latency import ENTRIES, box, loss, rows
from benchmarks.peers import ALL, ENVIRONMENTS, Peer, PeerError, versions

NOT_COUNTED = ("pip", "setuptools", "pkg_resources", "_distutils_hack")
PROJECT = Path(__file__).parent.parent


def megabytes(environment: Path) -> float:
    """The size of what is installed in a virtual environment."""
    total = 0
    for packages in environment.glob("lib/python*/site-packages"):
        for entry in packages.iterdir():
            if not entry.name.startswith(NOT_COUNTED):
                files = entry.rglob("*") if entry.is_dir() else [entry]
                total += sum(f.stat().st_size for f in files if f.is_file())
    return total / 1e6


def our_megabytes() -> float:
    """pathmax and what it requires, installed in an environment of its own."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        python = str(Path(folder) / "bin" / "python")
        install = [python, "-m", "pip", "install", "-q", str(PROJECT)]
        subprocess.run(install, check=True, capture_output=True)
        return megabytes(Path(folder))


def first_suggestion(entry: str, repeats: int = 5) -> float:
    name, options, _ = ENTRIES[entry]
    known = rows(10, 4, np.random.default_rng(0))
    values = [loss(one) for one in known]
    times = []
    for _ in range(repeats):
        with Peer(name) as peer:
            peer.call("start", space=box(4), seed=0, **options)
            peer.call("add", params=known, values=values)
            peer.call("ask")
            times.append(peer.call("processor_seconds"))
    return min(times)


def report() -> str:
    lines = []
    for entry, (name, _, _) in ENTRIES.items():
        if entry.endswith("TS") or not ALL[name].ready:
            continue
        size = our_megabytes() if name == "pathmax" else megabytes(ENVIRONMENTS / name)
        try:
            seconds = f"{first_suggestion(entry):.2f} s"
        except PeerError as error:
            print(error)
            seconds = "-"
        lines.append([entry, f"{size:.0f} MB", seconds])
    shown = table(["package", "installed", "to the first suggestion"], lines)
    return f"{shown}\n\nPeers: {versions()}."


def main() -> None:
    print(machine() + "\n")
    print(report())


if __name__ == "__main__":
    main()
