"""Result: what an optimisation found, as a value to look at, keep and plot."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pathmax.errors import TrialError
from pathmax.scalars import Scalar
from pathmax.trials.goals import sign_of
from pathmax.trials.trial import Trial, TrialState
from pathmax.trials.wording import first_line, show

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True, repr=False)
class Result:
    """What an optimisation found.

    Attributes:
        trials: every trial of the study, in order.
        direction: "maximize" or "minimize".
        name: the name of the study.
        ending: what ended the run: "done", or a few words.
    """

    trials: tuple[Trial, ...]
    direction: str
    name: str
    ending: str = "done"

    @property
    def best_trial(self) -> Trial:
        """The best trial observed."""
        return best_of(self.trials, self.direction)

    @property
    def best_params(self) -> dict[str, Scalar]:
        """The parameters of the best trial."""
        return self.best_trial.params

    @property
    def best_value(self) -> float:
        """The value of the best trial."""
        value = self.best_trial.value
        assert value is not None, "a complete trial has a value"
        return value

    def plot(self, path: str | os.PathLike[str] | None = None) -> Figure:
        """A figure of every value and the best so far; saved as well when `path` is given.

        Needs matplotlib: `pip install "pathmax[plot]"`.
        """
        from pathmax import plots

        figure = plots.progress(self.trials, self.direction, title=self.name)
        if path is not None:
            plots.save(figure, path)
        return figure

    @property
    def summary(self) -> str:
        """The best value, where it was found, and how many trials it took, in one line."""
        told = sum(trial.state is TrialState.COMPLETE for trial in self.trials)
        failed = sum(trial.state is TrialState.FAILED for trial in self.trials)
        counts = f"{told} results" + (f", {failed} failed" if failed else "")
        if not told:
            return counts
        best = self.best_trial
        return f"best {best.value:.6g} at {show(best.params)} (trial {best.number}), {counts}"

    def __repr__(self) -> str:
        return f"<Result of {self.name}: {self.summary}>"


def best_of(trials: Iterable[Trial], direction: str) -> Trial:
    """The best of the complete trials, the earliest of equals; `TrialError` when there is none."""
    sign = sign_of(direction)
    best: tuple[float, Trial] | None = None
    failed: Trial | None = None
    for trial in trials:
        if trial.state is TrialState.COMPLETE and trial.value is not None:
            score = sign * trial.value
            if best is None or score > best[0]:
                best = (score, trial)
        elif trial.state is TrialState.FAILED:
            failed = trial
    if best is not None:
        return best[1]
    if failed is None:
        raise TrialError("no trial has a value yet; tell one with study.tell(trial, value)")
    raise TrialError(
        f"no trial has succeeded; the last one to fail was {failed.number}: "
        f"{first_line(failed.error)}"
    )
