"""One entry to every method: `choose(method, model, domain, rng, t=...)`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pathmax.acquisition import methods
from pathmax.acquisition.methods import Method
from pathmax.acquisition.step import Choice, Step
from pathmax.acquisition.surfaces.surface import predict_at
from pathmax.arrays import Array
from pathmax.errors import ModelError
from pathmax.gp import GaussianProcess, GridPosterior
from pathmax.gp.blas_threads import small_blas
from pathmax.scalars import describe
from pathmax.search.domains import Domain

# Options that may be given along with the name of a method that has no use for them, so that one
# call serves a comparison of methods. A study is strict.
SHARED = {"confidence", "n_samples", "kind", "n_features", "effort", "resolution"}


def choose(
    method: str | Method,
    model: GaussianProcess | GridPosterior | None,
    domain: Domain,
    rng: np.random.Generator,
    *,
    t: int = 1,
    pending: Array | None = None,
    likely: Callable[[Array], Array] | None = None,
    **options: Any,
) -> Choice:
    """The point of `domain` that `method` evaluates next.

    Args:
        method: One of `METHODS`, or an object such as `Pims(resolution=1e-3)`.
        model: The posterior; on a grid also a `GridPosterior`, to save what is computed already.
            Only "random" does without.
        domain: Where to choose: `Box`, `Mixed`, `Pool` or `GridDomain`.
        rng: All the randomness of the choice.
        t: The number of this evaluation, 1, 2, ...; the confidence of gp-ucb grows with it.
        pending: Points (m, d) that are being evaluated.
        likely: Where an expert expects the best: weights of points (m, d) -> (m,), for "pims" and
            "ts"; the others leave them aside.
        options: Those of the method of that name, which are the fields of its class: `Pims`, `Ts`,
            `GpUcb`, `IrgpUcb`, `Ei`, `Pi`, `Mes`, `Jes`, `Eims`, `GpEst`, `Es`, `Pes`, `Kg`. Those
            in `SHARED` are left aside where the method does not take them; others are refused.
    """
    if isinstance(method, str):
        if methods.is_registered(method):
            aside = SHARED.intersection(methods.foreign(method, options))
            options = {name: value for name, value in options.items() if name not in aside}
        method = methods.make(method, options)
    elif options:
        raise TypeError(f"give the options to {type(method).__name__}(...), got {[*options]}")
    process = None if model is None else model.process
    with small_blas(0 if process is None else process.n):
        choice = method.choose(Step(model, domain, rng, t, pending, likely))
    if not isinstance(choice, Choice):
        raise ModelError(
            f"{method.name}.choose(step) must return a Choice, as step.choice(...) makes one, got "
            f"{describe(choice)}"
        )
    u = np.asarray(choice.u, dtype=float)
    if u.shape != (domain.dimension,) or not np.isfinite(u).all():
        raise ModelError(
            f"{method.name} must choose a point of {domain.dimension} finite coordinates, got {u}"
        )
    info = {"method": method.name, **choice.info}
    if process is not None and method.name not in methods.METHODS:
        mean, std = predict_at(process, u)
        info = {"mean": mean, "std": std} | info
    return Choice(u, choice.index, info)
