"""What a notebook shows: small tables in HTML, every cell escaped.

Nothing here is a page: there are no scripts, no fonts and no colours but those of the notebook.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

CELL = "text-align:left;padding:2px 10px 2px 0"
BAR = "display:inline-block;height:0.7em;background:#0072B2;vertical-align:middle"


class Markup(str):
    """HTML of our own making, which goes in as it is."""

    __slots__ = ()


def text(cell: object) -> str:
    """A cell as HTML: numbers as people read them, anything else as text, escaped."""
    if isinstance(cell, Markup):
        return cell
    if isinstance(cell, float):
        return f"{cell:.6g}"
    return escape("" if cell is None else str(cell))


def table(header: Sequence[object], rows: Iterable[Sequence[object]]) -> Markup:
    """A table with a header."""
    head = _row("th", header)
    body = "".join(_row("td", row) for row in rows)
    return Markup(f"<table><thead>{head}</thead><tbody>{body}</tbody></table>")


def _row(tag: str, cells: Iterable[object]) -> str:
    return "<tr>" + "".join(f'<{tag} style="{CELL}">{text(c)}</{tag}>' for c in cells) + "</tr>"


def facts_table(pairs: Iterable[tuple[object, object]]) -> Markup:
    """A table of names and what they are."""
    body = "".join(
        f'<tr><th style="{CELL}">{text(name)}</th><td style="{CELL}">{text(value)}</td></tr>'
        for name, value in pairs
    )
    return Markup(f"<table><tbody>{body}</tbody></table>")


def page(title: str, *parts: str) -> str:
    """A title and what is below it: tables as they are, sentences escaped."""
    below = "".join(p if isinstance(p, Markup) else f"<p>{escape(p)}</p>" for p in parts if p)
    return f"<div><p><b>{escape(title)}</b></p>{below}</div>"


def preformatted(lines: str) -> str:
    """Text that keeps its columns."""
    return f"<pre>{escape(lines)}</pre>"


def bar(share: float) -> Markup:
    """A bar as long as a share, with the share beside it."""
    width = round(100 * min(max(share, 0.0), 1.0))
    return Markup(f'<span style="{BAR};width:{width}px"></span> {share:.0%}')
