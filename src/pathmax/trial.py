"""Moved to `pathmax.trials.trial`; these names stay here until 0.3, for code written for 0.1."""

from pathmax.trials.trial import Json, Trial, TrialState

__all__ = ["Json", "Trial", "TrialState"]
