"""The names that `pathmax.analysis` has had since 0.2; this module goes with 0.3."""

from pathmax.analysis.regret import Regret
from pathmax.analysis.stopping import StopWhen, Verdict

__all__ = ["Regret", "StopWhen", "Verdict"]
