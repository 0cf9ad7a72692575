"""Budget: how much a run may spend, counted in what its trials cost."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import final

from pathmax.session.session import Session
from pathmax.suggestion.costs import cost_of, costs_of
from pathmax.trials.trial import Trial

BUDGET_ROUNDING = 1e-9  # of the budget: ten trials of 0.1 spend 1


@final
@dataclass(slots=True)
class Budget:
    """What one run has spent: its trials as they cost, running ones as they are expected to."""

    session: Session
    limit: float | None
    numbers: set[int] = field(default_factory=set)

    def count(self, trial: Trial) -> None:
        """A trial of this run has started."""
        self.numbers.add(trial.number)

    @property
    def spent(self) -> float:
        """The cost of the trials so far."""
        trials, space = self.session.trials(), self.session.problem.space
        costs = costs_of(space, trials)
        own = (trial for trial in trials if trial.number in self.numbers)
        return math.fsum(cost_of(trial, space, costs) for trial in own)

    @property
    def is_spent(self) -> bool:
        """Whether no further trial is to be started; the last one may go beyond the limit."""
        return self.limit is not None and self.spent >= self.limit * (1.0 - BUDGET_ROUNDING)
