"""Moved to `pathmax.trials.trial`; these names stay here until 0.3, for code written for 0.1."""

from pathmax.trials.trial import EARLIER, Json, Trial, TrialState, check_remarks

__all__ = ["EARLIER", "Json", "Trial", "TrialState", "check_remarks"]
