"""Where in a TOML file an entry stands, and what a syntax error there usually means.

`tomllib` tells the place of a syntax error but forgets the places of what it read.
"""

from __future__ import annotations

import re

_TABLE = re.compile(r"\s*\[\s*(?P<path>[^\[\]]+?)\s*\]")
_ENTRY = re.compile(r"""\s*(?P<key>"(?:[^"\\]|\\.)*"|'[^']*'|[\w-]+)\s*[=.]""")
_PLACE = re.compile(r"(?P<what>.*?) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end)")
_TWICE = re.compile(r"Cannot declare \((?P<path>.*)\) twice")

# (what the line looks like, what to do about it); the first that fits is told.
_HINTS = (
    (r"[\u201c\u201d\u201e\u2018\u2019]", 'replace the curly quotes by straight ones (")'),
    (r"\{[^}#\"]*;", "put commas between entries, as in { low = 20, high = 120 }"),
    (r"=\s*-?\d+,\d", "write a decimal point, as in 0.5"),
    (r"\b(low|high)\s*=\s*[\d.]+\s*[A-Za-zµ°%]", 'a unit has its own entry: unit = "..."'),
    (r"\b(True|False|yes|no|TRUE|FALSE)\b", "write true or false"),
    (r"=\s*[^\W\d]|[\[,]\s*[^\W\d]+\s*[,\]]", 'put text in straight quotes, as in "DMF"'),
    (r"^\s*[^\s#=\"']+\s+[^\s#=][^#=]*=",
     'a name with spaces needs quotes, as in "flow rate" = ...'),
)  # fmt: skip


def line_of(text: str, path: tuple[str, ...]) -> int | None:
    """The line on which the entry begins, or the nearest section above it; None if neither."""
    found: int | None = None
    section: tuple[str, ...] = ()
    depth = 0
    for number, line in enumerate(text.splitlines(), start=1):
        here: tuple[str, ...] = ()
        if table := _TABLE.match(line):
            here = section = _split(table["path"])
        elif entry := _ENTRY.match(line):
            here = (*section, _unquote(entry["key"]))
        common = len(here) if here == path[: len(here)] else 0
        if common > depth:
            found, depth = number, common
    return found


def explain_syntax(text: str, complaint: str) -> str:
    """tomllib's complaint as "line 3, column 10: ...", with what to do where that is clear."""
    match = _PLACE.match(complaint)
    lines = text.splitlines()
    if match is None or match["line"] is None:
        return f"line {max(len(lines), 1)}: {match['what'] if match else complaint}"
    line = lines[int(match["line"]) - 1] if int(match["line"]) <= len(lines) else ""
    hint = next((remedy for pattern, remedy in _HINTS if re.search(pattern, line)), None)
    if twice := _TWICE.match(match["what"]):
        name = ".".join(re.findall(r"'([^']*)'", twice["path"]))
        hint = f"[{name}] stands here twice; put its lines below the first and delete the second"
    if match["what"].startswith("Cannot overwrite a value") and (again := _ENTRY.match(line)):
        hint = f"{_unquote(again['key'])} stands here twice; delete one of the lines"
    place = f"line {match['line']}, column {match['column']}: {match['what']}"
    return f"{place} in {line.strip()!r}" + (f"; {hint}" if hint else "")


def _split(path: str) -> tuple[str, ...]:
    return tuple(map(_unquote, re.findall(r'"(?:[^"\\]|\\.)*"|\'[^\']*\'|[\w-]+', path)))


def _unquote(key: str) -> str:
    return key[1:-1] if key[:1] in "\"'" else key
