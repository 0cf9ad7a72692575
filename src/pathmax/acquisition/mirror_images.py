"""A posterior and a path upside down: what is bounded from above is bounded from below there."""

from __future__ import annotations

from typing import final

from pathmax.arrays import Array
from pathmax.gp import GaussianProcess
from pathmax.gp.mixture import ProcessMixture
from pathmax.gp.predictions import Partials, Prediction
from pathmax.search.scores import Score


@final
class Mirrored:
    """A posterior upside down: for a bound from above."""

    def __init__(self, model: GaussianProcess | ProcessMixture) -> None:
        self.model = model

    def look(self, U: Array) -> Prediction:
        mean, std = self.model.look(U)
        return Prediction(-mean, std)

    def chain(self, U: Array, partials: Partials) -> tuple[Array, Array]:
        def mirrored(mean: Array, std: Array) -> tuple[Array, Array, Array]:
            value, by_mean, by_std = partials(-mean, std)
            return value, -by_mean, by_std

        return self.model.chain(U, mirrored)


@final
class MirroredPath(Score):
    """A path upside down."""

    def __init__(self, path: Score) -> None:
        self.path = path

    def __call__(self, U: Array) -> Array:
        return -self.path(U)

    def approximate(self, U: Array) -> Array:
        return -self.path.approximate(U)

    def value_and_gradient(self, U: Array) -> tuple[Array, Array]:
        value, gradient = self.path.value_and_gradient(U)
        return -value, -gradient
