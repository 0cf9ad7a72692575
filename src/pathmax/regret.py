"""Moved to `pathmax.analysis`; these names stay here until 0.3, for code written for 0.1."""

from pathmax.analysis.regret import Regret
from pathmax.analysis.stopping import StopWhen, Verdict

__all__ = ["Regret", "StopWhen", "Verdict"]
