"""What a command prints: aligned tables, a small chart, JSON. Plain text unless on a terminal."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TextIO

import click

from pathmax.scalars import Scalar
from pathmax.trials.goals import Goal
from pathmax.trials.wording import number
from pathmax.workspace.layout import NUMBER
from pathmax.workspace.opened_study import Opened
from pathmax.workspace.rounding import rounded
from pathmax.workspace.suggestions import Suggested

CHART_HEIGHT = 9
CHART_WIDTH = 60
AS_JSON = "pathmax.json"  # in the context of a command: whether it answers in JSON
PIPE_WIDTH = 10_000  # a pipe has no width: rows are never folded there


def on_terminal() -> bool:
    return sys.stdout.isatty()


def at_terminal() -> bool:
    """Whether there is somebody who can answer a question."""
    return on_terminal() and sys.stdin.isatty()


def say(*lines: str) -> None:
    """Print lines, on whatever encoding the terminal has; an empty one parts paragraphs."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    click.echo("\n".join(lines).encode(encoding, errors="replace").decode(encoding))


def wants_json() -> bool:
    """Whether the command that runs was asked to answer in JSON."""
    return bool(click.get_current_context().meta.get(AS_JSON))


def say_json(answer: Mapping[str, Any]) -> None:
    _say_json(json.dumps(answer, indent=2, ensure_ascii=False, allow_nan=False))


def say_json_lines(answer: Mapping[str, Any], name: str, lines: Iterable[object]) -> None:
    """The same with a list under a name, an entry on each line: it may have thousands."""
    opening = json.dumps(answer, indent=2, ensure_ascii=False, allow_nan=False).removesuffix("\n}")
    listed = ",\n    ".join(json.dumps(x, ensure_ascii=False, allow_nan=False) for x in lines)
    entries = f"[\n    {listed}\n  ]" if listed else "[]"
    _say_json(f"{opening},\n  {json.dumps(name)}: {entries}\n}}")


def _say_json(text: str) -> None:
    click.echo(_written_out(text, _in_json))


def _in_json(letter: str) -> str:
    units = letter.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[i : i + 4]}" for i in range(0, len(units), 4))


def _written_out(text: str, form: Callable[[str], str]) -> str:
    """Text with its control characters in another form; nearly every line has none."""
    return "\n".join(
        line if line.isprintable() else "".join(c if c.isprintable() else form(c) for c in line)
        for line in text.split("\n")
    )


def printable(value: object) -> str:
    """Text on one line, without the control characters by which data could steer a terminal."""
    return harmless(" ".join(str(value).split()))


def harmless(text: str) -> str:
    """Text as it is, but for control characters, which are written out."""
    return _written_out(text, lambda letter: f"\\x{ord(letter):02x}")


def cell(value: Scalar) -> str:
    """A parameter's value as it is read out."""
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "(none)"}[value]
    return number(value, 6) if isinstance(value, float) else printable(value)


def cells(params: Mapping[str, Scalar], names: Iterable[str]) -> list[str]:
    """Settings as cells of a table; that of a parameter that is not active is empty."""
    return [cell(params[name]) if name in params else "" for name in names]


def settings(params: Mapping[str, Scalar], label: Callable[[str], str] = str) -> str:
    """Params on one line: temperature 83.2, solvent THF."""
    return ", ".join(f"{printable(label(name))} {cell(value)}" for name, value in params.items())


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Columns under each other; those of numbers to the right."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    rows = [[printable(text) for text in row] for row in rows]
    view = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for i, name in enumerate(header):
        numeric = all(_numeric(row[i]) for row in rows)
        view.add_column(Text(printable(name)), justify="right" if numeric else "left")
    for row in rows:
        view.add_row(*map(Text, row))
    page = io.StringIO()
    width = None if on_terminal() else PIPE_WIDTH
    Console(file=page, force_terminal=on_terminal(), width=width, highlight=False).print(view)
    return "\n".join(line.rstrip() for line in page.getvalue().splitlines())


def _numeric(text: str) -> bool:
    try:
        float(text or "0")
    except ValueError:
        return False
    return True


def chart(values: Sequence[float], best: Sequence[float]) -> str:
    """Values in order (o) and the best so far (a line), in a few rows of text."""
    low, high = min(values), max(values)
    span = (0.5 * high - 0.5 * low) or 1.0  # halves, so that no range overflows
    columns = min(len(values), CHART_WIDTH)
    grid = [[" "] * columns for _ in range(CHART_HEIGHT)]

    def place(values: Sequence[float], mark: str) -> None:
        for i, value in enumerate(values):
            row = round((0.5 * high - 0.5 * value) / span * (CHART_HEIGHT - 1))
            grid[row][i * columns // len(values)] = mark

    place(best, "-")
    place(values, "o")
    labels = {0: number(high), CHART_HEIGHT - 1: number(low)}
    if high == low:
        labels = {0: number(high)}
    width = max(map(len, labels.values()))
    lines = [
        f"{labels.get(i, ''):>{width}} | {''.join(row)}".rstrip() for i, row in enumerate(grid)
    ]
    return "\n".join([*lines, " " * (width + 1) + "+" + "-" * (columns + 1)])


def say_progress(goal: Goal, values: Sequence[float]) -> None:
    """Draw the results of an objective, in order; nothing of a single one."""
    if len(values) > 1:
        drawn = chart(values, goal.best_so_far(values))
        say("", "Progress (o a result, - the best so far):", "", drawn)


def suggestion_table(suggested: Suggested, *, numbered: bool) -> str:
    """Suggestions under each other, with what the model expects of each."""
    layout, trials = suggested.layout, suggested.trials
    columns: dict[str, list[str]] = {NUMBER: [str(t.number) for t in trials]} if numbered else {}
    settings = [rounded(layout.domain, trial.params) for trial in trials]
    for name in layout.domain.names:
        columns[layout.labelled(name)] = [cells(params, [name])[0] for params in settings]
    for column in layout.results:
        columns[f"expected {layout.labelled(column)}"] = [
            found if isinstance(found, str) else f"{number(found[0])} ± {number(found[1], 2)}"
            for found in (suggested.expectation(i, column) for i in range(len(trials)))
        ]
    shown = table(list(columns), list(zip(*columns.values(), strict=True)))
    fidelity = layout.domain.fidelity
    if fidelity is None or not any(suggested.expected):
        return shown
    name, _ = fidelity
    return f"{shown}\nExpected is the result of the row itself, at its own {name}."


def say_remarks(opened: Opened) -> None:
    """Print what was unusual in opening the study."""
    for remark in opened.remarks:
        say(printable(remark), "")


def remarks(opened: Opened) -> dict[str, list[str]]:
    """The same for programs; nothing when there is nothing to say."""
    return {"remarks": list(opened.remarks)} if opened.remarks else {}


def target(output: str) -> str | TextIO:
    """Where `-o` writes to: `-` is the screen."""
    if output != "-":
        return output
    return _Screen() if on_terminal() else sys.stdout


class _Screen(io.StringIO):
    """A terminal that is shown control characters and does not obey them."""

    def write(self, text: str) -> int:
        sys.stdout.write(harmless(text))
        return len(text)
