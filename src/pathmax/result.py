"""The names that `pathmax.running.result` has had since 0.2; this module goes with 0.3."""

from pathmax.running.result import Result

__all__ = ["Result"]
