"""What is told of a run while it goes on."""

from __future__ import annotations

from abc import ABC, abstractmethod

from pathmax.trials.trial import Trial


class Progress(ABC):
    """Told of every trial that ends."""

    @abstractmethod
    def told(self, trial: Trial, best: Trial | None, remark: str = "") -> None:
        """A trial has ended; `best` is the best so far, `remark` anything worth a word."""

    @abstractmethod
    def close(self, sentence: str) -> None:
        """The run is over; the sentence says how it ended."""
