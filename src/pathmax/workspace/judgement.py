"""Which parameters matter, and is the model any good: what `pathmax show` and a page say of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pathmax import analysis
from pathmax.trials.goals import VALUE
from pathmax.trials.trial import Trial
from pathmax.workspace.opened_study import Opened

if TYPE_CHECKING:
    from pathmax.analysis.cross_validation import CrossValidation
    from pathmax.analysis.importances import Importances

JUDGING_PATHS = 100
MOST_JUDGED = 2000  # results: a model of more takes longer than somebody who looks wants to wait


@dataclass(frozen=True, slots=True)
class Judgement:
    """Both answers for one outcome, under the name that the user has for it."""

    outcome: str
    importances: Importances
    check: CrossValidation

    def to_json(self) -> dict[str, Any]:
        return {
            "importances": {**self.importances.to_json(), "outcome": self.outcome},
            "cross_validation": {**self.check.to_json(), "outcome": self.outcome},
        }


def judgements(
    opened: Opened, told: Sequence[Trial], n_paths: int = JUDGING_PATHS
) -> list[Judgement]:
    """One for each outcome of which there are results enough among those told, and not too many."""
    study = opened.study
    found = []
    for name in study.goals.names:
        count = sum(name in trial.outcomes for trial in told)
        if 0 < count <= MOST_JUDGED and count >= analysis.cross_validation.FEWEST_RESULTS:
            found.append(
                Judgement(
                    opened.objective if name == VALUE else name,
                    study.importances(name, n_paths=n_paths),
                    study.cross_validate(name),
                )
            )
    return found
