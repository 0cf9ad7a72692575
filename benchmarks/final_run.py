"""The final run: every figure of README.md, benchmarks/ and docs/ from the code as it is.

    python -m benchmarks.final_run --list            the steps, their state and what is left
    python -m benchmarks.final_run                   runs what is not up to date
    python -m benchmarks.final_run --minutes 150     starts nothing that would go beyond that
    python -m benchmarks.final_run --quiet-only      the figures of time alone
    python -m benchmarks.final_run --only guesses    some steps; with --again also if up to date
    python -m benchmarks.final_run --table           makes the table of RESULTS.md again

The steps are in `final_steps` and `final_times`. A step is up to date if it was finished with an
engine that suggests there what the code does (`Step.since`) and its runs are of such engines;
figures of time moreover hold for one state of `src` (the files as git names them, but for the one
with the version). Runs of peers do not depend on our code: those that are there stay, and a step
makes the ones that are missing. final_run.json records for each finished step the engine, the
commit, the date and the minutes of a core. So a run can be stopped at any time, and goes on where
it was.

What a command prints is put into its part of a page, with a line that says what it is of. Sentences
about the figures are written by people: those of the pages of a step are listed that have a number
which the command no longer prints. Figures of time are not measured while the machine is busy.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import resource
import shlex
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pathmax
from benchmarks import marked_text, peer_runs, peers
from benchmarks.clock import table
from benchmarks.engines import is_current
from benchmarks.final_steps import SUITES, Step, line_of
from benchmarks.final_times import TIMES
from pathmax.suggestion.explanation import ENGINE

HERE = Path(__file__).parent
ROOT = HERE.parent
RECORDS = HERE / "final_run.json"
RESULTS = HERE / "RESULTS.md"
TABLE = "python -m benchmarks.final_run --table"
BUSY = 1.5  # a load that other programs cause: a step of our own leaves one of 1
CALM = 300.0  # seconds that one is waited for after a step with many processes
Record = dict[str, Any]
STEPS = {step.name: step for step in (*TIMES, *SUITES)}


# ---- what is there


def records() -> dict[str, Record]:
    found: dict[str, Record] = json.loads(RECORDS.read_text()) if RECORDS.exists() else {}
    return found


def git(*arguments: str) -> str:
    """What git says; nothing where there is none, as in a source distribution."""
    try:
        command = ["git", "-C", str(ROOT), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def source() -> str:
    """The state of `src` by what git calls its files; none while some have changes.

    The file with the version is left out: a release changes nothing that takes time.
    """
    if git("status", "--porcelain", "src"):
        return ""
    files = git("ls-tree", "-r", "HEAD", "src").splitlines()
    counted = [line for line in files if not line.endswith("src/pathmax/__init__.py")]
    return hashlib.sha1("\n".join(counted).encode()).hexdigest() if counted else ""


def runs_of(step: Step) -> tuple[int, int, float]:
    """How many runs of a step are to be made, how many it has in all, and minutes for the first."""
    lacking, minutes = 0, 0.0
    for file, runs, spent, ours in step.kept:
        rows = peer_runs.rows(HERE / "traces" / file)
        usable = sum(peer_runs.is_usable(row, ours, step.since) for row in rows)
        lacking += max(0, runs - usable)
        minutes += spent * max(0, runs - usable) / runs
    return lacking, sum(one.runs for one in step.kept), minutes


def state(step: Step, record: Mapping[str, Any] | None) -> str:
    """Why a step is to be run, or nothing if it is up to date."""
    lacking, runs, _ = runs_of(step)
    if lacking:
        return f"{lacking} of {runs} runs to be made"
    if record is None:
        return "never run"
    if not is_current(record["engine"], step.since):
        return f"of engine {record['engine']}"
    if step.quiet and record.get("source") != source():
        return "of other sources"
    return ""


def left(step: Step, record: Mapping[str, Any] | None) -> float:
    """Minutes of a core that a step takes as things are."""
    return step.minutes + runs_of(step)[2] if state(step, record) else 0.0


# ---- what is shown


def listing(steps: Iterable[Step], known: Mapping[str, Record]) -> str:
    """The steps with their state, and how much is left."""
    rows, total, quiet = [], 0.0, 0.0
    for step in steps:
        record = known.get(step.name)
        minutes = left(step, record)
        total, quiet = total + minutes, quiet + minutes * step.quiet
        cells = [state(step, record) or "up to date", f"{minutes:.0f}" if minutes else ""]
        rows.append([step.name, *cells, "yes" if step.quiet else "", step.pages])
    text = table(["step", "state", "minutes left", "quiet cores", "pages"], rows)
    return f"{text}\n\nLeft: {total:.0f} minutes of a core, {quiet:.0f} of them on quiet cores."


def figures() -> str:
    """The table of RESULTS.md: page by page what the figures are of."""
    known, rows = records(), []
    for step in STEPS.values():
        record = known.get(step.name, {"engine": "none"})
        theirs = step.kept and not any(one.ours for one in step.kept)
        said = [f"`{line.removeprefix('python -m benchmarks.')}`" for line in shown(step)]
        when = ", ".join(str(record[one]) for one in ("date", "commit") if record.get(one))
        spent = f"{record['minutes']:.1f}" if "minutes" in record else ""
        engine = "" if theirs else str(record["engine"])
        rows.append([step.name, step.pages, ", ".join(said), engine, when, spent])
    head = ["figures", "pages", "printed by", "engine", "run", "minutes of a core"]
    return table(head, rows)


def shown(step: Step) -> list[str]:
    """The commands that print figures; of a step that only makes runs, those."""
    printing = [line for line in step.lines if marked_text.pages_of(line)]
    return printing or step.lines


# ---- what is done


def perform(step: Step, minutes_left: float) -> Record | None:
    """Run a step and put what it prints into the pages; its record if it came to its end."""
    spent = 0.0
    for command in step.commands:
        line, load, before = line_of(command), os.getloadavg()[0], processor_minutes()
        print(f"\n$ {line}", flush=True)
        printed = execute(command.format(minutes=f"{minutes_left:.0f}"))
        if printed is None:
            print(f"{step.name}: this command failed, and the step is not recorded", flush=True)
            return None
        took = processor_minutes() - before
        spent += took
        of = f"*Engine {ENGINE}, {commit()}, {date.today()}, {took:.1f} minutes of a core, load "
        of += f"{load:.1f} at the start.*"
        for page in marked_text.pages_of(line) if "--write" not in command else []:
            old = marked_text.parts(page.read_text(encoding="utf-8"))[line]
            marked_text.write(page, line, f"{printed}\n\n{of}")
            for one in marked_text.quoted(old, printed, pages_of(step)):
                print(f"  look at {one}", flush=True)
    record = {"engine": ENGINE, "commit": commit(), "date": str(date.today())}
    return record | {"source": source(), "minutes": round(spent, 1)}


def pages_of(step: Step) -> list[Path]:
    """The pages that have or quote the figures of a step."""
    named = [ROOT / page for page in step.pages.split(", ") if page]
    return [page if page.exists() else HERE / page.name for page in named]


def execute(command: str) -> str | None:
    """What a command prints, shown as it comes; None if it failed."""
    words = shlex.split(line_of(command))
    python = [sys.executable, "-m"] if words[0] == "pathmax" else [sys.executable]
    with subprocess.Popen(
        [*python, *(words if words[0] == "pathmax" else words[1:])],
        cwd=ROOT,
        env={"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"} | os.environ,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        lines = []
        for line in process.stdout:
            lines.append(line)
            print(line, end="", flush=True)
    return "".join(lines).strip() if process.returncode == 0 else None


def processor_minutes() -> float:
    """Of all commands that have ended, their workers included."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (spent.ru_utime + spent.ru_stime) / 60.0


def commit() -> str:
    """The commit of the sources, with a + if they have changes since."""
    changed = "+" if git("status", "--porcelain", "src", "benchmarks/*.py") else ""
    return git("rev-parse", "--short", "HEAD") + changed


def hindrance(step: Step, minutes_left: float, record: Mapping[str, Any] | None) -> str:
    """Why a step that is not up to date is not begun now, if it is not."""
    if not any("{minutes}" in one for one in step.commands) and left(step, record) > minutes_left:
        return f"takes {left(step, record):.0f} minutes"
    if step.quiet and os.getloadavg()[0] > BUSY:
        return f"the load is {os.getloadavg()[0]:.1f}, and times are to be measured on quiet cores"
    if step.file and not (ROOT / step.file).exists():
        return f"{step.file} is to be put beside the Makefile; its module says where it is from"
    found = peers.make(step.peers)
    return "; ".join(f"{name}: {said}" for name, said in found.items() if said != "ready")


def wait_for_calm() -> None:
    """Until the load that our own last step has left is gone, or it is somebody else's."""
    until = time.perf_counter() + CALM
    while os.getloadavg()[0] > BUSY and time.perf_counter() < until:
        time.sleep(5.0)


def run(steps: Iterable[Step], minutes: float, again: bool = False) -> None:
    """What is not up to date, in order; the table of RESULTS.md after each."""
    began, began_one = time.perf_counter(), False
    for step in steps:
        record = records().get(step.name)
        remaining = minutes - (time.perf_counter() - began) / 60.0
        if remaining <= 0.0 or (not again and not state(step, record)):
            continue
        if step.quiet and began_one:
            wait_for_calm()
        if why := hindrance(step, remaining, record):
            print(f"{step.name}: not begun: {why}", flush=True)
            continue
        began_one = True
        finished = perform(step, remaining)
        if finished is not None and not runs_of(step)[0]:
            RECORDS.write_text(json.dumps(records() | {step.name: finished}, indent=1) + "\n")
        marked_text.write(RESULTS, TABLE, figures())


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--only", nargs="+", metavar="STEP", default=list(STEPS))
    parser.add_argument("--quiet-only", action="store_true")
    parser.add_argument("--again", action="store_true")
    asked = parser.parse_args(arguments)
    if unknown := [name for name in asked.only if name not in STEPS]:
        parser.error(f"no step is called {unknown[0]!r}; there are {', '.join(STEPS)}")
    steps = [STEPS[name] for name in STEPS if name in asked.only]
    steps = [step for step in steps if step.quiet or not asked.quiet_only]
    if asked.list:
        print(listing(steps, records()))
    elif asked.table:
        marked_text.write(RESULTS, TABLE, figures())
    elif ROOT / "src" not in Path(pathmax.__file__).parents:
        parser.error(f"pathmax is that of {pathmax.__file__}: set PYTHONPATH to {ROOT / 'src'}")
    else:
        run(steps, asked.minutes, asked.again)


if __name__ == "__main__":
    main()
