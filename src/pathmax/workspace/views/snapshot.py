"""Snapshot: a study at one moment, from which any number of viewers are served."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from pathmax.errors import SpaceError
from pathmax.suggestion.costs import Costs, cost_of, costs_of, has_costs, spent_or_none
from pathmax.trials.best_trials import feasible_of, front_of
from pathmax.trials.curves import Curves, curves_of
from pathmax.trials.goals import Goal, Goals
from pathmax.trials.reference_point import beyond_results
from pathmax.trials.trial import Trial, TrialState
from pathmax.workspace.brief_trials import BriefTrials
from pathmax.workspace.layout import Layout
from pathmax.workspace.opened_study import Opened


@dataclass(frozen=True, eq=False)
class Snapshot:
    """The trials of a study, what its columns mean, and which trials left the space."""

    name: str
    layout: Layout
    goals: Goals
    trials: tuple[Trial, ...]
    outside: frozenset[int] = frozenset()
    """Numbers of the trials that do not fit the present space."""
    read_curves: Callable[[], Curves] = dict
    revision: int = 0
    """That of the study, where others may be told of a later one."""

    @classmethod
    def of(cls, opened: Opened) -> Snapshot:
        """The study as it is now, without what explains suggestions."""
        study, seen = opened.study, BriefTrials.at(opened.study)

        def read_curves() -> Curves:
            return curves_of(study.storage.reports(study.name)[1])

        return cls(study.name, opened.layout, study.goals, seen.trials, seen.outside, read_curves)

    @cached_property
    def curves(self) -> Curves:
        """What trials reported on their way, by number; read when somebody asks for it."""
        return self.read_curves()

    @property
    def columns(self) -> dict[str, str]:
        """The outcome that each column of results holds."""
        return self.layout.results

    def goal(self, column: str) -> Goal:
        """What is wanted of the outcome in a column."""
        return self.goals.named(self.columns[column])

    @property
    def objectives(self) -> list[str]:
        """The columns with a direction."""
        return [column for column in self.columns if self.goal(column).is_objective]

    @property
    def several(self) -> bool:
        """Whether there are several objectives, and so a front instead of a best trial."""
        return len(self.goals.objectives) > 1

    @cached_property
    def complete(self) -> tuple[Trial, ...]:
        """Trials with a result that fit the space, and have an outcome that is wanted now."""
        return tuple(t for t in self._inside if self.goals.are_told_by(t.outcomes))

    @cached_property
    def untold(self) -> tuple[Trial, ...]:
        """Trials with a result that fit the space, and have none of the present outcomes."""
        return tuple(t for t in self._inside if not self.goals.are_told_by(t.outcomes))

    @cached_property
    def _inside(self) -> tuple[Trial, ...]:
        done = TrialState.COMPLETE
        return tuple(t for t in self.trials if t.state is done and t.number not in self.outside)

    @cached_property
    def running(self) -> tuple[Trial, ...]:
        return tuple(t for t in self.trials if t.state is TrialState.RUNNING)

    @cached_property
    def failed(self) -> tuple[Trial, ...]:
        return tuple(t for t in self.trials if t.state is TrialState.FAILED)

    @cached_property
    def stopped(self) -> tuple[Trial, ...]:
        return tuple(t for t in self.trials if t.state is TrialState.STOPPED)

    @cached_property
    def left_out(self) -> tuple[Trial, ...]:
        """Trials with a result that do not fit the space any more."""
        done = TrialState.COMPLETE
        return tuple(t for t in self.trials if t.state is done and t.number in self.outside)

    @cached_property
    def counted(self) -> tuple[Trial, ...]:
        """Trials with a result that obeys what is known, at the target."""
        return tuple(t for t in self.complete if self.layout.domain.counts(t.params))

    @cached_property
    def feasible(self) -> tuple[Trial, ...]:
        """Trials that may be the best: of those, objectives measured and within every bound."""
        return tuple(feasible_of(self.counted, self.goals))

    @cached_property
    def undecided(self) -> tuple[Trial, ...]:
        """Trials some of whose outcomes are still to come, and that may be the best then."""
        return tuple(trial for trial in self._inside if self.kind(trial) == "open")

    def kind(self, trial: Trial) -> str:
        """How a result counts.

        "met", "not" within all bounds, "open" while what is measured keeps them and other outcomes
        are still to come, or "low", below the target.
        """
        name, fidelity = self.layout.domain.fidelity or ("", None)
        if fidelity is not None and not fidelity.is_target(trial.params.get(name)):
            return "low"
        if trial.number in self.allowed:
            return "met"
        told = [goal for goal in self.goals if goal.name in trial.outcomes]
        kept = all(goal.met(trial.outcomes[goal.name]) for goal in told if goal.is_constraint)
        obeys = self.layout.domain.counts(trial.params)
        return "open" if kept and obeys and len(told) < len(self.goals.names) else "not"

    @cached_property
    def allowed(self) -> frozenset[int]:
        """The numbers of those that may be the best."""
        return frozenset(trial.number for trial in self.feasible)

    @property
    def target(self) -> str:
        """The fidelity that is wanted, in words; empty where there is none."""
        return self.layout.domain.target_words

    @cached_property
    def spent(self) -> float | None:
        """What all trials cost, where there is a fidelity or costs were told."""
        return spent_or_none(self.layout.domain, self.trials) if self.has_costs else None

    @cached_property
    def has_costs(self) -> bool:
        """Whether what a trial costs is worth a column."""
        return has_costs(self.layout.domain, self.trials)

    def cost(self, trial: Trial) -> float | None:
        """What a trial has cost or will; None where the cost is a function that is not here."""
        try:
            return cost_of(trial, self.layout.domain, self._costs)
        except SpaceError:
            return None

    @cached_property
    def _costs(self) -> Costs | None:
        return costs_of(self.layout.domain, self.trials)

    @cached_property
    def front(self) -> tuple[Trial, ...]:
        """With several objectives: the trials that no other dominates, one of equal ones."""
        return tuple(front_of(self.feasible, self.goals)) if self.several else ()

    @cached_property
    def best(self) -> Trial | None:
        """The best trial; None with several objectives, and before any is within the bounds."""
        if self.several or not self.feasible:
            return None
        goal = self.goals.first
        return max(self.feasible, key=lambda trial: goal.sign * trial.outcomes[goal.name])

    @cached_property
    def warning(self) -> str:
        """What is likely not as it was meant: a reference beyond all results."""
        said = beyond_results(self.goals, (trial.outcomes for trial in self.counted))
        return f"{said[:1].upper()}{said[1:]}." if said else ""

    @property
    def centre(self) -> Trial | None:
        """The trial through which slices cut: the best, or the latest of the front."""
        if self.best is not None:
            return self.best
        return max(self.front or self.complete, key=lambda trial: trial.number, default=None)


def best_now(opened: Opened) -> Trial | None:
    """The best trial as the study is now; nothing is read where there are several objectives."""
    return None if len(opened.study.goals.objectives) > 1 else Snapshot.of(opened).best
