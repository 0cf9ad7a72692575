"""A quick look at pathmax beside its peers, about ten minutes once these are installed.

    python -m benchmarks                                      all of it
    python -m benchmarks --only "One suggestion" Pools        some sections

The figures of the pages come from `python -m benchmarks.final_run`, which takes hours.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

from benchmarks import (
    anatomy,
    efficiency,
    gp,
    growth,
    latency,
    outcomes,
    outcomes_latency,
    peers,
    pools,
    startup,
    storage,
    weight,
)
from benchmarks.clock import machine

METHODS = ("pathmax", "sobol", "optuna tpe", "optuna gp", "botorch logei")


def sample_efficiency() -> str:
    ready = [one for one in METHODS if peers.ALL[efficiency.METHODS[one][0]].ready]
    efficiency.run("quick", ready, (0, 1))
    return efficiency.report("quick", ready)


def several_outcomes() -> str:
    """How fast, and what the traces say; none is made here: a run of BoTorch takes minutes."""
    kept = [method for method in outcomes.METHODS if outcomes.load(method)]
    return f"{outcomes_latency.report(3)}\n\n{outcomes.report(kept)}"


SECTIONS: dict[str, Callable[[], str]] = {
    "One suggestion": lambda: latency.report(latency.SIZES[:-1], False, None),
    "Where the time goes": lambda: anatomy.report(anatomy.SIZES[:-1]),
    "The Gaussian process": lambda: gp.report([20, 100, 300]),
    "Pools": lambda: pools.report((10**4, 10**5)),
    "Start-up and weight": weight.report,
    "Import": startup.report,
    "Growth": lambda: growth.report(growth.SIZES[:3], growth.DIMENSIONS[:3]),
    "Storage": lambda: storage.report(100, 1, 10.0),
    "Sample efficiency": sample_efficiency,
    "Several outcomes": several_outcomes,
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--only", nargs="+", help="titles of the sections to run")
    options = parser.parse_args()
    if unknown := set(options.only or ()) - set(SECTIONS):
        known = ", ".join(SECTIONS)
        parser.error(f"no section is called {unknown.pop()!r}; there are {known}")
    print("Installing what is missing of the peers ...", flush=True)
    for name, state in peers.make(list(peers.ALL)).items():
        print(f"  {name}: {state}", flush=True)
    print(machine())
    for title, work in SECTIONS.items():
        if not options.only or title in options.only:
            started = time.perf_counter()
            text = work()
            took = time.perf_counter() - started
            print(f"\n## {title} ({took:.0f} s)\n\n{text}", flush=True)


if __name__ == "__main__":
    main()
