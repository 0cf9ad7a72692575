"""The landscape: what the models say of all that may be tried, kept away from what failed.

Suggestions, predictions, recommendations, rankings and regrets all start here, so that they speak
of the same posterior.
"""

from __future__ import annotations

from dataclasses import dataclass

from pathmax import gp
from pathmax.suggestion.available_points import Choices, available
from pathmax.suggestion.failed_points import avoid
from pathmax.suggestion.problem import Problem, Surrogates
from pathmax.suggestion.surrogate import Posterior
from pathmax.trials.history import History

MOST_STEPS = 16  # on a grid: further conditions, O(n N) each, before all is cheaper made anew


@dataclass(frozen=True, slots=True, eq=False)
class Landscape:
    """The posterior of each outcome over everything there is."""

    problem: Problem
    history: History
    surrogates: Surrogates

    def model(self, outcome: str) -> gp.GaussianProcess:
        """The posterior of an outcome; an objective has pessimistic values where trials failed."""
        model = self.surrogates[outcome].model
        if not self.problem.goals.named(outcome).is_objective:
            return model
        return avoid(model, self.history.failed)

    def posterior(self, outcome: str) -> Posterior:
        """The same, held on the whole grid if the space is one and that is cheap."""
        return self.held(outcome, self.model(outcome))

    def held(self, outcome: str, model: gp.GaussianProcess) -> Posterior:
        """A model that has seen some more than the surrogate, on the whole grid if it is cheap."""
        posterior, rows = self.surrogates[outcome].posterior, self.history.rows
        if not isinstance(posterior, gp.GridPosterior) or model.n - posterior.n > MOST_STEPS:
            return model
        if model.n - posterior.n > 1:
            return posterior.extended(model)
        for i in range(posterior.n, model.n):
            y, noise = float(model.y[i]), float(model.noises[i])
            posterior = posterior.condition(rows[i], y, noise)
        return posterior

    @property
    def everything(self) -> Choices:
        """All that there is, tried or not."""
        past = self.history
        return available(self.problem.space, past.taken, past.rows, replicates=True)
