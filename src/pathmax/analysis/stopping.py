"""When to stop: a rule that reads the regret off sample paths."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from pathmax.analysis.regret import Regret
from pathmax.arguments import real_number, whole_number
from pathmax.trials.trial import Trial, TrialState

# Far from the goal a few paths settle a check, and more would not change the answer. How many, and
# how far below the wanted probability their share may be for more to be asked.
STAGES = ((16, 0.25), (64, 0.1))


class Stoppable(Protocol):
    """What a stopping rule asks of a study."""

    @property
    def trials(self) -> list[Trial]: ...
    def regret(
        self,
        n_paths: int | None = ...,
        *,
        context: Mapping[str, Any] | None = ...,
        rough: bool = ...,
    ) -> Regret: ...


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a stopping rule says after a trial: true to stop, and a few words either way."""

    stop: bool
    words: str

    def __bool__(self) -> bool:
        return self.stop

    def __str__(self) -> str:
        return self.words


@dataclass(frozen=True, slots=True)
class StopWhen:
    """Stop when nothing is better than the recommendation by more than `regret`, most probably.

    Args:
        regret: in your units; `max f - f(recommended)` is to be at most this. With several
            objectives a share: by how much results may fall short of the front (`Study.regret`).
        probability: how sure to be.
        after: never before this many results; learnt models are often too sure of themselves when
            they have seen little.
        n_paths: sample paths per check, 400 by default and 100 with several outcomes. Far from the
            goal a rough look at a few of them settles it, in about the time of a suggestion.
        context: in a study with contexts, the one that counts.
    """

    regret: float
    probability: float = 0.95
    after: int = 10
    n_paths: int | None = None
    context: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        real_number("regret", self.regret, "above 0, in your units", lambda r: r > 0.0)
        real_number(
            "probability", self.probability, "at least 0.5 and below 1", lambda p: 0.5 <= p < 1.0
        )
        if self.n_paths is not None:
            whole_number("n_paths", self.n_paths, least=STAGES[0][0])
        whole_number("after", self.after, least=0)

    def __call__(self, study: Stoppable) -> Verdict:
        told = sum(trial.state is TrialState.COMPLETE for trial in study.trials)
        if told < max(self.after, 1):
            return Verdict(False, "")
        first, margin = STAGES[0]
        least = study.regret(n_paths=first, context=self.context, rough=True)
        if least.probability(self.regret) < self.probability - margin:
            return Verdict(False, self._words(least))
        for count, margin in STAGES if least.rough else STAGES[1:]:
            if self.n_paths is None or count < self.n_paths:
                found = study.regret(n_paths=count, context=self.context)
                if found.probability(self.regret) < self.probability - margin:
                    return Verdict(False, self._words(found))
        found = study.regret(n_paths=self.n_paths, context=self.context)
        stop = found.probability(self.regret) >= self.probability
        return Verdict(stop, self._words(found))

    def _words(self, found: Regret) -> str:
        share = found.probability(self.regret)
        unit = f" {found.unit}" if found.unit else ""
        return f"regret at most {self.regret:g}{unit} with probability {share:.2g}"
