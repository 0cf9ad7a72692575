"""Bring a model and a domain together: the surface on which a method chooses."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from pathmax.acquisition.pending import believe
from pathmax.acquisition.surfaces.grid_surface import Gridded
from pathmax.acquisition.surfaces.pool_surface import Scanned
from pathmax.acquisition.surfaces.searched import Searched
from pathmax.acquisition.surfaces.surface import Surface
from pathmax.arrays import Array
from pathmax.errors import SettingsError
from pathmax.gp import GaussianProcess, GridPosterior
from pathmax.gp.paths import Kind
from pathmax.search.domains import Box, Domain, GridDomain, Listed, Mixed, Pool
from pathmax.search.mixed import random_free

MOST_EXACT = 5000  # rows: a joint draw is cubic in them, 2 s and 400 MB here


def bind(
    model: GaussianProcess | GridPosterior,
    domain: Domain,
    rng: np.random.Generator,
    *,
    pending: Array | None,
    kind: Kind | None,
    n_features: int,
    effort: float,
) -> Surface:
    """The posterior on the domain, pending points believed."""
    if isinstance(domain, GridDomain):
        posterior = on_grid(model, domain, pending, rng)
        if posterior is not None:
            return Gridded(posterior, domain, rng, kind=kind or "exact", n_features=n_features)
    process = model.model if isinstance(model, GridPosterior) else model
    if pending is not None:
        process = believe(process, pending, rng)
    if isinstance(domain, Box | Mixed):
        if kind == "exact":
            raise SettingsError(
                'exact paths are for pools and grids; in a space use kind="pathwise"'
            )
        return Searched(
            process, domain, rng, kind=kind or "pathwise", n_features=n_features, effort=effort
        )
    if kind == "exact" and domain.cardinality > MOST_EXACT:
        raise SettingsError(
            f"an exact path needs at most {MOST_EXACT} rows, got {domain.cardinality}; "
            'use kind="pathwise"'
        )
    return Scanned(process, domain, rng, kind=kind or "pathwise", n_features=n_features)


def on_grid(
    model: GaussianProcess | GridPosterior,
    domain: GridDomain,
    pending: Array | None,
    rng: np.random.Generator,
) -> GridPosterior | None:
    """The posterior on a grid, or None when its paths would not be exact there."""
    running = np.empty((0, domain.dimension)) if pending is None else pending
    if isinstance(model, GridPosterior):
        return believed(model, running, rng)
    axes = model.kernel.axis_kernels(domain.dimension)
    if axes is None or model.bowl is not None:
        return None
    posterior = GridPosterior.of(believe(model, running, rng), domain.values)
    return None if (posterior.places < 0).any() else posterior


def believed(
    posterior: GridPosterior, running: Array, rng: np.random.Generator
) -> GridPosterior | None:
    """The posterior with a joint draw at the running points, or None when one is off the grid."""
    if not len(running):
        return posterior
    if (posterior.axes.index(running) < 0).any():
        return None
    return posterior.extended(believe(posterior.model, running, rng))


def discretise(method: str, domain: Domain, points: int | ArrayLike) -> Domain:
    """The finite set X_t inside a box: equal divisions of the axes, or given points (N, d)."""
    if method not in ("pims", "ts") or not isinstance(domain, Box):
        raise SettingsError(
            f"discretization is for pims and ts on a box, got {method} on a "
            f"{type(domain).__name__}; leave it out"
        )
    if isinstance(points, int):
        if points < 2:
            raise SettingsError(f"discretization needs at least 2 points an axis, got {points}")
        return Mixed([Listed(np.linspace(0.0, 1.0, points))] * domain.dimension)
    return Pool(np.asarray(points, dtype=float))


def random_point(domain: Domain, rng: np.random.Generator) -> tuple[Array, int | None]:
    """A point drawn uniformly from those that may be chosen: (d,), and its number."""
    if isinstance(domain, Box):
        return rng.random(domain.dimension), None
    if isinstance(domain, Mixed):
        return random_free(domain, rng), None
    index = int(rng.choice(domain.free))
    return domain.points([index])[0], index
