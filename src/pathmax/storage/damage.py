"""What is left when another program, or a failing disk, has changed a row.

A damaged field costs that field and no more: the rest of the trial, and all other trials, are read
as ever. `Trial.damage` says what was lost. A trial without its parameters, its state or its result
counts as failed, and so does one whose row is gone: numbers have no gaps.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pathmax.errors import ForeignStorageError, ModelError, PathmaxError, SettingsError, SpaceError
from pathmax.trials.trial import Trial, TrialState

UNREADABLE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RecursionError)
"""The exceptions that reading raises where pathmax did not write the content."""

REMEDY = "the database is damaged or was changed by another program"


def damaged_trial(place: str, study: str, number: int, what: str) -> str:
    """What a user reads of a trial that is not one that pathmax wrote."""
    return (
        f"{place}: trial {number} of study {study!r} is not one that pathmax wrote ({what});"
        f" {REMEDY}"
    )


def missing_trial(place: str, study: str, number: int) -> Trial:
    """What stands for a trial whose row is gone."""
    damage = damaged_trial(place, study, number, "its row is gone")
    return Trial(
        number=number, params={}, state=TrialState.FAILED, error=damage, study=study, damage=damage
    )


@contextmanager
def reading(what: str) -> Iterator[None]:
    """Turn what comes of reading foreign content into an error that says what was being read."""
    try:
        yield
    except (ModelError, SettingsError, SpaceError) as error:  # these do not say what was being read
        raise type(error)(f"{what}: {error}") from error
    except PathmaxError:
        raise
    except UNREADABLE as cause:
        raise ForeignStorageError(
            f"{what} is not what pathmax writes ({type(cause).__name__}: {cause}); {REMEDY}"
        ) from cause
