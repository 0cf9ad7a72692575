"""How suggestions are shown, from a database or from a table alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pathmax.errors import ExhaustedError
from pathmax.running.result import best_of
from pathmax.space.candidates import Candidates
from pathmax.study import Study
from pathmax.tables.writer import Cell
from pathmax.trials.trial import Trial
from pathmax.workspace.layout import NUMBER, Layout
from pathmax.workspace.rounding import rounded

UNMODELLED = {"design": "(first design)", "random": "(at random)"}


def suggestion_rows(
    layout: Layout, header: Sequence[str], trials: Sequence[Trial]
) -> list[list[Cell]]:
    """The rows of a table to fill in: the settings of each trial and no result."""
    rows: list[list[Cell]] = []
    for trial in trials:
        known: dict[str, Cell] = {NUMBER: trial.number, **rounded(layout.domain, trial.params)}
        rows.append([known.get(name) for name in header])
    return rows


def expectations(study: Study, trials: Sequence[Trial]) -> list[tuple[float, float] | None]:
    """Mean and standard deviation of each trial, given all results and nothing else.

    `trial.info` has them as the suggestion saw them, with a guess at what is still running; that is
    for choosing and not for reading.
    """
    modelled = [trial for trial in trials if method(trial) not in UNMODELLED]
    if not modelled:
        return [None] * len(trials)
    mean, std = study.predict([trial.params for trial in modelled])
    known = {
        t.number: pair
        for t, pair in zip(modelled, zip(mean.tolist(), std.tolist(), strict=True), strict=True)
    }
    return [known.get(trial.number) for trial in trials]


def method(trial: Trial) -> str:
    return str(trial.info.get("method"))


def suggestions_json(study: Study, trials: Sequence[Trial]) -> list[dict[str, Any]]:
    """Suggestions for programs; mean and std are those of `expectations`."""
    answers = []
    for trial, found in zip(trials, expectations(study, trials), strict=True):
        answer: dict[str, Any] = {"trial": trial.number, "params": trial.params}
        kept = ("method", "g_star", "xi", "remark")
        answer |= {key: trial.info[key] for key in kept if key in trial.info}
        answers.append(answer | (dict(zip(("mean", "std"), found, strict=True)) if found else {}))
    return answers


def ask_up_to(study: Study, count: int) -> list[Trial]:
    """As many suggestions as there are left; `ExhaustedError` only when there is none."""
    trials: list[Trial] = []
    for _ in range(count):
        try:
            trials.append(study.ask())
        except ExhaustedError as error:
            if not trials:
                raise ExhaustedError(_exhausted(study)) from error
            break
    return trials


def _exhausted(study: Study) -> str:
    what = "candidates" if isinstance(study.space, Candidates) else "settings that there are"
    return (
        f"all {what} have been tried or are running; to measure some again write "
        "replicates = true under [settings] in the space file, to go on elsewhere add more to it"
    )


def best_or_none(study: Study) -> Trial | None:
    """The best trial, if any has a value."""
    told = [trial for trial in study.trials if trial.value is not None]
    return best_of(told, study.direction) if told else None
