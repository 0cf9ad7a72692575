"""The trials that a table shows: filtered, sorted, and a page at a time.

A filter is words that a trial contains somewhere ("THF clogged"), or a sentence about its settings
and results, in the language of known constraints ("temperature > 80 and solvent == 'THF'").
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter

import numpy as np

from pathmax.arrays import Array
from pathmax.errors import PathmaxError
from pathmax.scalars import Scalar
from pathmax.space.sentence_columns import ColumnTable, ListedColumn
from pathmax.space.sentence_parts import Variable
from pathmax.space.sentences import Sentence
from pathmax.trials.trial import Trial, TrialState
from pathmax.workspace.attribute_cells import attribute_cell, attributes_of
from pathmax.workspace.views.snapshot import Snapshot

NUMBER, STATE, NOTE, TAKEN, COST = "trial", "state", "note", "time", "cost"
PAGE_SIZE = 50
LEFT_OUT = "left out"
_COMPARISON = re.compile(r"[<>=≤≥]|\bin\b\s*\[|\bnot in\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialQuery:
    """Which trials, in which order, which page of them.

    `sort` is trial, state, note, time, cost, or the name of a column with `params.`, `results.` or
    `attributes.` before it, as two of them may be called alike.
    """

    text: str = ""
    state: str = ""
    sort: str = NUMBER
    descending: bool = True
    page: int = 1
    size: int = PAGE_SIZE


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialPage:
    """A page of a table of trials; `remark` says why a filter was not understood."""

    query: TrialQuery
    trials: tuple[Trial, ...]
    page: int
    pages: int
    matching: int
    total: int
    remark: str = ""

    @property
    def first(self) -> int:
        return (self.page - 1) * self.query.size + 1 if self.trials else 0

    @property
    def last(self) -> int:
        return self.first + len(self.trials) - 1 if self.trials else 0


def page_of(snapshot: Snapshot, query: TrialQuery) -> TrialPage:
    """The page that a query asks for; the last one when there are fewer."""
    chosen, remark = _filtered(snapshot, query)
    chosen = _sorted(snapshot, chosen, query)
    size = min(max(query.size, 1), 500)
    pages = max(1, math.ceil(len(chosen) / size))
    page = min(max(query.page, 1), pages)
    return TrialPage(
        query=query,
        trials=tuple(chosen[(page - 1) * size : page * size]),
        page=page,
        pages=pages,
        matching=len(chosen),
        total=len(snapshot.trials),
        remark=remark,
    )


def _filtered(snapshot: Snapshot, query: TrialQuery) -> tuple[list[Trial], str]:
    chosen = list(snapshot.trials)
    if query.state == LEFT_OUT:
        chosen = [trial for trial in chosen if trial.number in snapshot.outside]
    elif query.state:
        chosen = [trial for trial in chosen if trial.state == query.state]
    text = query.text.strip()
    if not text:
        return chosen, ""
    if _COMPARISON.search(text):
        try:
            return _satisfying(snapshot, chosen, text), ""
        except PathmaxError as error:
            return chosen, f"not filtered: {error}"
    wanted = text.casefold().split()
    pairs = ((trial, _text(trial)) for trial in chosen)
    return [trial for trial, shown in pairs if all(word in shown for word in wanted)], ""


def _text(trial: Trial) -> str:
    """Everything that is shown of a trial, to look for words in."""
    attributes = attributes_of(trial)
    parts: list[object] = [trial.number, trial.state, *trial.params.values()]
    parts += [*trial.outcomes.values(), trial.note or "", trial.error or "", trial.worker or ""]
    parts += [*attributes.keys(), *attributes.values()]
    return " ".join(map(str, parts)).casefold()


def _number(value: Scalar) -> float:
    if value is None or isinstance(value, str):
        return math.nan
    try:
        return float(value)
    except OverflowError:  # an attribute may have hundreds of digits
        return sys.float_info.max if value > 0 else -sys.float_info.max


def _satisfying(snapshot: Snapshot, trials: list[Trial], text: str) -> list[Trial]:
    rows: list[dict[str, Scalar]] = []
    for trial in trials:
        results = {column: trial.outcomes.get(o) for column, o in snapshot.columns.items()}
        kept = {n: attribute_cell(each) for n, each in attributes_of(trial).items()}
        own: dict[str, Scalar] = {NUMBER: trial.number, STATE: str(trial.state)}
        rows.append({**kept, **own, **results, **trial.params})
    names = dict.fromkeys(name for row in rows for name in row)
    cells: dict[str, list[Scalar]] = {n: [row.get(n) for row in rows] for n in names}
    variables = {name: Variable(_choices(name, column)) for name, column in cells.items()}
    if not rows:
        return []
    sentence, places = Sentence.read(text, variables), np.arange(len(rows))
    columns: dict[str, Array | ListedColumn] = {
        name: ListedColumn(cells[name], places)
        if variables[name].choices
        else np.array([*map(_number, cells[name])])
        for name in sentence.names
    }
    mask = sentence.mask(ColumnTable(len(rows), columns))
    return [trial for trial, holds in zip(trials, mask.tolist(), strict=True) if holds]


def _choices(name: str, column: Sequence[Scalar]) -> tuple[Scalar, ...] | None:
    if name == STATE:
        return tuple(map(str, TrialState))
    words = {value for value in column if isinstance(value, str | bool)}
    if not words:
        return None
    # A trial may have none: then even the only word that there is says something.
    absent = (None,) if None in column else ()
    return (*sorted(words, key=str), *absent)


def _sorted(snapshot: Snapshot, trials: list[Trial], query: TrialQuery) -> list[Trial]:
    """In order; a trial without the value comes last either way, equal ones by number."""
    kind, _, name = query.sort.partition(".")
    columns = ("params", "results", "attributes", STATE, NOTE, TAKEN, COST)
    if kind not in columns:  # by number, as they are
        return trials[::-1] if query.descending else trials
    outcome = snapshot.columns.get(name, name)

    def cell(trial: Trial) -> Scalar:
        if kind == "params":
            return trial.params.get(name)
        if kind == "results":
            return trial.outcomes.get(outcome)
        if kind == "attributes":
            return attribute_cell(attributes_of(trial).get(name))
        if kind == COST:
            return snapshot.cost(trial)
        simple: dict[str, Scalar] = {
            STATE: str(trial.state), NOTE: trial.note or trial.error, TAKEN: trial.duration
        }  # fmt: skip
        return simple[kind]

    cells = [(cell(trial), trial) for trial in trials]
    known = [(_order(value), trial) for value, trial in cells if value is not None]
    unknown = [trial for value, trial in cells if value is None]
    known.sort(key=itemgetter(0), reverse=query.descending)
    return [trial for _, trial in known] + unknown


def _order(value: Scalar) -> tuple[int, float, str]:
    if isinstance(value, str):
        return 1, 0.0, value.casefold()
    return 0, _number(value or 0), ""
