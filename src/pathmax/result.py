"""Moved to `pathmax.running.result`; these names stay here until 0.3, for code written for 0.1."""

from collections.abc import Iterable

from pathmax.running.result import Result
from pathmax.trials import best_trials
from pathmax.trials.goals import Goals
from pathmax.trials.trial import Trial

__all__ = ["Result", "best_of"]


def best_of(trials: Iterable[Trial], direction: str) -> Trial:
    """The best of the complete trials, the earliest of equals."""
    return best_trials.best_of(trials, Goals.single(direction))
