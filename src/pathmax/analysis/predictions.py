"""What a study knows beyond the next trial: predictions, a recommendation, a replay.

All of it in the user's units, from the same surrogate that suggestions come from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from pathmax import acquisition
from pathmax.arrays import Array
from pathmax.errors import ParamsError
from pathmax.gp import GaussianProcess
from pathmax.scalars import Scalar, describe
from pathmax.session.session import Session
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


def posterior(session: Session) -> Posterior:
    """The model of all results so far, kept away from what failed."""
    landscape = session.landscape()
    outcome = session.problem.goals.first.name
    return Posterior(landscape.model(outcome), landscape.surrogates[outcome].transform)


def predict(session: Session, params: Sequence[Mapping[str, object]]) -> Forecast:
    """The value to expect for each of the params."""
    if isinstance(params, Mapping | str) or not isinstance(params, Iterable):
        raise ParamsError(
            f"params must be a list of dicts, got {describe(params)}; for one point write [params]"
        )
    model, transform = posterior(session)
    mean, std = model.predict(session.problem.space.encode_many(list(params)))
    return Forecast(transform.outward(mean), transform.spread(mean, std))


def recommend(session: Session) -> dict[str, Scalar]:
    """The params with the largest posterior mean, over everything there is."""
    landscape = session.landscape()
    model, everything = landscape.model(session.problem.goals.first.name), landscape.everything
    rng = np.random.default_rng([session.problem.settings.seed, landscape.history.number])
    # The posterior mean is the confidence bound of width 0.
    best = acquisition.choose("gp-ucb", model, everything.domain, rng, t=1, confidence=0.0)
    return everything.settle(best.u, best.index, rng)
