"""What pathmax and its extras really install here, with licences, beside docs/licences.md.

    python -m tests.packaging.licences      ends with 1 if the page leaves a package out

It is no test: a new release of a package that we require may bring another one any day. It is run
before a release, in the environment of `make test`, which has every extra.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "licences.md"
NOT_INSTALLED = {"all", "test", "docs", "dev"}  # extras for people who change pathmax


def required() -> dict[str, list[str]]:
    """The requirements of pathmax itself and of each extra."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"].items()
    return {"pathmax": project["dependencies"]} | {
        f"[{name}]": needed for name, needed in extras if name not in NOT_INSTALLED
    }


def brought(requirements: Iterable[str], extra: str = "") -> set[str]:
    """The packages that these bring on this machine, those that they require in turn included."""
    found: set[str] = set()
    todo = [(Requirement(one), extra) for one in requirements]
    while todo:
        one, of = todo.pop()
        if one.marker is not None and not one.marker.evaluate({"extra": of}):
            continue
        name = re.sub(r"[-_.]+", "-", one.name).lower()
        wanted = [Requirement(text) for text in metadata.requires(name) or []]
        if name not in found:
            todo += [(each, "") for each in wanted]
        todo += [(each, more) for more in one.extras for each in wanted if each.marker is not None]
        found.add(name)
    return found


def licence(name: str) -> str:
    """As the package says; of a whole text its classifier."""
    said = metadata.metadata(name)
    named = [text for text in said.get_all("Classifier", []) if text.startswith("License")]
    short = (said.get("License") or "").strip()
    short = short if short and "\n" not in short and len(short) < 60 else ""
    return said.get("License-Expression") or short or "; ".join(t.split(" :: ")[-1] for t in named)


def missing(page: str, names: Iterable[str]) -> list[str]:
    """Packages that no row of the page names."""
    rows = re.findall(r"^\| ([\w., -]+) \|", page, re.MULTILINE)
    listed = {name for row in rows for name in row.split(", ")}
    return sorted(name for name in names if name not in listed)


def main() -> None:
    where: dict[str, list[str]] = {}
    for what, requirements in required().items():
        for name in brought(requirements):
            where.setdefault(name, []).append(what)
    for name, extras in sorted(where.items()):
        print(f"{name} {metadata.version(name)} | {', '.join(extras)} | {licence(name)}")
    left_out = missing(PAGE.read_text("utf-8"), where)
    print(f"Not in {PAGE.name}: {', '.join(left_out) or 'nothing'}")
    sys.exit(bool(left_out))


if __name__ == "__main__":
    main()
