"""Taking turns: a mark in the counters of a study says who is computing a suggestion.

The mark is a random text without a time in it, since the clocks of several machines never agree.
Whoever waits looks at it now and then. While it changes, the others are alive; a mark that stays
the same for longer than one's patience was left by someone who died, and is taken over.
"""

from __future__ import annotations

import random
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

from pathmax.storage import statements as sql
from pathmax.storage.database import Database
from pathmax.storage.records import Name

PAUSE = (0.002, 0.05)  # seconds: the first look again, and the longest time between two looks


@contextmanager
def turn(database: Database, name: Name, patience: float) -> Iterator[bool]:
    """Wait until no one else, or no one alive, has the turn. Yields whether it was free."""
    mine = uuid.uuid4().hex
    free = _take(database, name, mine, patience)
    try:
        yield free
    finally:
        # `start` takes the mark away too, in the same stroke; then there is nothing to write here.
        if _mark(database, name) == mine:
            _replace(database, name, mine, None)


def _take(database: Database, name: Name, mine: str, patience: float) -> bool:
    uneven = random.SystemRandom()
    seen: str | None = None
    since = time.monotonic()
    pause, longest = PAUSE
    while True:
        mark = _mark(database, name)
        abandoned = mark == seen and time.monotonic() - since >= patience
        if (mark is None or abandoned) and _replace(database, name, mark, mine):
            return mark is None
        if mark != seen:
            seen, since = mark, time.monotonic()
        time.sleep(uneven.uniform(pause / 2, pause))
        pause = min(1.5 * pause, longest)


def _mark(database: Database, name: Name) -> str | None:
    which = sql.of_study(name)
    mark: str | None = database.read(lambda c: c.execute(sql.MARK, which).scalar())
    return mark


def _replace(database: Database, name: Name, old: str | None, new: str | None) -> bool:
    values = sql.of_study(name, old=old, new=new)
    changed = database.write(lambda c, _: c.execute(sql.REPLACE_MARK, values).first())
    return changed is not None
