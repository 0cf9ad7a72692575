"""Every benchmark in one go.

    python -m benchmarks           a quick version, about ten minutes once the peers are installed
    python -m benchmarks --full    all of it, about an hour; writes benchmarks/RESULTS.md
    python -m benchmarks --full --only "One suggestion" Pools       some sections of it

Sample efficiency reads the traces that there are and runs what is missing, which takes hours when
there are none.
"""

from __future__ import annotations

import argparse
import time

from benchmarks import page, peers
from benchmarks.clock import machine


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--only", nargs="+", help="titles of the sections to run")
    options = parser.parse_args()
    titles = [section.title for section in page.SECTIONS]
    if unknown := set(options.only or ()) - set(titles):
        parser.error(f"no section is called {unknown.pop()!r}; there are {', '.join(titles)}")
    print("Installing what is missing of the peers ...", flush=True)
    for name, state in peers.make(list(peers.ALL)).items():
        print(f"  {name}: {state}", flush=True)
    print(machine())
    if options.full:
        page.write_head()
    for section in page.SECTIONS:
        if options.only and section.title not in options.only:
            continue
        started = time.perf_counter()
        text = section.work(options.full)
        took = time.perf_counter() - started
        print(f"\n## {section.title} ({took:.0f} s)\n\n{text}", flush=True)
        if options.full:
            page.write(section.title, f"{section.says}\n\n{text}")


if __name__ == "__main__":
    main()
