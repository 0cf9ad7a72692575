"""The landscape: what the models say of all that may be tried.

Suggestions, predictions, recommendations, rankings and regrets all start here, so that they speak
of the same posterior: where to go is kept away from what failed (`model`), what is said of values
is not (`told`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from pathmax import gp
from pathmax.acquisition import believe
from pathmax.acquisition.outcome_posteriors import Outcome
from pathmax.suggestion.available_points import available
from pathmax.suggestion.choices import Choices
from pathmax.suggestion.failed_points import avoid
from pathmax.suggestion.fitted_models import Posterior, Surrogate
from pathmax.suggestion.model_bounds import model_bounds
from pathmax.suggestion.problem import StudyProblem, Surrogates
from pathmax.trials.goals import Goal
from pathmax.trials.history import History


@dataclass(frozen=True, slots=True, eq=False)
class Landscape:
    """The posterior of each outcome over everything there is."""

    problem: StudyProblem
    history: History
    surrogates: Surrogates

    def model(self, outcome: str) -> gp.GaussianProcess:
        """The posterior of an outcome; an objective has pessimistic values where trials failed."""
        model = self.surrogates[outcome].model
        if not self.problem.goals.named(outcome).is_objective:
            return model
        return avoid(model, self.history.failed)

    def told(self, outcome: str) -> gp.GaussianProcess:
        """The posterior of an outcome from its results alone: what is said of values."""
        return self.surrogates[outcome].model

    def posterior(self, outcome: str) -> Posterior:
        """The model, held on the whole grid if the space is one that allows it."""
        return self.held(outcome, self.model(outcome))

    def held(self, outcome: str, model: gp.GaussianProcess) -> Posterior:
        """A model that has seen some more than the surrogate, on the whole grid if there is one."""
        posterior = self.surrogates[outcome].posterior.gridded
        return model if posterior is None else posterior.extended(model)

    def drawn(self, rng: np.random.Generator) -> Landscape:
        """The same results explained by parameters drawn from their posterior, for each outcome.

        A path of it is a draw of f with all that is uncertain about it (HP-GP-TS, arXiv
        2502.01226): first the parameters, then the path.
        """
        others = {
            name: self.problem.modeller(self.problem.goals.named(name)).plausible(
                surrogate, 1, rng
            )[0]
            for name, surrogate in self.surrogates.items()
        }
        return Landscape(self.problem, self.history, others)

    def outcome(self, name: str, rng: np.random.Generator) -> Outcome:
        """An outcome as a joint choice sees it, with a guess where it is still to come."""
        return self._as_outcome(name, believe(self.model(name), self.history.awaited(name), rng))

    def settled(self, name: str) -> Outcome:
        """An outcome as its results alone have it."""
        return self._as_outcome(name, self.model(name))

    def _as_outcome(self, name: str, model: gp.GaussianProcess) -> Outcome:
        goal, transform = self.problem.goals.named(name), self.surrogates[name].transform
        low, high = bounds_inward(self.surrogates[name], goal)
        point = None if goal.reference is None else float(transform.inward([goal.reference])[0])
        return Outcome(self.held(name, model), goal.is_objective, low, high, point, transform)

    @property
    def everything(self) -> Choices:
        """All that there is, tried or not; at the target, where there is a fidelity."""
        past = self.history
        return available(self.problem.space.at_target, past.taken, past.rows, replicates=True)


def bounds_inward(surrogate: Surrogate, goal: Goal) -> tuple[float, float]:
    """The bounds of a goal in the units of its model, where larger is better.

    Moved a little where results are told by class (`model_bounds`): what is at a bound keeps it.
    """
    transform = surrogate.transform
    low, high = (
        float(transform.inward([bound])[0]) if math.isfinite(bound) else transform.sign * bound
        for bound in model_bounds(goal, surrogate.observed.values)
    )
    return (low, high) if transform.sign > 0 else (high, low)
