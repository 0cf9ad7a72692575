"""Where the maximum may be: sample paths of the posterior, each followed to its top.

A path is a function that the data allow. Its highest point is a guess at the best point, its height
a guess at the best value, and the share of many paths that peak at a place is the probability that
the best is there. The parameters of the model are uncertain too: each belief (`suggestion.beliefs`)
has its share of the paths. Paths are exact on grids and on pools of up to `MOST_JOINT` rows, and
random features elsewhere, drawn afresh for every batch so that their error averages out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from pathmax import acquisition
from pathmax.acquisition.surfaces.binding import bind
from pathmax.acquisition.surfaces.surface import Sample, Surface
from pathmax.arguments import whole_number
from pathmax.arrays import Array
from pathmax.gp import GaussianProcess
from pathmax.gp.blas_threads import small_blas
from pathmax.gp.mixture import mix
from pathmax.gp.paths import PathKind
from pathmax.search.domains import Domain, Maximum
from pathmax.session.session import Session
from pathmax.suggestion.landscape import Landscape
from pathmax.trials.value_transform import ValueTransform

MOST_JOINT = 2000  # rows: one Cholesky factor of them takes 0.3 s, and then paths cost little
MOST_QUICK = 300  # rows: of more, factors take longer than features (python -m benchmarks.stopping)
MOST_LISTED = 20_000  # points of a space of whole numbers and choices that are gone through
MAXIMA_BATCH = 125  # paths that share their features; eight batches make the default thousand
View = TypeVar("View")

ROOM = 20_000_000  # values of paths held at once: 160 MB


class Seen(NamedTuple):
    """A surface and the units that it is in."""

    surface: Surface
    transform: ValueTransform


@dataclass(frozen=True, eq=False)
class Scene:
    """The posterior of a study on all of its space, and the point it recommends.

    surface    under the most probable parameters, which the recommendation comes from
    transform  its units, in which moments are
    views      what is seen under each belief, with its weight: sample paths come from them
    told       the same without the pessimism about what failed: expected values come from them
    """

    surface: Surface
    views: tuple[tuple[float, Seen], ...]
    told: tuple[tuple[float, Seen], ...]
    domain: Domain
    recommended: Maximum
    transform: ValueTransform
    exact: bool  # whether paths are drawn without approximation

    @staticmethod
    def of(session: Session, *, rough: bool = False, quick: bool = False) -> Scene:
        """What a session knows; roughly, under the most probable parameters alone.

        Where it is to be quick, paths of a few hundred rows and more are those of suggestions.
        """
        landscape = session.landscape()
        beliefs = () if rough else session.beliefs()
        outcome, seed = session.problem.goals.first.name, session.problem.settings.seed
        # no trial's own key has three numbers
        rng = np.random.default_rng([seed, landscape.history.number, 2])
        domain = landscape.everything.domain.listed(MOST_LISTED)
        rows = domain.rows()
        gridded = rows is domain and rows.axis_values is not None
        most = MOST_QUICK if rough or quick else MOST_JOINT
        few = rows is domain and not gridded and rows.cardinality <= most
        kind: PathKind | None = "exact" if few else None

        def bound(held: Landscape, model: GaussianProcess) -> Surface:
            posterior = held.held(outcome, model) if gridded else model
            return bind(posterior, domain, rng, kind=kind)

        surface = bound(landscape, landscape.model(outcome))
        posterior = landscape.posterior(outcome) if gridded else landscape.model(outcome)
        best = acquisition.choose("gp-ucb", posterior, domain, rng, confidence=0.0)
        recommended = Maximum(best.u, 0.0, best.index)
        exact = few or surface.is_exact
        transform = landscape.surrogates[outcome].transform
        views = tuple(
            (weight, Seen(bound(held, held.model(outcome)), held.surrogates[outcome].transform))
            for weight, held in beliefs
        )
        told = views
        if len(landscape.history.failed):
            told = tuple(
                (weight, Seen(bound(held, held.told(outcome)), view.transform))
                for (weight, held), (_, view) in zip(beliefs, views, strict=True)
            )
        return Scene(surface, views, told, domain, recommended, transform, exact)

    def peaks(self, n: int) -> Iterator[tuple[Sample, Maximum, ValueTransform]]:
        """n paths and their tops, from each belief by its weight, and the units of each."""
        streamed = self.domain.row_source is not None  # no values of all rows are held
        room = ROOM if streamed else max(1, ROOM // (self.domain.cardinality or 1))
        batch = room if self.exact else min(MAXIMA_BATCH, room)
        for seen, count in shares(self.views, n):
            for start in range(0, count, batch):
                with small_blas(seen.surface.model.n):
                    found = seen.surface.peaks(min(batch, count - start))
                yield from ((sample, top, seen.transform) for sample, top in found)

    def predict(self, U: Array) -> tuple[Array, Array]:  # (m, d) -> (m,), (m,)
        """Mean and std at some points, in the units of the model."""
        return mix((w, self._here(seen, *seen.surface.model.predict(U))) for w, seen in self.told)

    def moments(self) -> tuple[Array, Array]:  # -> (N,), (N,)
        """Mean and std at all points of a finite domain, in the units of the model."""
        return mix((w, self._here(seen, *seen.surface.moments())) for w, seen in self.told)

    def _here(self, seen: Seen, mean: Array, std: Array) -> tuple[Array, Array]:
        return self.transform.convert(seen.transform, mean, std)


def rows_in(domain: Domain) -> int | None:
    """How many rows a pool or a grid has; None where points are searched for."""
    finite = domain.rows() is not None or domain.row_source is not None
    return domain.cardinality if finite else None


def shares(views: Sequence[tuple[float, View]], n: int) -> Iterator[tuple[View, int]]:
    """How many of n paths each belief has, by its weight."""
    ends = np.cumsum([weight for weight, _ in views])
    ends = np.round(n * ends / ends[-1]).astype(int)
    for (_, view), count in zip(views, np.diff(ends, prepend=0), strict=True):
        yield view, int(count)


@dataclass(frozen=True, eq=False)
class Maxima:
    """The tops of n paths, in the coordinates of the model and the user's units.

    u            (n, d) where they are
    index        (n,) their numbers, in a pool or on a grid
    value        (n,) how high they are
    recommended  (n,) how high the same paths are at the recommended point
    """

    u: Array
    index: NDArray[np.intp] | None
    value: Array
    recommended: Array


def maxima(scene: Scene, n: int) -> Maxima:
    """The tops of n paths."""
    n = whole_number("n_paths", n, least=1)
    tops: list[Maximum] = []
    heights: list[Array] = []  # of the top and of the recommended point
    for path, top, transform in scene.peaks(n):
        here = path.value(scene.recommended)
        # A search that missed the top by a hair must not make the regret negative.
        tops.append(top if top.value >= here else scene.recommended)
        heights.append(transform.outward([max(top.value, here), here]))
    value, recommended = np.array(heights).T
    known = [top.index for top in tops if top.index is not None]
    index = np.array(known, dtype=np.intp) if len(known) == len(tops) else None
    return Maxima(np.stack([top.u for top in tops]), index, value, recommended)
