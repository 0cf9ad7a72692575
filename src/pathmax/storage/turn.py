"""Taking turns: a mark in the counters of a study says who is computing a suggestion.

The mark is a random text and the signature of a process. Whoever waits looks at it now and then,
and takes it over when the process is dead: at once on the same machine. Whether a process of
another machine lives cannot be asked: a mark that is older than one's patience, by the clock of
the database, counts as left by one that died or is too slow. The age is stored, so that workers
which live shorter than that do not each begin to wait anew.

On PostgreSQL whoever wants a turn first waits in line, first come, first served, and only the first
in line looks at the mark. Without it the newest looked most often: of 64 processes half waited for
less than a second and some for 35.
"""

from __future__ import annotations

import random
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from pathmax.errors import ForeignStorageError
from pathmax.storage import statements as sql
from pathmax.storage.damage import REMEDY
from pathmax.storage.database import Database
from pathmax.storage.liveness import is_dead, signature
from pathmax.storage.records import Name, name_of

FIRST_PAUSE = 0.002  # seconds until the first look again; each is up to half as long again


class LookingPace(NamedTuple):
    """How long to pause between two looks at most, in seconds."""

    soon: float
    """While one has not waited for long."""
    part: float
    """Later on: this part of the time that one has waited,"""
    latest: float
    """but never more."""

    def after(self, pause: float, waited: float) -> float:
        """The pause after one of this length."""
        return min(1.5 * pause, max(self.soon, min(self.part * waited, self.latest)))


# In a crowd without a line looks are what costs. With 64 waiting: 170 a second, and 1,700 if those
# who have waited for long did not look less often.
IN_A_CROWD = LookingPace(soon=0.05, part=0.1, latest=0.5)
# Nobody else looks, and all others wait for this one: it may lose a hundredth of its waiting.
FIRST_IN_LINE = LookingPace(soon=0.01, part=0.01, latest=0.05)


class Mark(NamedTuple):
    """Who has the turn, and for how many seconds; None for nobody, or when that is not known."""

    text: str | None
    age: float | None


@contextmanager
def turn(
    database: Database, name: Name, patience: float, check: Callable[[], object]
) -> Iterator[bool]:
    """Wait until no one else, or no one alive, has the turn. Yields whether it was free.

    `check` raises when there is no such study.
    """
    check()
    mine = f"{uuid.uuid4().hex} {signature()}"
    with database.line(_line(name)) as first:
        free = _take(database, name, mine, patience, check, FIRST_IN_LINE if first else IN_A_CROWD)
    try:
        yield free
    finally:
        # `start` removes the mark in its own transaction; then there is nothing to write here.
        if _mark(database, name).text == mine:
            _replace(database, name, mine, None)


def _take(
    database: Database,
    name: Name,
    mine: str,
    patience: float,
    check: Callable[[], object],
    pace: LookingPace,
) -> bool:
    uneven = random.SystemRandom()
    seen: str | None = None
    began = since = time.monotonic()
    pause = FIRST_PAUSE
    while True:
        mark = _mark(database, name)
        if mark.text != seen:
            seen, since = mark.text, time.monotonic()
        gone = mark.text is None or is_dead(mark.text.partition(" ")[2])
        silent = max(time.monotonic() - since, mark.age or 0.0)
        if gone or silent >= patience:
            if _replace(database, name, mark.text, mine):
                return mark.text is None
            check()
        time.sleep(uneven.uniform(pause / 2, pause))
        pause = pace.after(pause, time.monotonic() - began)


def _line(name: Name) -> str:
    """What the line of a study is called: by its identity, which no other study has."""
    return name if isinstance(name, str) else name.identity or name.name


def _mark(database: Database, name: Name) -> Mark:
    which = sql.of_study(name)
    found = database.read(lambda c: c.execute(sql.MARK, which).first())
    if found is None or found.turn is None:
        return Mark(None, None)
    if type(found.turn) is not str:  # it would never be equal to what we replace
        raise ForeignStorageError(
            f"{database.place}: the counters of study {name_of(name)!r} are not what pathmax "
            f"writes (turn: {found.turn!r:.80}); {REMEDY}"
        )
    now = time.time() if found.now is None else found.now
    known = type(found.turn_at) in (int, float)
    return Mark(found.turn, now - found.turn_at if known else None)


def _replace(database: Database, name: Name, old: str | None, new: str | None) -> bool:
    values = sql.of_study(name, old=old, new=new, here=time.time())
    changed = database.write(lambda c, _: c.execute(sql.REPLACE_MARK, values).first())
    return changed is not None
