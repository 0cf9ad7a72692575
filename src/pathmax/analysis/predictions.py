"""What a study knows beyond the next trial: predictions and a recommendation.

All of it in the user's units. What is predicted is a mixture over the parameters that the results
leave open (`suggestion.beliefs`); a recommendation, like a suggestion, comes from the most probable
ones, but keeps bounds under all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from pathmax import acquisition
from pathmax.analysis import joint_predictions
from pathmax.analysis.asked_points import encoded
from pathmax.arrays import Array
from pathmax.errors import SettingsError, TrialError
from pathmax.gp import GaussianProcess
from pathmax.scalars import Scalar
from pathmax.session.session import Session
from pathmax.suggestion.beliefs import forecast
from pathmax.suggestion.landscape import Landscape
from pathmax.trials.value_transform import ValueTransform


class Posterior(NamedTuple):
    """The model in standard units, where larger is better, and the way back to the user's units."""

    model: GaussianProcess
    transform: ValueTransform

    @property
    def outcomes(self) -> ValueTransform:
        """The transform by the name that it had in 0.1."""
        return self.transform


class Forecast(NamedTuple):
    """Expected values and their standard deviations; unpack it as `mean, std`."""

    mean: Array  # (m,)
    std: Array  # (m,)


def posterior(session: Session, outcome: str | None = None) -> Posterior:
    """The model of all results so far."""
    landscape, name = outcome_of(session, outcome)
    return Posterior(landscape.told(name), landscape.surrogates[name].transform)


def outcome_of(session: Session, outcome: str | None) -> tuple[Landscape, str]:
    """What the models say now, and the name of the outcome that is meant, of which one is known."""
    goals = session.problem.goals
    if outcome is None and len(goals) > 1:
        raise SettingsError(
            f"which outcome? this study has {', '.join(goals.names)}; "
            f"give outcome={goals[0].name!r}"
        )
    outcome = goals.first.name if outcome is None else goals.named(outcome).name
    landscape = session.landscape()
    if outcome not in landscape.surrogates:
        raise TrialError(f"no trial has a value of {outcome} yet; tell one first")
    return landscape, outcome


def predict(
    session: Session, params: Sequence[Mapping[str, object]], outcome: str | None = None
) -> Forecast:
    """The value to expect for each of the params, of the outcome or of the one that is named."""
    U = encoded(session, params)
    transform = posterior(session, outcome).transform
    name = session.problem.goals.first.name if outcome is None else outcome
    mean, std = forecast(session.beliefs(), name, U, transform)
    return Forecast(transform.outward(mean), transform.spread(mean, std))


def recommend(session: Session) -> dict[str, Scalar]:
    """The params with the largest posterior mean, over everything there is."""
    if len(session.problem.goals.objectives) > 1:
        raise SettingsError(
            "with several objectives no single point is the best; study.recommend_front() has some "
            "that stand for the front"
        )
    if not session.problem.goals.is_single:
        return joint_predictions.recommend_jointly(session)
    landscape = session.landscape()
    model, everything = landscape.model(session.problem.goals.first.name), landscape.everything
    rng = np.random.default_rng([session.problem.settings.seed, landscape.history.number])
    # The posterior mean is the confidence bound of width 0.
    best = acquisition.choose("gp-ucb", model, everything.domain, rng, t=1, confidence=0.0)
    return everything.settle(best.u, best.index, rng)
