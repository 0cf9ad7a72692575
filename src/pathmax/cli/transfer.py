"""`pathmax import` and `pathmax export`: tables in, tables out."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field

import click

from pathmax.cli.listing import best_or_none, plural
from pathmax.cli.offline import entry_of
from pathmax.cli.opening import (
    Plan,
    begin_study,
    is_new,
    load_study,
    plan_of,
    rehearsal,
    start_study,
)
from pathmax.cli.options import Place, Source, placed
from pathmax.cli.output import number, say, say_json
from pathmax.precision import alike, rounded
from pathmax.scalars import Scalar
from pathmax.sheet import NOTE, NUMBER, STATE, Sheet, SheetRow, read_sheet
from pathmax.study import Study
from pathmax.tables import Dialect, write_table
from pathmax.tables.writer import Cell
from pathmax.trial import Trial, TrialState


@dataclass(slots=True)
class Intake:
    """What an import will do, settled for every row before anything is written."""

    told: list[tuple[int, SheetRow]] = field(default_factory=list)
    added: list[SheetRow] = field(default_factory=list)
    known: int = 0
    waiting: int = 0

    def counts(self) -> dict[str, int]:
        return {
            "told": len(self.told),
            "added": len(self.added),
            "known": self.known,
            "waiting": self.waiting,
        }


@click.command("import")
@click.argument("file", metavar="CSV")
@click.option("--space", metavar="TOML", help="What may vary.  [default: space.toml if it is here]")
@click.option("--ignore", multiple=True, metavar="COLUMN", help="A column that is only for you.")
@placed
def import_(place: Place, file: str, space: str | None, ignore: tuple[str, ...]) -> None:
    """Take results from a table: those of suggested trials, and those from before.

    The table has a column for each parameter and one for the result. With a column `trial` (as
    `pathmax suggest -o` writes it) a row is the result of that trial. Rows that are known already
    are passed over, so the same table may be imported again when it has grown.

    \b
    pathmax import results.csv
    pathmax import other.csv --ignore trial        its numbers are those of another study
    """
    study, sheet, intake = take_in(place, plan_of(Source(space=space)), file, ignore)
    best = best_or_none(study)
    if place.as_json:
        best_number = None if best is None else best.number
        say_json({"study": study.name, **intake.counts(), "best_trial": best_number})
        return
    parts = [
        (len(intake.told), "for suggested trials"),
        (len(intake.added), "added"),
        (intake.known, "known before"),
        (intake.waiting, "without a result yet"),
    ]
    listed = ", ".join(f"{count} {what}" for count, what in parts if count) or "nothing new"
    say(f"{file}: {plural(len(sheet.rows), 'row')}: {listed}.")
    if best is not None:
        say(f"Best so far: {number(best.value, 6)} (trial {best.number}).")


def take_in(
    place: Place, plan: Plan | None, file: str, ignore: tuple[str, ...]
) -> tuple[Study, Sheet, Intake]:
    """Read the table and store what is new in it; a table with an error begins no study."""
    if plan is not None and is_new(place, plan):
        opened = rehearsal(place, plan)
        sheet = read_sheet(file, opened.layout.ignoring(ignore))
        intake = settle(sheet, opened.study)
        if begin_study(place, plan, opened.study, [entry_of(row) for row in intake.added]):
            return start_study(place, plan).study, sheet, intake
    opened = start_study(place, plan)
    sheet = read_sheet(file, opened.layout.ignoring(ignore))
    intake = settle(sheet, opened.study)
    apply(intake, opened.study)
    return opened.study, sheet, intake


def settle(sheet: Sheet, study: Study) -> Intake:
    """What each row means for the study; an error in any of them comes before any change."""
    trials = {trial.number: trial for trial in study.trials}
    running = [t for t in trials.values() if t.state is TrialState.RUNNING]
    stored = Counter(_key(study, t.params, t.state, t.value) for t in trials.values())
    intake = Intake()
    for row in sheet.rows:
        trial = _trial_of(sheet, row, study, trials, running)
        if row.state is TrialState.RUNNING:
            intake.waiting += 1
        elif trial is not None and trial.state is TrialState.RUNNING:
            intake.told.append((trial.number, row))
            running = [t for t in running if t.number != trial.number]
        elif trial is not None:
            _check_same(sheet, row, trial)
            intake.known += 1
        elif stored[key := _key(study, row.params, row.state, row.value)]:
            stored[key] -= 1  # a repeated measurement stands in the table once more
            intake.known += 1
        else:
            intake.added.append(row)
    _check_told_once(sheet, intake)
    return intake


def apply(intake: Intake, study: Study) -> None:
    """Store it. If this is cut short, importing again takes what is missing."""
    study.storage.insert_many(study.name, [entry_of(row) for row in intake.added])
    for trial_number, row in intake.told:
        if row.value is not None:
            study.tell(trial_number, row.value, note=row.note)
        elif row.note:
            study.fail(trial_number, row.note)
        else:
            study.fail(trial_number)


def _trial_of(
    sheet: Sheet, row: SheetRow, study: Study, trials: dict[int, Trial], running: list[Trial]
) -> Trial | None:
    """The trial whose result this row is, if it was suggested."""
    if row.number is None:
        return next((t for t in running if alike(study.space, t.params, row.params)), None)
    trial = trials.get(row.number)
    if trial is None:
        raise sheet.table.error(
            row.index,
            NUMBER,
            f"study {study.name!r} has no trial {row.number}; clear the number to add the row as "
            f"a result of its own, or add every row so with --ignore {NUMBER}",
        )
    if not alike(study.space, trial.params, row.params):
        changed = next(
            name
            for name, value in row.params.items()
            if not alike(study.space, {name: trial.params.get(name)}, {name: value})
        )
        raise sheet.table.error(
            row.index,
            changed,
            f"trial {row.number} was suggested with {trial.params.get(changed)!r}, got "
            f"{row.params[changed]!r}; if that is what was run, clear the trial number to add it "
            f"as a result of its own, and `pathmax fail {row.number}`",
        )
    return trial


def _check_same(sheet: Sheet, row: SheetRow, trial: Trial) -> None:
    if row.state is trial.state and row.value == trial.value:
        return
    before = "failed" if trial.value is None else number(trial.value, 6)
    again = f"fail {trial.number}"
    if row.value is not None:
        again = f"tell {trial.number} {row.value:.12g}"
    raise sheet.table.error(
        row.index,
        NUMBER,
        f"trial {trial.number} was told before, as {before}; if that was mistyped, run: "
        f"pathmax {again} --correct; else clear the number to add this row as another measurement",
    )


def _check_told_once(sheet: Sheet, intake: Intake) -> None:
    seen: set[int] = set()
    for trial_number, row in intake.told:
        if trial_number in seen:
            raise sheet.table.error(row.index, NUMBER, f"trial {trial_number} stands here twice")
        seen.add(trial_number)


def _key(
    study: Study, params: Mapping[str, Scalar], state: TrialState, value: float | None
) -> Hashable:
    return frozenset(rounded(study.space, params).items()), state, value


@click.command()
@click.option("-o", "--output", metavar="CSV", help="Where to.  [default: the screen]")
@click.option("--decimal-comma", is_flag=True, help="1,5 and semicolons, for European Excel.")
@placed
def export(place: Place, output: str | None, decimal_comma: bool) -> None:
    """Write all trials as a table. No cell can start a formula in a spreadsheet.

    \b
    pathmax export -o results.csv
    pathmax export | head
    """
    opened = load_study(place)
    trials = opened.study.trials
    if place.as_json and output is None:
        say_json({"study": opened.study.name, "trials": [trial.to_json() for trial in trials]})
        return
    layout = opened.layout
    header, rows = trial_rows([*layout.domain.names], layout.objective, layout.own, trials)
    target = sys.stdout if output in (None, "-") else output
    # With the byte order mark, without which Excel shows "°" as "Â°".
    european = Dialect(encoding="utf-8-sig", delimiter=";", decimal=",")
    write_table(target or "", header, rows, dialect=european if decimal_comma else None)
    if output not in (None, "-"):
        if place.as_json:
            say_json({"study": opened.study.name, "trials": len(trials), "output": output})
        else:
            say(f"Wrote {plural(len(trials), 'trial')} to {output}.")


def trial_rows(
    names: Sequence[str], objective: str, own: Sequence[str], trials: Sequence[Trial]
) -> tuple[list[str], list[list[Cell]]]:
    """The table of an export: number, params, result, state, and a note or what went wrong."""
    rest = [name for name in (STATE, NOTE) if name in own]
    header = [*([NUMBER] if NUMBER in own else []), *names, objective, *rest]
    rows: list[list[Cell]] = []
    for trial in trials:
        known: dict[str, Cell] = {
            NUMBER: trial.number,
            STATE: str(trial.state),
            NOTE: trial.note or trial.error,
            **trial.params,
            objective: trial.value,
        }
        rows.append([known.get(name) for name in header])
    return header, rows
