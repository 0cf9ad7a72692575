"""What was read of trials that this process has started, so that their ends need not read it again.

A trial comes back as a whole when it is told. Its params and what explains it are as they were when
it was started: reading that JSON took a quarter of a tell. The text is compared, not trusted.
"""

from __future__ import annotations

from operator import itemgetter
from typing import Any, NamedTuple

from pathmax.storage.trial_rows import READERS, Stored
from pathmax.trials.trial import Trial

MOST_BEGUN = 512  # trials: few processes have more under way, and reading one is no loss


COLUMNS = ("params", "info", "worker")  # which no write changes
_texts = itemgetter(*COLUMNS)


class _Begun(NamedTuple):
    texts: tuple[str, ...]
    read: dict[str, Any]
    """The same as values."""


class BegunTrials:
    """Remembers what a storage has read of the latest trials that it started."""

    def __init__(self) -> None:
        # No lock, which a fork could find shut: each step is one operation on a dict.
        self._begun: dict[tuple[str, int], _Begun] = {}

    def keep(self, study: str, row: Stored, trial: Trial) -> None:
        """Remember a trial that was started, with its row."""
        if trial.damage is not None:
            return
        read = {name: READERS[name](row[name]) for name in COLUMNS}  # shared with nobody
        self._begun[study, trial.number] = _Begun(_texts(row), read)
        if len(self._begun) > MOST_BEGUN:
            for oldest in list(self._begun)[: MOST_BEGUN // 4]:
                self._begun.pop(oldest, None)

    def take(self, study: str, row: Stored) -> dict[str, Any]:
        """What need not be read of the row of a trial that has ended, by column."""
        begun = self._begun.pop((study, row["number"]), None)
        return {} if begun is None or begun.texts != _texts(row) else begun.read
