"""Suggestions with what is expected of each, from a database or from a table alike."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TextIO

from pathmax.errors import ExhaustedError
from pathmax.study import Study
from pathmax.tables import CellValue, append_rows, write_table
from pathmax.trials.info import Info
from pathmax.trials.trial import Trial
from pathmax.workspace.layout import NUMBER, Layout
from pathmax.workspace.opened_study import Opened
from pathmax.workspace.results_table import ResultsTable
from pathmax.workspace.rounding import rounded

UNMODELLED = {"design": "(first design)", "random": "(at random)"}
BY_OLDER = "(by older results)"  # their level says nothing about that of new ones
EXPLAINING = ("method", "g_star", "xi", "remark")  # of `trial.info`, for programs


@dataclass(frozen=True, slots=True)
class Suggested:
    """Trials to run; fewer than were wanted when a finite space ends.

    `expected` has mean and standard deviation of each result column, given all results and nothing
    else, and None where no model chose. `trial.info` has them as the suggestion saw them, with a
    guess at what is still running; that is for choosing and not for reading.
    """

    layout: Layout
    trials: tuple[Trial, ...]
    wanted: int
    expected: tuple[Mapping[str, tuple[float, float]] | None, ...]

    def to_json(self, *, bench: bool = False) -> list[dict[str, Any]]:
        """A dict for each trial; with `bench` the params are rounded to what can be set."""
        answers = []
        for trial, pair in zip(self.trials, self.expected, strict=True):
            params = rounded(self.layout.domain, trial.params) if bench else trial.params
            answer: dict[str, Any] = {"trial": trial.number, "params": params}
            info = Info(trial.info)
            answer |= {key: info[key] for key in EXPLAINING if key in info}
            answers.append(answer | self._expected_json(pair))
        return answers

    def _expected_json(self, expected: Mapping[str, tuple[float, float]] | None) -> dict[str, Any]:
        if not expected:
            return {}
        pairs = {column: {"mean": m, "std": s} for column, (m, s) in expected.items()}
        return {"expected": pairs} if self.layout.goals else next(iter(pairs.values()))

    def expectation(self, index: int, column: str) -> tuple[float, float] | str:
        """What is expected of a trial in a column, or in words why nothing is."""
        found = self.expected[index]
        if found is None:
            return UNMODELLED.get(_method(self.trials[index]), "")
        return found.get(column, BY_OLDER if _borrows(self.trials[index]) else "")

    def rows(self, header: Sequence[str]) -> list[list[CellValue]]:
        """The rows of a table to fill in: the settings of each trial and no result."""
        domain = self.layout.domain
        known = [{NUMBER: t.number, **rounded(domain, t.params)} for t in self.trials]
        return [[row.get(name) for name in header] for row in known]

    def write(
        self, target: str | os.PathLike[str] | TextIO, like: ResultsTable | None = None
    ) -> None:
        """Write a table to fill in: with the numbers of trials, or `like` a table of results."""
        layout, units = self.layout, None
        if like is None:
            header = [*layout.own[:1], *layout.domain.names, *layout.results]
            units = [layout.units.get(name, "") for name in header]
            units_row = units if layout.units_row else None
            write_table(target, header, self.rows(header), units=units_row)
            return
        table = like.table
        units = [table.units.get(name, "") for name in table.header]
        write_table(
            target,
            like.header,
            self.rows(table.header),
            dialect=table.dialect,
            units=units if layout.units_row else None,
        )

    def append(self, results: ResultsTable) -> None:
        """Add rows to fill in below those of a table; all else in its file stays as it is."""
        append_rows(results.table, self.rows(results.table.header))


def suggest(opened: Opened, count: int = 1, context: Mapping[str, Any] | None = None) -> Suggested:
    """As many suggestions as there are left; `ExhaustedError` only when there is none."""
    study, trials = opened.study, []
    for _ in range(count):
        try:
            trials.append(study.ask(context=context))
        except ExhaustedError as error:
            if not trials:
                raise ExhaustedError(_exhausted(study)) from error
            break
    return Suggested(opened.layout, tuple(trials), count, _expectations(opened, trials))


def _expectations(
    opened: Opened, trials: Sequence[Trial]
) -> tuple[Mapping[str, tuple[float, float]] | None, ...]:
    study, modelled = opened.study, [t for t in trials if _method(t) not in UNMODELLED]
    if not modelled:
        return (None,) * len(trials)
    known: dict[int, dict[str, tuple[float, float]]] = {trial.number: {} for trial in modelled}
    for column, outcome in opened.layout.results.items():
        if not any(outcome in trial.outcomes for trial in study.trials):
            continue  # nobody has measured it yet
        mean, std = study.predict([trial.params for trial in modelled], outcome)
        for trial, m, s in zip(modelled, mean.tolist(), std.tolist(), strict=True):
            known[trial.number][column] = (m, s)
    return tuple(known.get(trial.number) for trial in trials)


def _method(trial: Trial) -> str:
    return str(Info(trial.info).method)


def _borrows(trial: Trial) -> bool:
    models = Info(trial.info).models.values()
    return any(any(model.get("borrowed", {}).values()) for model in models)


def _exhausted(study: Study) -> str:
    what = "candidates" if study.space.is_pool else "settings that there are"
    return (
        f"all {what} have been tried or are running; to measure some again write "
        "replicates = true under [settings] in the space file, to go on elsewhere add more to it"
    )
