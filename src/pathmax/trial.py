"""The names that `pathmax.trials.trial` has had since 0.2; this module goes with 0.3."""

from pathmax.trials.trial import Json, Trial, TrialState

__all__ = ["Json", "Trial", "TrialState"]
