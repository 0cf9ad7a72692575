"""Processor time to import pathmax, beside the numpy and scipy.linalg that it cannot do without.

    python -m benchmarks.startup

Each line is a fresh interpreter, all lines in turn, and the least of the repeats is shown: the rest
is the machine doing something else. The budget is 2.5 times numpy and scipy.linalg, and 0.35 s.
"""

import os
import subprocess
import sys

from benchmarks.clock import table
from benchmarks.peers import BYTECODE

REPEATS = 11
BUDGET = 2.5
SECONDS = 0.35
CASES = {
    "numpy and scipy.linalg": "import numpy, scipy.linalg",
    "import pathmax": "import pathmax",
    "every public name": "import pathmax\nfor name in pathmax.__all__: getattr(pathmax, name)",
    "the first suggestion": (
        "import pathmax\nstudy = pathmax.Study({'x': pathmax.Float(0, 1)}, seed=0)\n"
        "for x in range(5): study.add({'x': x / 5}, float(x))\n"
        "study.ask()"
    ),
    "pathmax --help": (
        "import sys\nsys.argv = ['pathmax', '--help']\nimport pathmax.cli\n"
        "try: pathmax.cli.main()\n"
        "except SystemExit as end: assert not end.code"
    ),
}
TIMED = (
    "from time import process_time\nstart = process_time()\n{code}\nprint(process_time() - start)"
)


def seconds(code: str) -> float:
    """How long the code takes in a fresh interpreter, the interpreter's own start not counted."""
    command = [sys.executable, "-c", TIMED.format(code=code)]
    kept = {**os.environ, **BYTECODE}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=kept)
    return float(done.stdout.splitlines()[-1])


def report() -> str:
    """The table, and whether the budget holds."""
    times: dict[str, list[float]] = {name: [] for name in CASES}
    for _ in range(REPEATS):
        for name, code in CASES.items():
            times[name].append(seconds(code))
    base = min(times["numpy and scipy.linalg"])
    lines = [[name, f"{min(t):.3f} s", f"{min(t) / base:.2f}"] for name, t in times.items()]
    ratio = min(times["every public name"]) / base
    alone = min(times["import pathmax"])
    verdict = (
        f"Budget of `import pathmax`: {SECONDS} s, {kept(alone <= SECONDS)} at {alone:.3f} s; with "
        f"every public name {BUDGET} times numpy and scipy.linalg, {kept(ratio <= BUDGET)} at "
        f"{ratio:.2f}."
    )
    return table(["a fresh interpreter", "seconds", "ratio"], lines) + "\n\n" + verdict


def kept(it: bool) -> str:
    return "kept" if it else "broken"


def main() -> None:
    print(report())


if __name__ == "__main__":
    main()
