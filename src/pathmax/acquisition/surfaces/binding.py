"""Bring a model and a domain together: the surface on which a method chooses."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pathmax.acquisition.pending import believe
from pathmax.acquisition.surfaces.grid_surface import Gridded
from pathmax.acquisition.surfaces.pool_surface import Scanned
from pathmax.acquisition.surfaces.searched_surface import Searched
from pathmax.acquisition.surfaces.stream_surface import Streamed
from pathmax.acquisition.surfaces.surface import Surface
from pathmax.arrays import Array
from pathmax.errors import SettingsError
from pathmax.gp import GaussianProcess, GridPosterior
from pathmax.gp.paths import PathKind
from pathmax.search.domains import Domain

MOST_EXACT = 5000  # rows: a joint draw is cubic in them, and of so many takes 2 s and 400 MB


def bind(
    model: GaussianProcess | GridPosterior,
    domain: Domain,
    rng: np.random.Generator,
    *,
    pending: Array | None = None,
    kind: PathKind | None = None,
    n_features: int | None = None,
    effort: float = 1.0,
) -> Surface:
    """The posterior on the domain, pending points believed."""
    rows = domain.rows()
    if rows is not None and rows.axis_values is not None:
        posterior = on_grid(model, rows.axis_values, pending, rng)
        if posterior is not None:
            return Gridded(posterior, rows, rng, kind or "exact", n_features)
    process = model.process
    if pending is not None:
        process = believe(process, pending, rng)
    if domain.row_source is not None:
        if kind == "exact":
            raise SettingsError(
                "exact paths are for pools whose rows are held; in a library use "
                'kind="pathwise", or hold the rows with stream=False'
            )
        return Streamed(process, domain, rng, kind or "pathwise", n_features)
    if rows is None:
        if kind == "exact":
            raise SettingsError(
                'exact paths are for pools and grids; in a space use kind="pathwise"'
            )
        return Searched(process, domain, rng, kind or "pathwise", n_features, effort)
    if kind == "exact" and rows.cardinality > MOST_EXACT:
        raise SettingsError(
            f"an exact path needs at most {MOST_EXACT} rows, got {rows.cardinality}; "
            'use kind="pathwise"'
        )
    if kind is None:
        most = process.kernel.exact_up_to if process.kernel.has_features else MOST_EXACT
        exact = rows.cardinality <= most
        kind = "exact" if exact else "pathwise"
    return Scanned(process, rows, rng, kind, n_features)


def on_grid(
    model: GaussianProcess | GridPosterior,
    axis_values: Sequence[Array],
    pending: Array | None,
    rng: np.random.Generator,
) -> GridPosterior | None:
    """The posterior on a grid, or None when its paths would not be exact there."""
    running = np.empty((0, len(axis_values))) if pending is None else pending
    if (held := model.gridded) is not None:
        return believed(held, running, rng)
    process = model.process
    if process.kernel.axis_kernels(len(axis_values)) is None or process.bowl is not None:
        return None
    posterior = GridPosterior.of(believe(process, running, rng), axis_values)
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
