"""Every benchmark in one go.

    python -m benchmarks           a quick version, about ten minutes once the peers are installed
    python -m benchmarks --full    all of it (hours); writes benchmarks/RESULTS.md and its figures
    python -m benchmarks --full --only "One suggestion" Pools       some sections of it

Sample efficiency reads the traces that there are and runs what is missing.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks import (
    anatomy,
    efficiency,
    gp,
    growth,
    latency,
    peers,
    pools,
    startup,
    storage,
    weight,
)
from benchmarks.clock import machine

HERE = Path(__file__).parent
# HEBO needs minutes for a run of 60 evaluations in which the others need seconds: by name only
TOO_SLOW = ("hebo",)
QUICK_METHODS = ["pathmax", "sobol", "optuna tpe", "optuna gp", "botorch logei"]


def sections(full: bool) -> list[tuple[str, Callable[[], str]]]:
    def one_suggestion() -> str:
        figure = HERE / "latency.png" if full else None
        text = latency.report(latency.SIZES if full else latency.SIZES[:-1], full, figure)
        return text + ("\n\n![one suggestion](latency.png)" if full else "")

    def sample_efficiency() -> str:
        suite = "development" if full else "quick"
        all_methods = [method for method in efficiency.METHODS if method not in TOO_SLOW]
        methods = all_methods if full else QUICK_METHODS
        ready = [m for m in methods if peers.ALL[efficiency.METHODS[m][0]].ready]
        efficiency.run(suite, ready, (0, 1))
        if not full:
            return efficiency.report(suite, ready)
        theirs = ["pathmax", *(m for m in ready if not m.startswith("pathmax"))]
        ours = [m for m in ready if m.startswith("pathmax")]
        return "\n\n".join(
            [
                efficiency.report(suite, theirs, HERE / "profile.png"),
                "![data profile](profile.png)",
                "pathmax with its other methods, on the same surrogate:",
                efficiency.report(suite, ours),
            ]
        )

    sizes = [20, 100, 300, 1000, 2000] if full else [20, 100, 300]
    rows = (10**4, 10**5, 10**6) if full else (10**4, 10**5)
    return [
        ("One suggestion", one_suggestion),
        (
            "Where the time goes",
            lambda: anatomy.report(anatomy.SIZES if full else anatomy.SIZES[:-1]),
        ),
        ("The Gaussian process", lambda: gp.report(sizes)),
        ("Pools", lambda: pools.report(rows)),
        ("Start-up and weight", weight.report),
        ("Import", startup.report),
        (
            "Growth",
            lambda: (
                growth.report(growth.SIZES, growth.DIMENSIONS)
                if full
                else growth.report(growth.SIZES[:3], growth.DIMENSIONS[:3])
            ),
        ),
        ("Storage", lambda: storage.report() if full else storage.report(100, 1, 10.0)),
        ("Sample efficiency", sample_efficiency),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--only", nargs="+", help="titles of the sections to run")
    options = parser.parse_args()
    print("Installing what is missing of the peers ...", flush=True)
    for name, state in peers.make(list(peers.ALL)).items():
        print(f"  {name}: {state}", flush=True)
    print(machine())
    for title, work in sections(options.full):
        if options.only and title not in options.only:
            continue
        started = time.perf_counter()
        text = work()
        print(f"\n## {title} ({time.perf_counter() - started:.0f} s)\n\n{text}", flush=True)
        if options.full:
            write(title, text)


def write(title: str, text: str) -> None:
    """Put a section into RESULTS.md, in place of an older one with the same title."""
    file = HERE / "RESULTS.md"
    whole = file.read_text() if file.exists() else f"# Results\n\n{machine()}\n"
    head = f"\n## {title}\n"
    before, _, rest = whole.partition(head)
    _, mark, after = rest.partition("\n## ")
    file.write_text(before.rstrip() + f"\n{head}\n{text}\n" + (mark + after if mark else ""))


if __name__ == "__main__":
    main()
