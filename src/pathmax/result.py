"""The names that `pathmax.running.result` has had since 0.2; this module goes with 0.3."""

from pathmax.running.result import Result, best_of

__all__ = ["Result", "best_of"]
