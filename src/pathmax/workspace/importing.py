"""Results from a table into a study: each row finds its trial, then all are stored at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pathmax.scalars import Scalar
from pathmax.session.recording import WHY_NO_RESULT, warn_of_disobedience
from pathmax.study import Study
from pathmax.trials.trial import Trial, TrialState
from pathmax.trials.wording import as_typed, measured
from pathmax.workspace.layout import NUMBER
from pathmax.workspace.location import Location
from pathmax.workspace.opened_study import (
    Agree,
    Opened,
    begin_study,
    is_new,
    refuse,
    rehearsal,
    start_study,
)
from pathmax.workspace.results_table import ResultRow, ResultsTable, read_results
from pathmax.workspace.rounding import agree, rounded
from pathmax.workspace.study_plan import Plan
from pathmax.workspace.table_study import entry_of


@dataclass(slots=True)
class Intake:
    """What an import will do, settled for every row before anything is written."""

    told: list[tuple[int, ResultRow]] = field(default_factory=list)
    added: list[ResultRow] = field(default_factory=list)
    known: int = 0
    waiting: int = 0
    completed: int = 0  # of those told: what was missing of a result

    def complete(self, trial: Trial, late: ResultRow) -> None:
        self.told.append((trial.number, late))
        self.completed += 1

    def counts(self) -> dict[str, int]:
        return {
            "told": len(self.told),
            "added": len(self.added),
            "known": self.known,
            "waiting": self.waiting,
        }


def settle(results: ResultsTable, study: Study) -> Intake:
    """What each row means for the study; an error in any of them comes before any change."""
    intake = compare(results, study, study.trials)
    warn_of_disobedience(study.space, [entry_of(row) for row in intake.added])
    return intake


def compare(results: ResultsTable, study: Study, told: Sequence[Trial]) -> Intake:
    """What of a table the trials of a study have already and what they have not, row by row."""
    trials = {trial.number: trial for trial in told}
    running = [t for t in trials.values() if t.state is TrialState.RUNNING]
    stored: dict[Hashable, list[Trial]] = defaultdict(list)
    if any(row.number is None for row in results.rows):
        for each in told:
            stored[_key(study, each.params, each.state, each.outcomes)].append(each)
    intake, others = Intake(), []
    for row in results.rows:
        trial = _trial_of(results, row, study, trials, running)
        if row.state is TrialState.RUNNING:
            intake.waiting += 1
        elif trial is not None and trial.state is TrialState.RUNNING:
            intake.told.append((trial.number, row))
            running = [t for t in running if t.number != trial.number]
        elif trial is not None and (late := _late(row, trial)) is not None:
            intake.complete(trial, late)
        elif trial is not None:
            _check_same(results, row, trial)
            intake.known += 1
        elif alike := stored[_key(study, row.params, row.state, row.outcomes)]:
            alike.pop()  # a stored trial is one row: a further one is a repeated measurement
            intake.known += 1
        else:
            others.append(row)
    named = {row.number for row in results.rows}
    unused = [t for alike in stored.values() for t in alike if t.number not in named]
    _take_parts(study, others, unused, intake)
    _check_told_once(results, intake)
    return intake


def _take_parts(
    study: Study, rows: Iterable[ResultRow], unused: Iterable[Trial], intake: Intake
) -> None:
    """Rows of no stored trial as it is: they bring what one lacks, lack what it has, or are new."""
    there: dict[Hashable, list[Trial]] = defaultdict(list)
    for trial in sorted(unused, key=lambda t: t.number):
        there[_place(study, trial.params)].append(trial)
    for row in rows:
        at_place = there[_place(study, row.params)]
        for trial in at_place:
            late = _late(row, trial)
            if late is None and not _is_part(row, trial):
                continue
            at_place.remove(trial)
            if late is None:
                intake.known += 1
            else:
                intake.complete(trial, late)
            break
        else:
            intake.added.append(row)


def apply(intake: Intake, study: Study) -> None:
    """Store it. If this is cut short, importing again takes what is missing."""
    study.storage.insert_many(study.name, [entry_of(row) for row in intake.added])
    for trial_number, row in intake.told:
        note, _, attributes = row.remarks
        if row.outcomes:
            noise = {n: v for n, v in row.noises.items() if n in row.outcomes} or None
            study.tell(trial_number, row.outcomes, noise=noise, **row.remarks._asdict())
            continue
        if attributes:  # before its end: if this is cut short, the row is still to be taken
            study.annotate(trial_number, attributes=attributes)
        end = study.stop if row.state is TrialState.STOPPED else study.fail
        end(trial_number, note or WHY_NO_RESULT[row.state])


def _trial_of(
    results: ResultsTable,
    row: ResultRow,
    study: Study,
    trials: dict[int, Trial],
    running: list[Trial],
) -> Trial | None:
    """The trial whose result this row is, if it was suggested."""
    if row.number is None:
        return next((t for t in running if agree(study.space, t.params, row.params)), None)
    trial = trials.get(row.number)
    if trial is None:
        raise results.table.error(
            row.index,
            NUMBER,
            f"study {study.name!r} has no trial {row.number}; clear the number to add the row as "
            f"a result of its own, or add every row so with --ignore {NUMBER}",
        )
    if not agree(study.space, trial.params, row.params):
        changed = next(
            name
            for name, value in row.params.items()
            if not agree(study.space, {name: trial.params.get(name)}, {name: value})
        )
        raise results.table.error(
            row.index,
            changed,
            f"trial {row.number} was suggested with {trial.params.get(changed)!r}, got "
            f"{row.params[changed]!r}; if that is what was run, clear the trial number to add it "
            f"as a result of its own, and `pathmax fail {row.number}`",
        )
    return trial


def _check_same(results: ResultsTable, row: ResultRow, trial: Trial) -> None:
    if row.state is trial.state and (row.outcomes == trial.outcomes or _is_part(row, trial)):
        return
    before = measured(trial) if trial.outcomes else str(trial.state)
    again = f"fail {trial.number}"
    if row.outcomes:
        again = f"tell {trial.number} {as_typed(row.outcomes)}"
    raise results.table.error(
        row.index,
        NUMBER,
        f"trial {trial.number} was told before, as {before}; if that was mistyped, run: "
        f"pathmax {again} --correct; else clear the number to add this row as another measurement",
    )


def _check_told_once(results: ResultsTable, intake: Intake) -> None:
    seen: set[int] = set()
    for trial_number, row in intake.told:
        if trial_number in seen:
            raise results.table.error(row.index, NUMBER, f"trial {trial_number} stands here twice")
        seen.add(trial_number)


def _key(
    study: Study, params: Mapping[str, Scalar], state: TrialState, outcomes: Mapping[str, float]
) -> Hashable:
    return _place(study, params), state, frozenset(outcomes.items())


def _place(study: Study, params: Mapping[str, Scalar]) -> Hashable:
    return frozenset(rounded(study.space, params).items())


def _is_part(row: ResultRow, trial: Trial) -> bool:
    """Whether the trial has all that the row has, and was told more since."""
    told = row.state is trial.state is TrialState.COMPLETE
    return told and row.outcomes.items() < trial.outcomes.items()


def _late(row: ResultRow, trial: Trial) -> ResultRow | None:
    """The row with only those outcomes that its trial lacks, if all others are the same."""
    if not (row.state is trial.state is TrialState.COMPLETE):
        return None
    if not trial.outcomes.items() < row.outcomes.items():
        return None
    new = {name: value for name, value in row.outcomes.items() if name not in trial.outcomes}
    noises = {name: variance for name, variance in row.noises.items() if name in new}
    return replace(row, outcomes=new, noises=noises)


def take_in(
    location: Location,
    plan: Plan | None,
    file: str,
    ignore: tuple[str, ...] = (),
    agree: Agree = refuse,
) -> tuple[Opened, ResultsTable, Intake]:
    """Read the table and store what is new in it; a table with an error begins no study."""
    if plan is not None and is_new(location, plan):
        opened = rehearsal(location, plan)
        results = read_results(file, opened.layout.ignoring(ignore))
        intake = settle(results, opened.study)
        if begin_study(location, plan, opened.study, [entry_of(row) for row in intake.added]):
            return start_study(location, plan), results, intake
    opened = start_study(location, plan, agree=agree)
    outside = {trial.number: trial.params for trial in opened.study.left_out}
    results = read_results(file, opened.layout.ignoring(ignore), outside, opened.study.trials)
    intake = settle(results, opened.study)
    apply(intake, opened.study)
    return opened, results, intake
