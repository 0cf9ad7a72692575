"""Whether a process is still there: asked of the operating system, and so only on its own machine.

`signature()` names this process in one line of text, so that no later process of the same number
is taken for it; `is_dead` says of such a line whether its process has surely ended.
"""

from __future__ import annotations

import os
import socket
from functools import lru_cache
from pathlib import Path

SEPARATOR = " "


def signature() -> str:
    """This process: its number, when it began, and which machine it runs on."""
    process = os.getpid()
    return SEPARATOR.join((str(process), _began(process) or "-", _machine()))


def is_dead(signed: str) -> bool:
    """Whether the process of a signature is surely gone; False where nobody here can know."""
    parts = signed.split(SEPARATOR)
    if os.name != "posix" or len(parts) != 3 or not parts[0].isdecimal() or parts[2] != _machine():
        return False
    process, began = int(parts[0]), parts[1]
    try:
        os.kill(process, 0)  # sends nothing: asks whether it could
    except (ProcessLookupError, OverflowError):
        return True
    except OSError:  # it is there, and somebody else's
        return False
    now = _began(process)
    return now is not None and now != began


def _began(process: int) -> str | None:
    """When a process began, in ticks since the machine was started; "gone" for a dead one."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text("ascii", errors="replace")
    except OSError:  # not Linux
        return None
    # After the name, which is in brackets and may hold anything; see proc(5).
    state, *fields = stat.rpartition(")")[2].split()
    return "gone" if state in ("Z", "X") else fields[18]


@lru_cache(maxsize=1)
def _machine() -> str:
    """This machine since it was started, and the space of process numbers in it (a container)."""
    try:
        started = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
        return f"{started}/{os.readlink('/proc/self/ns/pid')}"
    except OSError:
        return socket.gethostname().replace(SEPARATOR, "-")
