"""What can go wrong with a database or a server, as far as it matters for what to do next."""

from __future__ import annotations

import enum


class Fault(enum.Enum):
    """What went wrong, as far as it matters for what to do next."""

    BUSY = "busy"
    """Somebody else is writing: try again in a moment."""
    GONE = "gone"
    """The connection broke: connect again. Whether a commit under way arrived is unknown."""
    UNREACHABLE = "unreachable"
    """Waiting will not help: wrong password, no such database."""
    FULL = "full"
    READ_ONLY = "read-only"
    DAMAGED = "damaged"
    OTHER = "other"
