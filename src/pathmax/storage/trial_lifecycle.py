"""The rules every storage follows, and the sentences it refuses with.

Life of a trial:

    start ──> RUNNING ──finish──> COMPLETE, STOPPED or FAILED (once; a second finish is refused)
                │ │
                │ └─report──> RUNNING, with one more point of its curve (once for each step)
                │
                └──reclaim──> FAILED ──finish──> COMPLETE     (its worker was only slow: once)

    any of its ends ──correct──> COMPLETE or FAILED           (what it was before is kept)
"""

from __future__ import annotations

from collections.abc import Iterable

from pathmax.errors import SpaceChangedError, StudyNotFoundError, TrialError
from pathmax.storage.json_text import encode
from pathmax.storage.records import Name, name_of
from pathmax.storage.trial_rows import Row
from pathmax.trials.trial import TrialState


def check_number(name: str, number: int, count: int) -> bool:
    """Whether the number is the next free one; False when it is taken, an error beyond it."""
    if number > count or number < 0:
        raise TrialError(
            f"study {name!r} has {count} trials, so the next number is {count}, got {number};"
            " numbers have no gaps: use the count of trials"
        )
    return number == count


def check_edition(name: Name, edition: int) -> None:
    """Refuse to start a trial that was suggested in a space which is no longer the study's."""
    if not isinstance(name, str) and name.edition != edition:
        raise SpaceChangedError(
            f"the space of study {name.name!r} was changed since it was opened, so nothing new is"
            " suggested in the old one; load the study again. Results are taken as before"
        )


def is_stale(heartbeat_at: float | None, now: float, grace: float) -> bool:
    """Whether a running trial lost its worker. One without heartbeats is never stale.

    A heartbeat in the future was written before the clock was set back; it proves nothing.
    """
    return heartbeat_at is not None and abs(now - heartbeat_at) > grace


def vanished(asked_at: float, now: float, grace: float) -> Row:
    """What a trial becomes when its worker has vanished."""
    return {
        "state": TrialState.FAILED.value,
        "error": encode(f"its worker vanished: no heartbeat for {grace:g} seconds", "error"),
        "told_at": max(now, asked_at),
        "reclaimed": True,
    }


def already_told(name: str, number: int, state: str, now: str) -> TrialError:
    """`state` is what the trial was told as, `now` what it is told as this time."""
    remedy = (
        f"To make a failure of it: pathmax fail {number} --correct, or"
        f" study.fail({number}, correct=True)"
        if now == TrialState.FAILED
        else f"To replace a mistyped value: pathmax tell {number} VALUE --correct, or"
        f" study.correct({number}, value). For a repeated measurement add a new trial with the"
        " same parameters"
    )
    return TrialError(
        f"trial {number} of study {name!r} is already told ({state}); a trial is told once. "
        + remedy
    )


def still_running(name: str, number: int) -> TrialError:
    return TrialError(
        f"trial {number} of study {name!r} is still running, so there is nothing to correct;"
        f" tell its value: pathmax tell {number} VALUE, or study.tell({number}, value); or that it"
        f" failed: pathmax fail {number}, or study.fail({number})"
    )


def not_running(name: str, number: int, state: str) -> TrialError:
    return TrialError(
        f"trial {number} of study {name!r} has ended ({state}), so there is nothing more to report"
        f" of it; report before it is told, and ask study.should_stop({number}) while it runs"
    )


def no_such_trial(name: str, number: int, count: int) -> TrialError:
    known = f"its trials are 0 to {count - 1}" if count else "it has no trials yet"
    return TrialError(f"study {name!r} has no trial {number}; {known}")


def no_such_study(name: Name, place: str, known: Iterable[str]) -> StudyNotFoundError:
    names = sorted(known)
    if not isinstance(name, str) and name.name in names:
        return renewed_study(name.name, place)
    there = ", ".join(repr(other) for other in names[:10]) + (", ..." if len(names) > 10 else "")
    return StudyNotFoundError(
        f"{place}: there is no study {name_of(name)!r}; "
        + (f"the studies there are {there}" if names else "it holds no studies yet")
    )


def renewed_study(name: str, place: str) -> StudyNotFoundError:
    return StudyNotFoundError(
        f"{place}: study {name!r} was deleted and created again since it was read; load it again"
    )
