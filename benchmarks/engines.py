"""Since which engine suggestions are those of today: runs of an earlier one are made again.

An engine may change what is suggested in some studies alone. Runs of all others stay as they are,
whichever number they have, and their files the name that they had.
"""

from __future__ import annotations

from pathmax.suggestion.explanation import ENGINE

ONE_OBJECTIVE = 12  # without bounds on what is measured
SEVERAL_OUTCOMES = 12


def is_current(engine: object, since: int) -> bool:
    """Whether what has this engine is as if it were made today; records may name several."""
    return isinstance(engine, int) and since <= engine <= ENGINE


def name(since: int) -> str:
    """What the code as it is is called among other versions of it."""
    return f"engine-{since}"
