"""What joint sample paths promise among a finite set of points, where a box has no end of them.

The front of paths over a whole box is far above what the outcomes themselves reach, and the more so
the more parameters and objectives there are: of many local maxima of every path the search finds
those that fit together best, and the largest gap is where they do by chance. Over a finite set X_t
that does not depend on the paths the promise is moderate (docs/theory.md, benchmarks/choices.md).
So half of the points do not:

    an eighth   spread over the domain
    an eighth   the same with some coordinates moved to a face: fronts often lie on faces
    a quarter   about the best results, by 0.01 to 1 length scales
    a half      recombined from the front that the paths have so far, in two generations: a piece of
                a front that lies far from results shares most coordinates with the others

and the data themselves. With one objective PIMS does so from three real parameters on (`pims`).
"""

from __future__ import annotations

import numpy as np

from pathmax.acquisition.path_columns import JointPaths
from pathmax.acquisition.targets import Targets, feasible_rows, targets_among
from pathmax.arrays import Array, Index
from pathmax.search.domains import Domain
from pathmax.search.perturbation import perturbed
from pathmax.trials.pareto import pareto_mask

FRONT_CENTRES = 16  # results about which paths are looked at
GENERATIONS = 2


def best_results(means: Array, bounds: Array, rng: np.random.Generator) -> Index:
    """The results on the front of what is expected (n, K + J), or the least out of bounds (J,)."""
    K = means.shape[1] - len(bounds)
    short = np.minimum(means[:, K:] - bounds, 0.0).sum(axis=1)
    inside = np.flatnonzero(short == 0.0)
    if not len(inside):
        return np.argsort(-short, kind="stable")[:FRONT_CENTRES]
    front = inside[pareto_mask(means[inside, :K])]
    return rng.permutation(front)[:FRONT_CENTRES]


def on_faces(domain: Domain, U: Array, rng: np.random.Generator) -> Array:  # (m, d) -> (m, d)
    """Each point with some of its coordinates, one to all of them, moved to a face."""
    share = rng.random((len(U), 1))
    moved = rng.random(U.shape) < share
    if domain.lattice is not None:
        moved[:, domain.lattice.columns] = False
    low, high = domain.region.faces
    return np.where(moved, np.where(2.0 * U < low + high, low, high), U)


def front_looks(
    domain: Domain, best: Array, n: int, scales: Array, rng: np.random.Generator
) -> Array:  # (b, d), (d,) -> (n, d)
    """n points of a domain, half of them about its best results so far, if there are any."""
    near = n // 2 if len(best) else 0
    everywhere = domain.spread((n - near) // 2, rng)
    more = domain.spread(n - near - len(everywhere), rng)
    found = [everywhere, domain.beside(more, on_faces(domain, more, rng))]
    if near:
        found.append(perturbed(domain, best, near, scales, rng))
    return np.concatenate(found)


def recombined(
    domain: Domain, points: Array, n: int, rng: np.random.Generator
) -> Array:  # (p, d) -> (n, d)
    """n points with coordinates of two of some points each, half of them with one anew."""
    parents = points[rng.integers(len(points), size=n)]
    others = points[rng.integers(len(points), size=n)]
    V = np.where(rng.random(parents.shape) < rng.random((n, 1)), others, parents)
    rows = np.arange(0, n, 2)
    column = rng.integers(domain.dimension, size=len(rows))
    V[rows, column] = domain.spread(n, rng)[rows, column]
    return domain.beside(parents, V)


def targets_on_looks(
    paths: JointPaths,
    looks: Array,  # (n, d)
    data: Array,  # (e, d)
    at_data: Array,  # (e, K + J)
    bounds: Array,  # (J,)
    rng: np.random.Generator,
    reference: Array | None,
    *,
    domain: Domain | None = None,
    more: int = 0,
) -> Targets | None:
    """The targets among the looks, the data and, in a domain, more points recombined of these.

    None when the paths are feasible at none of the looks and the data.
    """
    U = np.concatenate([looks, data])
    values = np.concatenate([paths(looks), at_data])
    if not feasible_rows(values, bounds).any():
        return None
    if domain is not None:
        for _ in range(GENERATIONS):
            rows = np.flatnonzero(feasible_rows(values, bounds))
            rows = rows[pareto_mask(values[rows, : len(paths) - len(bounds)])]
            new = recombined(domain, U[rows], more // GENERATIONS, rng)
            U, values = np.concatenate([U, new]), np.concatenate([values, paths(new)])
    return targets_among(
        values, lambda rows: U[rows], at_data, bounds, rng, reference=reference, numbered=False
    )
