"""The statements of the storage in a database, prepared once.

`:study` is the name of a study, `:id` its key, `:which` the number of a trial.
"""

from __future__ import annotations

from sqlalchemy import and_, bindparam, case, insert, literal_column, or_, select, update

from pathmax.storage.schema import counters, studies, trials

_id = select(studies.c.id).where(studies.c.name == bindparam("study")).scalar_subquery()
_of_study = counters.c.study_id == _id
# A literal, so that the databases see that the index on running trials serves it.
_running = trials.c.state == literal_column("'running'")

STUDY = select(studies).where(studies.c.name == bindparam("study"))

# Every write begins with this one, and thereby waits for the writer before it.
RAISE = (
    update(counters)
    .where(_of_study)
    .values(revision=counters.c.revision + 1, trials=counters.c.trials + bindparam("new"))
    .returning(counters.c.study_id, counters.c.revision, counters.c.trials)
)

# Whoever gets a number has had the turn.
CLAIM = RAISE.where(counters.c.trials == bindparam("wanted")).values(turn=None)

MARK = select(counters.c.turn).where(_of_study)

REPLACE_MARK = (
    update(counters)
    .where(_of_study, counters.c.turn.is_not_distinct_from(bindparam("old")))
    .values(turn=bindparam("new"))
    .returning(counters.c.study_id)
)

COUNT = select(counters.c.trials).where(_of_study)

ADD = insert(trials)

TRIAL = select(trials).where(trials.c.study_id == _id, trials.c.number == bindparam("which"))

WRITTEN = select(trials).where(trials.c.study_id == _id, trials.c.token == bindparam("token"))

ONE = and_(trials.c.study_id == bindparam("id"), trials.c.number == bindparam("which"))

END = (
    update(trials)
    .where(ONE, or_(_running, trials.c.reclaimed))
    .values(
        revision=bindparam("revision"),
        token=bindparam("token"),
        state=bindparam("state"),
        reclaimed=bindparam("reclaimed"),
        outcomes=bindparam("outcomes"),
        noise=bindparam("noise"),
        error=bindparam("error"),
        # Never before it was asked, whatever happened to the clock.
        told_at=case(
            (trials.c.asked_at > bindparam("now"), trials.c.asked_at), else_=bindparam("now")
        ),
    )
    .returning(*trials.c)
)

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

# The outer joins give one row at least for a study that exists.
PULSES = (
    select(trials.c.number, trials.c.heartbeat_at)
    .select_from(
        counters.outerjoin(trials, and_(trials.c.study_id == counters.c.study_id, _running))
    )
    .where(_of_study)
)

CHANGES = (
    select(counters.c.revision.label("present"), *trials.c)
    .select_from(
        counters.outerjoin(
            trials,
            and_(trials.c.study_id == counters.c.study_id, trials.c.revision > bindparam("since")),
        )
    )
    .where(_of_study)
    .order_by(trials.c.number)
)
