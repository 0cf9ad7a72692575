"""The algorithm on one page: what to try next, as a function of what is known.

    model = fit(U, y)                          the surrogate, learnt or extended
    model = avoid(model, failed)               pessimistic values where trials failed
    model = believe(model, pending, rng)       a joint draw where trials are running
    path  = draw_path(model, rng)              PIMS, Algorithm 2 of the paper:
    g*    = max path
    u     = argmin (g* - mean(u)) / std(u)

The last three lines are `acquisition.choose`, with another rule for another method. All randomness
comes from `default_rng([seed, number])`, so that a trial can be derived again from its history.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pathmax import acquisition, gp
from pathmax.acquisition import Choice, believe
from pathmax.choices import Choices, params_at
from pathmax.failures import avoid
from pathmax.history import History
from pathmax.outcomes import constant
from pathmax.pool import Domain, Grid
from pathmax.scalars import Scalar
from pathmax.settings import Settings
from pathmax.surrogate import Modeller, Surrogate, default_kernel


@dataclass(frozen=True, slots=True)
class Problem:
    """What stays the same from one trial to the next."""

    space: Domain
    direction: str
    settings: Settings

    @property
    def modeller(self) -> Modeller:
        kernel = self.settings.kernel
        if kernel is None:
            kernel = default_kernel(self.space.axes, separable=isinstance(self.space, Grid))
        return Modeller(self.settings, self.direction, kernel)

    def by(self, method: str) -> Problem:
        """The same problem under another method, with that method's own defaults."""
        return replace(self, settings=replace(self.settings, method=method, options={}))


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What to try, why, and the surrogate, which makes the next suggestion cheaper."""

    params: dict[str, Scalar]
    info: dict[str, Any]
    surrogate: Surrogate | None


def suggest(problem: Problem, history: History, kept: Surrogate | None = None) -> Suggestion:
    """The next trial. `kept` is the surrogate of an earlier suggestion: it only saves time."""
    settings = problem.settings
    choices = free_choices(problem, history)
    choices.check()
    key = [settings.seed, history.number]
    info: dict[str, Any] = {
        "seed": key,
        "n_observations": history.n,
        "pending": list(history.pending_numbers),
    }
    if starts(settings, history):
        params = choices.start(history.number, settings.initial, settings.seed)
        return Suggestion(params, {"method": "design", **info}, kept)

    rng = np.random.default_rng(key)
    if settings.method == "random":
        choice = acquisition.choose("random", None, choices.domain, rng, t=history.n + 1)
        surrogate, model = kept, None
    else:
        surrogate = problem.modeller.surrogate(history, kept)
        model = believe(avoid(surrogate.model, history.failed), history.pending, rng)
        choice = acquisition.choose(
            settings.method, model, choices.domain, rng, t=history.n + 1, **settings.options
        )
    params = choices.settle(choice.u, choice.index, rng)
    info |= explanation(problem.space, choice, surrogate if model is not None else None, model)
    if settings.method != "random" and history.n > 1 and constant(history.values):
        info["remark"] = f"all {history.n} values are equal: exploring where least is known"
    return Suggestion(params, info, surrogate)


def starts(settings: Settings, history: History) -> bool:
    """Whether the trial belongs to the first design; it goes on until there is a value."""
    return history.number < settings.initial or (history.n == 0 and settings.method != "random")


def free_choices(problem: Problem, history: History) -> Choices:
    """The space less what was tried or is running."""
    return Choices(problem.space, history.taken, history.rows, problem.settings.replicates)


def explanation(
    space: Domain,
    choice: Choice,
    surrogate: Surrogate | None,
    model: gp.GaussianProcess | None,
) -> dict[str, Any]:
    """What explains a choice, in the user's units and as plain JSON."""
    info = {name: value for name, value in choice.info.items() if value is not None}
    if surrogate is None or model is None:
        return {"method": info["method"]}
    outcomes = surrogate.outcomes
    for name in ("mean", "g_star"):
        if name in info:
            info[name] = float(outcomes.outward(info[name]))
    if "std" in info:
        info["std"] = float(outcomes.spread(info["std"]))
    if "x_star" in info:
        row = info.pop("x_star_index", None)
        info["x_star"] = params_at(space, np.asarray(info["x_star"], dtype=float), row)
    return json_ready(info) | surrogate.fit.to_json() | {"jitter": model.jitter}


def json_ready(info: dict[str, Any]) -> dict[str, Any]:
    """Plain numbers and lists; what is not finite is left out."""
    ready: dict[str, Any] = {}
    for name, value in info.items():
        plain = value.tolist() if isinstance(value, np.ndarray | np.generic) else value
        if not isinstance(plain, float) or math.isfinite(plain):
            ready[name] = plain
    return ready
