"""The algorithm on one page: what to try next, as a function of what is known.

    model = fit(U, y)                          the surrogate, learnt or extended
    model = avoid(model, failed)               pessimistic values where trials failed
    model = believe(model, pending, rng)       a joint draw where trials are running
    path  = draw_path(model, rng)              PIMS, Algorithm 2 of the paper:
    g*    = max path
    u     = argmin (g* - mean(u)) / std(u)     drawn again if that is known, or running already

The last three lines are `acquisition.choose`, with another rule for another method. All randomness
comes from `default_rng([seed, number])`, so that a trial can be derived again from its history.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pathmax import acquisition, gp
from pathmax.gp.blas_threads import small_blas
from pathmax.scalars import Scalar
from pathmax.suggestion import trial_info
from pathmax.suggestion.available_points import Choices
from pathmax.suggestion.failed_points import avoid
from pathmax.suggestion.problem import Problem
from pathmax.suggestion.settings import Settings
from pathmax.suggestion.surrogate import Posterior, Surrogate
from pathmax.trials.history import History

# Of what is running and of a path, until the choice is no experiment that is running already. Of 30
# batches of 12 after seven results 6 held an experiment twice with one draw, and none with five. In
# four batches of 8 on mixed and real spaces 59 of 864 choices were within BENCH of another, and 20
# with five draws, which took 9 % longer; the recommended points were as good.
DRAWS = 5
# A standard deviation, where that of the results as the model sees them is 1: what is known better
# is not tried again while a sample path sees something better. Insurance: level in rank with one
# path only on 124 runs outside the suite (benchmarks/surrogate.md); in one to three of them, as the
# draws fall, it leaves a hill for a much higher one. options={"resolution": 0.0} does without.
KNOWN = 1e-3
MOST_STEPS = 16  # on a grid: further conditions, O(n N) each, before all is cheaper made anew


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What to try, why, and the surrogate, which makes the next suggestion cheaper."""

    params: dict[str, Scalar]
    info: dict[str, Any]
    surrogate: Surrogate | None


def suggest(problem: Problem, history: History, kept: Surrogate | None = None) -> Suggestion:
    """The next trial. `kept` is the surrogate of an earlier suggestion: it only saves time."""
    settings = problem.settings
    choices = Choices(problem.space, history.taken, history.rows, settings.replicates)
    choices.check()
    if starts(settings, history):
        params = choices.start(history.number, settings.initial, settings.seed)
        return Suggestion(params, trial_info.known("design", settings, history), kept)
    rng = np.random.default_rng([settings.seed, history.number])
    if settings.method == "random":
        choice = acquisition.choose("random", None, choices.domain, rng)
        params = choices.settle(choice.u, choice.index, rng)
        return Suggestion(params, trial_info.known("random", settings, history), kept)
    with small_blas(history.n):
        surrogate = problem.modeller.surrogate(history, kept)
        seen = avoid(surrogate.model, history.failed)
        for _ in range(DRAWS):
            model = acquisition.believe(seen, history.pending, rng)
            choice = acquisition.choose(
                settings.method,
                on_whole_grid(surrogate.posterior, model, history),
                choices.domain,
                rng,
                t=history.n + 1,
                **{"resolution": KNOWN if problem.chooses_model else 0.0} | dict(settings.options),
            )
            if not choices.is_running(choice.u, history.pending):
                break
        params = choices.settle(choice.u, choice.index, rng)
        known = trial_info.known(settings.method, settings, history)
        why = trial_info.explanation(problem.space, choice, surrogate, model.jitter)
    return Suggestion(params, known | why, surrogate)


def starts(settings: Settings, history: History) -> bool:
    """Whether the trial belongs to the first design; it goes on until there is a value."""
    return history.number < settings.initial or (history.n == 0 and settings.method != "random")


def on_whole_grid(
    posterior: Posterior, model: gp.GaussianProcess, history: History
) -> gp.GaussianProcess | gp.GridPosterior:
    """`model`, which has seen some more than `posterior`, on the whole grid if that is cheap."""
    if not isinstance(posterior, gp.GridPosterior) or model.n - posterior.n > MOST_STEPS:
        return model
    if model.n - posterior.n > 1:
        return posterior.extended(model)
    for i in range(posterior.n, model.n):
        y, noise = float(model.y[i]), float(model.noises[i])
        posterior = posterior.condition(history.rows[i], y, noise)
    return posterior
