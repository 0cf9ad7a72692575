"""One entry to every method: `choose(method, model, domain, rng, t=...)`."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pathmax.acquisition.domain import Domain
from pathmax.acquisition.improvement import ExpectedImprovement, ProbabilityOfImprovement
from pathmax.acquisition.pending import believe
from pathmax.acquisition.pims import pims
from pathmax.acquisition.step import Choice, Step
from pathmax.acquisition.surface import Searched
from pathmax.acquisition.thompson import thompson
from pathmax.errors import SettingsError
from pathmax.gp import GaussianProcess
from pathmax.gp.linalg import Array
from pathmax.gp.threads import small_blas


def expected_improvement(step: Step) -> Choice:
    reference = step.surface.incumbent
    best = step.surface.top(ExpectedImprovement(reference))
    return step.choose(best, reference=reference, log_ei=best.value)


def probability_of_improvement(step: Step) -> Choice:
    reference = step.surface.incumbent
    best = step.surface.top(ProbabilityOfImprovement(reference))
    return step.choose(best, reference=reference)


RULES: dict[str, Callable[[Step], Choice]] = {
    "pims": pims,
    "ts": thompson,
    "ei": expected_improvement,
    "pi": probability_of_improvement,
}
METHODS = tuple(RULES)


def choose(
    method: str,
    model: GaussianProcess,
    domain: Domain,
    rng: np.random.Generator,
    *,
    t: int,
    pending: Array | None = None,
    confidence: str | float = "heuristic",
    n_samples: int = 10,
) -> Choice:
    """The point that `method` evaluates next."""
    if method not in RULES:
        raise SettingsError(f"method must be one of {', '.join(METHODS)}, got {method!r}")
    with small_blas(model.n):
        if pending is not None:
            model = believe(model, pending, rng)
        step = Step(Searched(model, domain, rng), rng, t, confidence, n_samples)
        choice = RULES[method](step)
    return Choice(choice.u, choice.index, {"method": method, **choice.info})
