"""Cut a release: the version in the sources and the citation, the changelog closed with a date.

Lines of pages that say with which versions a figure was measured get the new one as well: a figure
that is up to date is of this code, which bore the number of the release before it until now.

    python -m tests.packaging.cut_release 0.2.0              if every figure is up to date
    python -m tests.packaging.cut_release 0.2.0 --anyway     to try it, in a clone

Nothing is committed, tagged or uploaded; what is left to do is printed.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from datetime import date
from pathlib import Path

ROOT = Path(__file__).parents[2]
UNRELEASED = "## [Unreleased]"
NEXT = """
Look at it with git diff, then:
    python -m tests.packaging.licences     what is installed beside it, and whether the page has it
    make test
    make package
    git commit -am "Release {version}"
    git tag -a {version} -m "Release {version}"
and upload what is in dist/. The next change begins a section {unreleased} in CHANGELOG.md."""


def numbered(text: str, version: str) -> str:
    """The sources or the citation with another version."""
    found = re.subn(r'^(__version__ = "|version: )[\d.]+', rf"\g<1>{version}", text, flags=re.M)
    assert found[1] == 1, "one line has the version"
    return found[0]


def dated(text: str, version: str, day: str) -> str:
    """The citation with the day of the release, which is new at the first one."""
    text = numbered(re.sub(r"^date-released: .*\n", "", text, flags=re.M), version)
    return re.sub(r"^(version: .*\n)", rf"\g<1>date-released: {day}\n", text, flags=re.M)


def closed(text: str, version: str, day: str) -> str:
    """The changelog with what was unreleased as a version of its own."""
    if text.count(UNRELEASED) != 1:
        raise SystemExit(f"CHANGELOG.md has no section {UNRELEASED}: there is nothing to cut")
    return text.replace(UNRELEASED, f"## {version} - {day}")


def measured(text: str, version: str) -> str:
    """A page whose figures are of this version: "numpy 2.4.6, scipy 1.17.1, pathmax 0.1.0"."""
    return re.sub(r"(, scipy [\w.+]+, pathmax )\d+\.\d+\.\d+", rf"\g<1>{version}", text)


def out_of_date() -> list[str]:
    """The steps of the final run that would have to be run for this release."""
    from benchmarks import final_run

    known = final_run.records()
    found = {name: final_run.state(step, known.get(name)) for name, step in final_run.STEPS.items()}
    return [f"{name}: {why}" for name, why in found.items() if why]


def newer(version: str, than: str) -> bool:
    return [int(part) for part in version.split(".")] > [int(part) for part in than.split(".")]


def cut(version: str, day: str, root: Path = ROOT) -> None:
    """Write the version where it stands."""
    changes: dict[str, Callable[[str], str]] = {
        "src/pathmax/__init__.py": lambda text: numbered(text, version),
        "CITATION.cff": lambda text: dated(text, version, day),
        "CHANGELOG.md": lambda text: closed(text, version, day),
    }
    made = {name: change((root / name).read_text("utf-8")) for name, change in changes.items()}
    for page in (*root.glob("benchmarks/*.md"), *root.glob("docs/*.md")):
        if (text := measured(before := page.read_text("utf-8"), version)) != before:
            made[page.relative_to(root).as_posix()] = text
    for name, text in made.items():  # all of them or none
        (root / name).write_text(text, encoding="utf-8", newline="\n")
        print(f"{name}: {version}")


def main() -> None:
    import pathmax

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("version")
    parser.add_argument("--anyway", action="store_true", help="though figures are out of date")
    asked = parser.parse_args()
    if not re.fullmatch(r"\d+\.\d+\.\d+", asked.version):
        parser.error(f"a version is three numbers such as 0.2.0, got {asked.version}")
    if not newer(asked.version, pathmax.__version__):
        parser.error(f"{asked.version} is not after {pathmax.__version__}, which is there")
    if (old := out_of_date()) and not asked.anyway:
        parser.error("not every figure is of this code:\n  " + "\n  ".join(old))
    cut(asked.version, str(date.today()))
    print(NEXT.format(version=asked.version, unreleased=UNRELEASED))


if __name__ == "__main__":
    main()
