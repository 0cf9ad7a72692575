"""Every error that a user of pathmax can meet.

Each message says what was expected, what came, and what to do about it. Catch `PathmaxError` to
catch them all; those about a wrong value are `ValueError` too, for code that catches only that.

    PathmaxError
    ├── SpaceError                  a space, a pool or a grid is defined wrongly
    ├── ParamsError                 parameters do not fit the space
    ├── ExhaustedError              every row of a finite domain has been tried
    ├── OutcomeError                a told value is not a finite number
    ├── TrialError                  no such trial, or it was told before
    ├── ModelError                  a kernel, model or acquisition got wrong shapes or values
    │   └── UnregisteredKernelError     a stored kernel of one's own is not known in this process
    ├── SettingsError               an unknown method, a bad seed, a bad size of the first design
    ├── ObjectiveError              the objective raised, or cannot be sent to another process
    ├── DataFileError               a CSV, Parquet or TOML file cannot be used as it is
    ├── MissingExtraError           an optional dependency is not installed
    └── StorageError                the database
        ├── StorageUnavailableError     cannot be reached, or stayed locked for too long
        ├── StorageFullError            no room left to write
        ├── ForeignStorageError         damaged, not a pathmax database, or of a newer version
        ├── StudyNotFoundError          no study of that name
        └── SpaceChangedError           the study exists with another space or direction

    IgnoredOptionWarning            a stored study has an option that its method does not take
    DamageWarning                   a trial or a study of a damaged database; the rest is read
    KnownConstraintWarning          a result that does not obey what is known; it is kept
    NeverActiveWarning              the condition of a parameter can never hold
    RepeatedReportWarning           a step was reported before with another value, which stands
    LeftOutWarning                  rows or parameters of an older study that are not learnt from
"""

from __future__ import annotations

__all__ = [
    "DamageWarning",
    "DataFileError",
    "ExhaustedError",
    "ForeignStorageError",
    "IgnoredOptionWarning",
    "KnownConstraintWarning",
    "LeftOutWarning",
    "MissingExtraError",
    "ModelError",
    "NeverActiveWarning",
    "ObjectiveError",
    "OutcomeError",
    "ParamsError",
    "PathmaxError",
    "RepeatedReportWarning",
    "SettingsError",
    "SpaceChangedError",
    "SpaceError",
    "StorageError",
    "StorageFullError",
    "StorageUnavailableError",
    "StudyNotFoundError",
    "TrialError",
    "UnregisteredKernelError",
]


class PathmaxError(Exception):
    """The root of the tree: any error that a user can cause or must know about."""


class SpaceError(PathmaxError, ValueError):
    """A space, a pool of candidates or a grid is defined wrongly."""


class ParamsError(PathmaxError, ValueError):
    """Parameters do not fit the space; the message names the parameter and the value."""


class ExhaustedError(PathmaxError):
    """Every row of a finite domain has been tried, so there is nothing left to suggest."""


class OutcomeError(PathmaxError, ValueError):
    """A told value is not a finite number."""


class TrialError(PathmaxError):
    """There is no trial of that number, or its result was told before."""


class ModelError(PathmaxError, ValueError):
    """A kernel, a Gaussian process or an acquisition was given wrong shapes or values."""


class UnregisteredKernelError(ModelError):
    """A stored study uses a kernel of one's own that this process does not know."""


class SettingsError(PathmaxError, ValueError):
    """A setting of a study is not one that exists or makes sense."""


class ObjectiveError(PathmaxError):
    """The objective raises whatever it is given, or raised with `on_error="raise"`, or cannot be
    pickled."""


class DataFileError(PathmaxError, ValueError):
    """A data file cannot be used as it is; the message names the file and the place in it."""

    where: tuple[str, ...] = ()  # the entry of a space file that is meant, for forms that mark it


class MissingExtraError(PathmaxError, ImportError):
    """An optional dependency is not installed; the message says how to install it."""


class StorageError(PathmaxError):
    """Reading or writing a study failed."""


class StorageUnavailableError(StorageError):
    """The database cannot be reached, or stayed locked for too long."""


class StorageFullError(StorageError):
    """There is no room left to write; what was written before is safe."""


class ForeignStorageError(StorageError):
    """The file is damaged, is no pathmax database, or was written by a newer version."""


class DamageWarning(UserWarning):
    """A trial or a study in the database was changed by another program; the others are read."""


class StudyNotFoundError(StorageError):
    """The storage holds no study of that name."""


class SpaceChangedError(StorageError):
    """A study of that name exists with another space or direction."""


class IgnoredOptionWarning(UserWarning):
    """A study that an earlier version stored has an option that its method does not take."""


class KnownConstraintWarning(UserWarning):
    """A result was told whose params break a known constraint: kept, learnt from, never best."""


class NeverActiveWarning(UserWarning):
    """The condition of a parameter can never hold, so that it will never be suggested."""


class RepeatedReportWarning(UserWarning):
    """A step of a trial was reported again with another value: the first one stands."""


class LeftOutWarning(UserWarning):
    """Rows or parameters of an older study that a new one cannot learn from."""
