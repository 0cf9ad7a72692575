"""What README and docs/reproduce.md say about the paper, from the report in the repository.

    python -m benchmarks.reproduction_text            prints the texts
    python -m benchmarks.reproduction_text --write    and puts them into the two pages

Numbers are those of reproduction/curves.npz and reproduction/report.md; a test holds the pages to
them. Run it when the report is a new one.
"""

from __future__ import annotations

import argparse
import re
import textwrap
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from benchmarks import marked_text
from pathmax.experiments.paper import OF_THE_PAPER, PRINTED_TRIALS, SECTION_METHODS, SETTINGS
from pathmax.experiments.reporting.claims import INFERIOR, name_of
from pathmax.experiments.reporting.paired_trials import paired
from pathmax.experiments.reporting.tables import FOUND

ROOT = Path(__file__).parent.parent
COMMAND = "python -m benchmarks.reproduction_text --write"
NEEDLE = "alkox"
Curves = Mapping[tuple[str, str], np.ndarray]  # setting, method -> (trials, T + 1) simple regret


def read_curves(folder: Path = ROOT / "reproduction") -> dict[tuple[str, str], np.ndarray]:
    with np.load(folder / "curves.npz") as data:
        kept = {key: data[key] for key in data.files if key.endswith("/regret")}
    return {(key.split("/")[0], key.split("/")[1]): curve for key, curve in kept.items()}


def read_report(folder: Path = ROOT / "reproduction") -> str:
    return (folder / "report.md").read_text(encoding="utf-8")


def found(curves: Curves, setting: str, method: str) -> tuple[int, int] | None:
    """In how many trials a method found the maximum, as the report counts it, and of how many."""
    there = {m: curve for (s, m), curve in curves.items() if s == setting and m != "jes-exact"}
    if method not in there:
        return None
    start = np.mean(np.concatenate([curve[:, 0] for curve in there.values()]))
    ends = there[method][:, -1]
    return int(np.sum(ends <= FOUND * start)), len(ends)


def inferior(curves: Curves) -> tuple[int, int]:
    """How many of "EI, JES, TS are inferior to others in both emulators" come out."""
    comes_out = checked = 0
    for setting in (s.name for s in SETTINGS["emulators"] if s.name.endswith("-paper")):
        others = [m for m in SECTION_METHODS["emulators"] if m not in INFERIOR]
        ends = {m: curve[:, -1] for (s, m), curve in curves.items() if s == setting}
        for method in INFERIOR:
            if method in ends and any(other in ends for other in others):
                gaps = [paired(ends[method], ends[other]) for other in others if other in ends]
                checked += 1
                comes_out += all(gap.worse for gap in gaps)
    return comes_out, checked


def trials(curves: Curves) -> str:
    """How many trials there are of the paper's settings, and whether those are all."""
    wanted = [
        (setting.name, method)
        for section in OF_THE_PAPER
        for setting in SETTINGS[section]
        for method in SECTION_METHODS[section]
    ]
    counts = [len(curves[pair]) for pair in wanted if pair in curves]
    if len(counts) == len(wanted) and set(counts) == {PRINTED_TRIALS}:
        return f"{PRINTED_TRIALS} trials of every method, as in the paper"
    missing = len(wanted) - len(counts)
    lacking = f", and {missing} of {len(wanted)} pairs of a method and a setting have none"
    return (
        f"{min(counts)} to {max(counts)} trials where the paper has {PRINTED_TRIALS}"
        f"{lacking if missing else ''}"
    )


def verdicts(report: str) -> str:
    match = re.search(r"(\d+) come out, (\d+) do not, and\s+(\d+) cannot be told", report)
    assert match is not None, "the report begins with them"
    return "{} come out, {} do not, and {} cannot be told from chance".format(*match.groups())


def computing(report: str) -> str:
    match = re.search(r"\| all \| ([\d:]+) \||In all ([\d:]+) of computing", report)
    assert match is not None, "the report ends with it"
    *hours, minutes, seconds = (match[1] or match[2]).split(":")
    return f"{hours[0]} h {minutes} min" if hours else f"{minutes} min {seconds} s"


def engine(report: str) -> str:
    match = re.search(r"^Made by `[^`]+` with engine (\d+)\.", report, re.MULTILINE)
    assert match is not None, "the report says which engine its runs are of"
    return match[1]


def needle(curves: Curves, setting: str) -> str:
    """PIMS and the others on the emulator that is flat but for one place."""
    counts = {m: found(curves, setting, m) for m in SECTION_METHODS["emulators"]}
    shown = [f"{name_of(m)} in {n[0]} of {n[1]}" for m, n in counts.items() if n is not None]
    return ", ".join(shown)


def readme(curves: Curves, report: str) -> str:
    come, checked = inferior(curves)
    return wrapped(
        f"[The report in the repository](reproduction/report.md), of engine {engine(report)}, has "
        f"{trials(curves)}. Of the paper's statements that are checked {verdicts(report)}. The "
        "emulator alkox has two hills. With the paper's own surrogate the higher one is found by "
        f"{needle(curves, f'{NEEDLE}-paper')} trials; with pathmax's priors by "
        f"{needle(curves, NEEDLE)}. That EI, JES and TS are inferior to all others on the "
        f"emulators comes out in {come} of {checked} cases with the paper's surrogate."
    )


def page(curves: Curves, report: str) -> str:
    return wrapped(
        f"`reproduction/report.md`, of engine {engine(report)}, took {computing(report)} of "
        f"computing on one core, and says what each method took. It has {trials(curves)}: with the "
        "paper's surrogate and with pathmax's priors, on the same trials. Of the paper's "
        f"statements that are checked {verdicts(report)}; medians and paired tests stand beside "
        "the means."
    )


def wrapped(text: str) -> str:
    return "\n".join(textwrap.wrap(text, 120, break_long_words=False, break_on_hyphens=False))


PAGES = {ROOT / "README.md": readme, ROOT / "docs" / "reproduce.md": page}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--write", action="store_true", help="put the texts into the pages")
    write = parser.parse_args().write
    curves, report = read_curves(), read_report()
    for file, make in PAGES.items():
        made = make(curves, report)
        print(f"{file.name}:\n{made}\n")
        if write:
            marked_text.write(file, COMMAND, made)


if __name__ == "__main__":
    main()
