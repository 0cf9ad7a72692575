"""Result: what an optimisation found, as a value to look at, keep and plot."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from pathmax.errors import TrialError
from pathmax.scalars import Scalar
from pathmax.trials import html
from pathmax.trials.best_trials import best_of, front_of
from pathmax.trials.frames import to_frame
from pathmax.trials.goals import Goals
from pathmax.trials.notebook_summary import of_trials
from pathmax.trials.trial import Trial, TrialState
from pathmax.trials.wording import MANY_PARAMETERS, plural, show


@dataclass(frozen=True, slots=True, repr=False)
class Result:
    """What an optimisation found.

    Attributes:
        trials: every trial of the study, in order.
        goals: what was wanted of each outcome.
        name: the name of the study.
        ending: what ended the run: "done", or a few words.
        left_out: the numbers of trials that do not fit the space, if that was changed, that break
            what is known, or that are not of the target fidelity.
        spent: what all trials together cost, where there is a fidelity or costs were told.
        target: the fidelity that is wanted, in words.
    """

    trials: tuple[Trial, ...]
    goals: Goals
    name: str
    ending: str = "done"
    left_out: frozenset[int] = frozenset()
    spent: float | None = None
    target: str = ""

    @property
    def direction(self) -> str:
        """ "maximize" or "minimize": of the objective, or of the first of several."""
        return str(self.goals.first.direction)

    @property
    def best_trial(self) -> Trial:
        """The best trial observed, of those within all bounds."""
        told = sum(trial.state is TrialState.COMPLETE for trial in self.trials)
        return best_of(self._fitting(), self.goals, self.target, told)

    @property
    def front(self) -> list[Trial]:
        """With several objectives: the trials within all bounds that no other dominates."""
        return front_of(self._fitting(), self.goals)

    def _fitting(self) -> list[Trial]:
        return [trial for trial in self.trials if trial.number not in self.left_out]

    @property
    def best_params(self) -> dict[str, Scalar]:
        """The parameters of the best trial."""
        return self.best_trial.params

    @property
    def best_value(self) -> float:
        """The value of the best trial."""
        return self.best_trial.outcomes[self.goals.first.name]

    def plot(self, path: str | os.PathLike[str] | None = None) -> Any:
        """A figure of every result and the best so far or the front; saved when `path` is given.

        Needs matplotlib: `pip install "pathmax[plot]"`.
        """
        from pathmax import plots

        figure = plots.outcome_progress(self._fitting(), self.goals, title=self.name)
        if path is not None:
            plots.save(figure, path)
        return figure

    def to_frame(self, library: str | None = None) -> Any:
        """All trials as a data frame, a row for each.

        Args:
            library: "pandas" or "polars"; when left out pandas, or polars where that is not there.
        """
        return to_frame(self.trials, (), self.goals, library)

    @property
    def summary(self) -> str:
        """The best value, where it was found, and how many trials it took, in one line."""
        told = sum(trial.state is TrialState.COMPLETE for trial in self.trials)
        failed = sum(trial.state is TrialState.FAILED for trial in self.trials)
        stopped = sum(trial.state is TrialState.STOPPED for trial in self.trials)
        counts = f"{told} results" + (f", {stopped} stopped" if stopped else "")
        counts += f", {failed} failed" if failed else ""
        counts += "" if self.spent is None else f", cost {self.spent:.6g}"
        if not told:
            return counts
        if len(self.goals.objectives) > 1:
            front = plural(len(self.front), "trial")
            none = self.goals.constraints and not self.front
            return f"{front} on the front, {counts}" + (", none within all bounds" if none else "")
        try:
            best = self.best_trial
        except TrialError as nothing:
            return f"{str(nothing).partition(';')[0]}, {counts}"
        value = best.outcomes[self.goals.first.name]
        there = show(best.params, MANY_PARAMETERS)
        return f"best {value:.6g} at {there} (trial {best.number}), {counts}"

    def _repr_html_(self) -> str:
        shown = of_trials(self.trials, self._fitting(), self.goals, self.target)
        return html.page(f"{self.name}: {self.goals.words}", *shown)

    def __repr__(self) -> str:
        return f"<Result of {self.name}: {self.summary}>"
