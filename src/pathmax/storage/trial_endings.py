"""How a running trial ends in a database: the statements of it, and the usual case at once.

END            in a transaction that has raised the revision already
END_AT_ONCE    both in one statement, where one can write into two tables: PostgreSQL
END_ALONE      the trial, which is given the revision that COUNT_ENDING then gives to the counters:
               SQLite, where a transaction has no one beside it
END_AS_BEGUN   the same for a trial that is stored as this process has started it, so that nothing
               needs to come back: 17 us in place of 28
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Double,
    Update,
    bindparam,
    case,
    cast,
    exists,
    func,
    literal_column,
    select,
    update,
)

from pathmax.storage import statements as sql
from pathmax.storage.begun_trials import UNCHANGED, BegunTrial
from pathmax.storage.driver import DriverCursor
from pathmax.storage.records import Name
from pathmax.storage.schema import counters, trials
from pathmax.storage.study_reading import fits
from pathmax.storage.trial_rows import Row, Stored

StorageClock = Callable[[], float] | None
"""Where the time comes from; None for the clock of the database."""

ENDING_COLUMNS = ("token", "state", "reclaimed", "outcomes", "noise", "cost", "error")

_ending: dict[str, ColumnElement[Any]] = {name: bindparam(name) for name in ENDING_COLUMNS}
# In other words than the index on running trials has: where one trial is meant, a database would go
# through all that run for it.
_runs = trials.c.state.concat(literal_column("''")) == literal_column("'running'")


def _not_before_asked(now: ColumnElement[Any]) -> ColumnElement[Any]:
    """When a trial was told, whatever happened to the clock."""
    return case((trials.c.asked_at > now, trials.c.asked_at), else_=now)


END = (
    update(trials)
    .where(sql.ONE_TRIAL, _runs)
    .values(revision=bindparam("revision"), told_at=_not_before_asked(bindparam("now")), **_ending)
    .returning(*trials.c)
)

# What comes back of a trial whose end is written: the rest is known.
_not_given = [column for column in trials.c if column.name not in _ending]
_claimed = (
    sql.RAISE.where(
        # Else nothing is claimed, and the steps one by one say what is wrong.
        exists().where(
            trials.c.study_id == sql.STUDY_ID, trials.c.number == bindparam("which"), _runs
        ),
    )
    .values(trials=counters.c.trials)
    .cte("claimed")
)
_told_at = func.coalesce(cast(bindparam("here"), Double), _claimed.c.now)

# The trial waits for the claim, whose revision it is given, and whoever was ended meanwhile is
# looked at again by then.
END_AT_ONCE = (
    update(trials)
    .where(trials.c.study_id == _claimed.c.study_id, trials.c.number == bindparam("which"), _runs)
    .values(revision=_claimed.c.revision, told_at=_not_before_asked(_told_at), **_ending)
    .returning(*_not_given)
)


def _end_alone(study: ColumnElement[bool]) -> Update:
    """The end of a running trial of the study whose counters are these, if they are sound."""
    sound = select(counters.c.study_id).where(study, *sql.SOUND_COUNTERS).scalar_subquery()
    next_revision = (
        select(counters.c.revision + literal_column("1"))
        .where(counters.c.study_id == trials.c.study_id)
        .scalar_subquery()
    )
    return (
        update(trials)
        .where(trials.c.study_id == sound, trials.c.number == bindparam("which"), _runs)
        .values(revision=next_revision, **_ending)
    )


END_ALONE = (
    _end_alone(sql.OF_STUDY)
    .values(told_at=_not_before_asked(bindparam("here")))
    .returning(*_not_given)
)

END_AS_BEGUN = (
    _end_alone(counters.c.study_id == bindparam("id"))
    .where(
        *(
            trials.c[name].is_not_distinct_from(bindparam(f"begun_{name}"))
            for name in (*UNCHANGED, "token")
        )
    )
    .values(told_at=bindparam("told_at"))
)

COUNT_ENDING = (
    update(counters)
    .where(counters.c.study_id == bindparam("id"))
    .values(revision=counters.c.revision + literal_column("1"))
)


def end_as_begun(
    cursor: DriverCursor, begun: BegunTrial, ending: Row, clock: StorageClock
) -> float | None:
    """Claim and end a trial that runs and is stored as it was started; when it was told.

    None, and nothing is changed, otherwise, or where the other way is one statement already.
    """
    if cursor.kind != "sqlite":
        return None
    here, asked_at = (time.time if clock is None else clock)(), begun.read["asked_at"]
    told_at: float = max(here, asked_at)
    if not cursor.changed(END_AS_BEGUN, {**begun.stored, **ending, "told_at": told_at}):
        return None
    cursor.changed(COUNT_ENDING, begun.stored)
    return float(told_at)


def end_at_once(
    cursor: DriverCursor, which: Name, number: int, ending: Row, clock: StorageClock
) -> Stored | None:
    """Claim and end a running trial; the whole row, or None, and it is not changed, otherwise.

    Where that is one statement a revision is passed over if the trial was ended while it waited.
    """
    if not fits(number):
        return None
    one = cursor.kind == "postgresql"
    here = clock() if clock is not None else None if one else time.time()
    values = ending | sql.of_study(which, which=number, here=here)
    found = cursor.first(END_AT_ONCE if one else END_ALONE, values)
    if found is None:
        return None
    if not one:
        cursor.changed(COUNT_ENDING, {"id": found["study_id"]})
    return ending | found
