"""`trial.info`: what is stored with a suggestion, to explain it and to derive it again.

Everything about values is in the user's units. The kernel, noise and prior mean are those of the
model, whose units `outcomes` relates to the user's (see `pathmax.trials.values`).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pathmax.acquisition import Choice
from pathmax.space.domains import Domain
from pathmax.suggestion.available_points import params_at
from pathmax.suggestion.settings import Settings
from pathmax.suggestion.surrogate import Surrogate
from pathmax.trials.history import History
from pathmax.trials.value_transform import constant

WIDTHS = ("xi", "eta")  # (g* - mean) / std, larger is better
VALUES = ("mean", "g_star", "g_stars", "reference", "m_hat")  # what a choice says in units of y


def known(method: str, settings: Settings, history: History) -> dict[str, Any]:
    """What a suggestion was made from: enough, with the trials before it, to make it again."""
    return {
        "method": method,
        "seed": [settings.seed, history.number],
        "n_observations": history.n,
        "pending": list(history.pending_numbers),
        **({"corrected": list(history.corrected)} if history.corrected else {}),
        "settings": settings.to_json(),
    }


def explanation(
    space: Domain, choice: Choice, surrogate: Surrogate, jitter: float
) -> dict[str, Any]:
    """What explains a choice: the posterior at the point, and what the method computed."""
    outcomes = surrogate.outcomes
    info = {name: value for name, value in choice.info.items() if value is not None}
    info["std"] = outcomes.spread(info["mean"], info["std"])
    for name in VALUES:
        if name in info:
            info[name] = outcomes.outward(info[name])
    for name in WIDTHS:  # a bent scale changes it: in the card g* = mean + xi std holds as printed
        if name in info and outcomes.power != 1.0:
            info[name] = outcomes.sign * (info["g_star"] - info["mean"]) / info["std"]
    if "log_ei" in info:
        info["log_ei"] += math.log(outcomes.scale * outcomes.unit)  # in user units where T' = 1
    if "x_star" in info:
        row = info.pop("x_star_index", None)
        info["x_star"] = params_at(space, np.asarray(info["x_star"], dtype=float), row)
    return json_ready(info) | surrogate.fit.to_json() | {"jitter": jitter} | remark(surrogate)


def remark(surrogate: Surrogate) -> dict[str, str]:
    """What the user should know about the model, if anything."""
    n = surrogate.history.n
    if n > 1 and constant(surrogate.history.values):
        return {"remark": f"all {n} values are equal: exploring where least is known"}
    return {}


def json_ready(info: dict[str, Any]) -> dict[str, Any]:
    """Plain numbers and lists; a number that is not finite is left out."""
    ready: dict[str, Any] = {}
    for name, value in info.items():
        plain = value.tolist() if isinstance(value, np.ndarray | np.generic) else value
        if not isinstance(plain, float) or math.isfinite(plain):
            ready[name] = plain
    return ready
