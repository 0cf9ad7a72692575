"""Parts of pages that a command prints, between two marks; all else is written by people.

<!-- made by: python -m benchmarks.guesses --seeds 60 --trials 30 -->

...

<!-- end of what is made -->
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parent.parent
END = "<!-- end of what is made -->"
MARK = re.compile(r"<!-- made by: (.+?) -->\n(.*?)" + re.escape(END), re.DOTALL)
NUMBER = re.compile(r"(?<![\w.])\d[\d,]*\.\d+|(?<![\w.])\d{3,}(?![\w.])")


def pages() -> list[Path]:
    """All that may have such parts."""
    folders = (ROOT / "docs", ROOT / "benchmarks")
    return [ROOT / "README.md", *(page for one in folders for page in sorted(one.glob("*.md")))]


def parts(text: str) -> dict[str, str]:
    """What each command has made of a page."""
    return {command: made.strip() for command, made in MARK.findall(text)}


def put(text: str, command: str, made: str) -> str:
    """A page with the part of one command replaced."""
    begin = f"<!-- made by: {command} -->"
    before, mark, rest = text.partition(begin)
    if not mark or END not in rest:
        raise ValueError(f"the page has no part that {command} makes; put {begin} and {END} there")
    return f"{before}{begin}\n\n{made.strip()}\n\n{END}{rest.partition(END)[2]}"


def pages_of(command: str) -> list[Path]:
    return [page for page in pages() if command in parts(page.read_text(encoding="utf-8"))]


def write(page: Path, command: str, made: str) -> None:
    text = put(page.read_text(encoding="utf-8"), command, made)
    page.write_text(text, encoding="utf-8", newline="\n")


def quoted(before: str, after: str, among: Iterable[Path]) -> list[str]:
    """Lines by hand with a number that a command printed before and does not print any more.

    A number of two digits may be anything; those with a point or three digits are looked for.
    """
    gone = set(NUMBER.findall(before)) - set(NUMBER.findall(after))
    found = []
    for page in among:
        by_hand = MARK.sub(lambda part: "\n" * part[0].count("\n"), page.read_text("utf-8"))
        for n, line in enumerate(by_hand.splitlines(), start=1):
            old = [one for one in dict.fromkeys(NUMBER.findall(line)) if one in gone]
            if old:
                found.append(f"{page.relative_to(ROOT)}:{n} has {', '.join(old)}")
    return found
