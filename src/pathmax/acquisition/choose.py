"""One entry to every method: `choose(method, model, domain, rng, t=...)`.

model = believe(model, pending)            points that are running: `pending`
surface = bind(model, domain)              `surface`, `scanned`, `gridded`
choice = rule(surface)                     `pims`, `thompson`, `ucb`, `improvement`, `entropy`
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from pathmax.acquisition import entropy, improvement, ucb
from pathmax.acquisition.pims import pims
from pathmax.acquisition.step import Choice, Step
from pathmax.acquisition.surfaces.bind import bind
from pathmax.acquisition.thompson import thompson
from pathmax.arrays import Array
from pathmax.errors import SettingsError
from pathmax.gp import GaussianProcess, GridPosterior
from pathmax.gp.blas_threads import small_blas
from pathmax.gp.paths import N_FEATURES, Kind
from pathmax.search.domains import Domain

RULES: dict[str, Callable[[Step], Choice]] = {
    "pims": pims,
    "ts": thompson,
    "gp-ucb": ucb.gp_ucb,
    "irgp-ucb": ucb.irgp_ucb,
    "ei": improvement.expected_improvement,
    "pi": improvement.probability_of_improvement,
    "mes": entropy.mes,
    "jes": entropy.jes,
    "eims": improvement.eims,
    "gp-est": improvement.gp_est,
}
METHODS = (*RULES, "random")


def choose(
    method: str,
    model: GaussianProcess | GridPosterior | None,
    domain: Domain,
    rng: np.random.Generator,
    *,
    t: int = 1,
    pending: Array | None = None,
    confidence: str | float = "heuristic",
    n_samples: int = 10,
    discretization: int | ArrayLike | None = None,
    kind: Kind | None = None,
    n_features: int = N_FEATURES,
    effort: float = 1.0,
    resolution: float = 0.0,
) -> Choice:
    """The point of `domain` that `method` evaluates next.

    Args:
        method: One of `METHODS`.
        model: The posterior; on a grid also a `GridPosterior`, to save what is computed already.
            Only "random" does without.
        domain: Where to choose: `Box`, `Mixed`, `Pool` or `GridDomain`.
        rng: All the randomness of the choice.
        t: The number of this evaluation, 1, 2, ...; the confidence of gp-ucb grows with it.
        pending: Points (m, d) that are being evaluated.
        confidence: For gp-ucb and irgp-ucb: "theoretical" (finite domains), "heuristic", a number.
        n_samples: Sample paths that mes and jes average over.
        discretization: For pims and ts on a box, the appendix's variant: the finite set X_t, given
            as the number of equal divisions of each axis or as points (N, d). The path and the
            choice are both restricted to it.
        kind: How paths are drawn: "exact", "pathwise" or "rff". Left out, it is exact on a grid
            whose kernel is a product over the axes, and pathwise elsewhere.
        n_features: Random features of a path that is not exact.
        effort: Multiplies the looks and the starts of a search in a box or a mixed space.
        resolution: For pims in a box or a mixed space: where f is known to a standard deviation
            below this, other paths are asked for something better (`pims`).
    """
    if method not in METHODS:
        raise SettingsError(f"method must be one of {', '.join(METHODS)}; got {method!r}")
    if method == "random":
        u, index = domain.random(rng)
        return Choice(u, index, {"method": "random"})
    if model is None:
        raise SettingsError(f'{method} needs a model; only "random" does without')
    if discretization is not None:
        if method not in ("pims", "ts"):
            raise SettingsError(f"discretization is for pims and ts, got {method}; leave it out")
        domain = domain.discretised(discretization)
    rows = domain.rows()
    with small_blas(model.model.n if isinstance(model, GridPosterior) else model.n):
        surface = bind(
            model,
            domain if rows is None else rows,
            rng,
            pending=pending,
            kind=kind,
            n_features=n_features,
            effort=effort,
        )
        choice = RULES[method](Step(surface, domain, rng, t, confidence, n_samples, resolution))
    info = {"method": method, **choice.info}
    if rows is None or rows is domain:
        return Choice(choice.u, choice.index, info)
    info.pop("x_star_index", None)  # the points of a space have no numbers
    return Choice(choice.u, None, info)
