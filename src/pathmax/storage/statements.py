"""The statements of the storage in a database, prepared once.

`:study` is the name of a study, `:identity` its identity or NULL for whichever has the name now,
`:id` its key in the tables, `:which` the number of a trial.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Double,
    Join,
    Select,
    String,
    Table,
    and_,
    bindparam,
    cast,
    delete,
    func,
    insert,
    literal_column,
    null,
    select,
    update,
)
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

from pathmax.storage.many_rows import OFTEN, STORED_COLUMNS
from pathmax.storage.records import Name, name_of
from pathmax.storage.schema import counters, receipts, reports, studies, trials

LARGEST_COUNT = 2**53  # of revisions and trials: what a number of any language holds


class Now(FunctionElement[float]):
    """The time by the clock of the database, in seconds since 1970; the workers' may disagree.

    NULL where the database has none of its own: SQLite's is the clock of this machine.
    """

    type = Double()
    inherit_cache = True


@compiles(Now)
def _no_clock(_element: Now, _compiler: Any, **_: Any) -> str:
    return "NULL"


@compiles(Now, "postgresql")
def _clock_of_the_server(_element: Now, _compiler: Any, **_: Any) -> str:
    return "CAST(extract(epoch FROM clock_timestamp()) AS DOUBLE PRECISION)"


_now = Now().label("now")
_wanted = cast(bindparam("identity"), String)
_named = and_(
    studies.c.name == bindparam("study"),
    studies.c.identity == func.coalesce(_wanted, studies.c.identity),
)
STUDY_ID = select(studies.c.id).where(_named).scalar_subquery()
OF_STUDY = counters.c.study_id == STUDY_ID
# A literal, so that the databases see that the index on running trials serves it.
_running = trials.c.state == literal_column("'running'")


def of_study(name: Name, **others: object) -> dict[str, Any]:
    """The values that say which study is meant, and others."""
    identity = None if isinstance(name, str) else name.identity
    return {"study": name_of(name), "identity": identity, **others}


SELECT_STUDY = select(studies).where(_named)

NAMES = select(studies.c.name)

# Text, which SQLite takes for a number, is above all numbers; added to one, it is 0. A fraction it
# takes too.
SOUND_COUNTERS = [
    sound
    for column in (counters.c.revision, counters.c.trials, counters.c.edition)
    for sound in (
        column.between(literal_column("0"), literal_column(str(LARGEST_COUNT))),
        cast(column, BigInteger) == column,
    )
]

# Every write begins with this one, and thereby waits for the writer before it. Damaged counters are
# left as they are, for the writer to name.
RAISE = (
    update(counters)
    .where(OF_STUDY, *SOUND_COUNTERS)
    .values(revision=counters.c.revision + 1, trials=counters.c.trials + bindparam("new"))
    .returning(
        counters.c.study_id, counters.c.revision, counters.c.trials, counters.c.edition, _now
    )
)

# Whoever gets a number has had the turn.
CLAIM = RAISE.where(counters.c.trials == bindparam("wanted")).values(turn=None)

MARK = select(counters.c.turn, counters.c.turn_at, _now).where(OF_STUDY)

REPLACE_MARK = (
    update(counters)
    .where(OF_STUDY, counters.c.turn.is_not_distinct_from(bindparam("old")))
    .values(turn=bindparam("new"), turn_at=func.coalesce(Now(), cast(bindparam("here"), Double)))
    .returning(counters.c.study_id)
)

ALL_COUNTERS = select(counters.c.revision, counters.c.trials, counters.c.edition).where(OF_STUDY)

ADD = insert(trials)

SELECT_TRIAL = select(trials).where(
    trials.c.study_id == STUDY_ID, trials.c.number == bindparam("which")
)

WRITTEN = select(trials).where(trials.c.study_id == STUDY_ID, trials.c.token == bindparam("token"))

ONE_TRIAL = and_(trials.c.study_id == bindparam("id"), trials.c.number == bindparam("which"))

BEAT = (
    update(trials)
    .where(
        trials.c.study_id == bindparam("id"),
        trials.c.number.in_(bindparam("numbers", expanding=True)),
        _running,
    )
    .values(heartbeat_at=bindparam("now"), revision=bindparam("revision"))
    .returning(trials.c.number)
)


def _with(table: Table, condition: ColumnElement[bool]) -> Join:
    """The counters, each with some rows of its study: at least one for a study that exists."""
    return counters.outerjoin(table, and_(table.c.study_id == counters.c.study_id, condition))


PULSES = (
    select(trials.c.number, trials.c.heartbeat_at, _now)
    .select_from(_with(trials, _running))
    .where(OF_STUDY)
)


def _changes(columns: Sequence[ColumnElement[Any]]) -> Select[Any]:
    """The trials written after a revision."""
    return (
        select(*columns, counters.c.revision.label("present"), counters.c.trials.label("count"))
        .select_from(_with(trials, trials.c.revision > bindparam("since")))
        .where(OF_STUDY)  # not in order: SQLite would go through all trials for it
    )


def _stored(name: str) -> ColumnElement[Any]:
    """A column; nothing where it holds what most rows do, which need not be read then."""
    column = trials.c[name]
    return func.nullif(column, literal_column(f"'{OFTEN[name]}'")) if name in OFTEN else column


CHANGES = _changes([_stored(name) for name in STORED_COLUMNS])

# The column is not read at all: it is most of what a row holds.
BRIEF_CHANGES = _changes([null() if name == "info" else _stored(name) for name in STORED_COLUMNS])

INFOS = select(trials.c.number, trials.c.info).where(
    trials.c.study_id == STUDY_ID, trials.c.number.in_(bindparam("numbers", expanding=True))
)

REPORT = insert(reports)

# The trial, and what it reported at this step before, if anything.
REPORTED = (
    select(trials.c.state, trials.c.reclaimed, *reports.c)
    .select_from(
        trials.outerjoin(
            reports,
            and_(
                reports.c.study_id == trials.c.study_id,
                reports.c.number == trials.c.number,
                reports.c.step == bindparam("step"),
            ),
        )
    )
    .where(ONE_TRIAL)
)

REPORTS = (
    select(counters.c.revision.label("present"), *reports.c)
    .select_from(_with(reports, reports.c.revision > bindparam("since")))
    .where(OF_STUDY)
    .order_by(reports.c.number, reports.c.step)
)

# What a write with a token has stored.
RECEIPT = select(receipts.c.first, receipts.c.count).where(
    receipts.c.study_id == STUDY_ID, receipts.c.token == bindparam("token")
)

SIGN = insert(receipts)

FORGET = delete(receipts).where(
    receipts.c.study_id == bindparam("id"), receipts.c.made_at < bindparam("before")
)

BETWEEN = (
    select(trials)
    .where(
        trials.c.study_id == STUDY_ID,
        trials.c.number >= bindparam("first"),
        trials.c.number < bindparam("end"),
    )
    .order_by(trials.c.number)
)

STANDING = select(
    studies.c.name, studies.c.identity, counters.c.edition, counters.c.revision, counters.c.trials
).join(counters, counters.c.study_id == studies.c.id)
