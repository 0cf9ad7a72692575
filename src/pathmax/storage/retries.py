"""What can go wrong with a database or a server, and waiting until it is mended."""

from __future__ import annotations

import enum
import random
import time


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


# First pause, growth, longest pause; all in seconds.
PACE = {
    Fault.BUSY: (0.0005, 1.5, 0.02),  # a transaction takes about a millisecond
    Fault.GONE: (0.05, 1.5, 1.0),  # a server needs a second or a minute to come back
}
LONGEST_LINE = 60.0  # seconds in line for a turn; whoever waits longer looks for it by itself
OPENING_PATIENCE = 5.0  # seconds: whoever mistypes a host name wants to know soon


class Retries:
    """How much longer to wait, counted from the first trouble on."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._since: float | None = None
        self._pauses: dict[Fault, float] = {}

    def wait(self, fault: Fault) -> bool:
        """Pause a random while, longer each time; False when it is not worth it any more."""
        if fault not in PACE:
            return False
        now = time.monotonic()  # not the wall clock: that may be set
        self._since = now if self._since is None else self._since
        left = self._since + self.seconds - now
        if left <= 0:
            return False
        first, growth, longest = PACE[fault]
        pause = self._pauses.get(fault, first)
        self._pauses[fault] = min(pause * growth, longest)
        # The operating system's randomness: processes forked from one parent must not pause alike.
        time.sleep(min(random.SystemRandom().uniform(pause / 4, pause), left))
        return True
