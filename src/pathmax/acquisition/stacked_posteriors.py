"""The posteriors of a joint score in parts: those that are alike as one, each other one alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias, final

import numpy as np

from pathmax.acquisition.mirror_images import Mirrored
from pathmax.arrays import Array, Index
from pathmax.gp import GaussianProcess
from pathmax.gp.mixture import ProcessMixture
from pathmax.gp.stacked import alike
from pathmax.gp.stacked_processes import JointPartials, StackedProcesses

AnyPosterior: TypeAlias = GaussianProcess | ProcessMixture | Mirrored


class PosteriorPart(Protocol):
    """The posteriors of some outcomes."""

    def look(self, U: Array) -> tuple[Array, Array]: ...  # (m, d) -> (m, k), (m, k)
    def chain(self, U: Array, partials: JointPartials) -> tuple[Array, Array]: ...


@final
class Alone:
    """One posterior as a part."""

    def __init__(self, model: AnyPosterior) -> None:
        self.model = model

    def look(self, U: Array) -> tuple[Array, Array]:
        mean, std = self.model.look(U)
        return mean[:, None], std[:, None]

    def chain(self, U: Array, partials: JointPartials) -> tuple[Array, Array]:
        def of_one(mean: Array, std: Array) -> tuple[Array, Array, Array]:
            value, by_mean, by_std = partials(mean[:, None], std[:, None])
            return value, by_mean[:, 0], by_std[:, 0]

        return self.model.chain(U, of_one)


def stacked_parts(models: Sequence[AnyPosterior]) -> list[tuple[Index, PosteriorPart]]:
    """The columns of each part, and the part."""
    signs = [-1.0 if isinstance(model, Mirrored) else 1.0 for model in models]
    own = [model.model if isinstance(model, Mirrored) else model for model in models]
    plain = [i for i, model in enumerate(own) if isinstance(model, GaussianProcess)]
    processes = [model for model in own if isinstance(model, GaussianProcess)]
    parts: list[tuple[Index, PosteriorPart]] = []
    for group in alike([process.shift for process in processes]):
        columns = np.array([plain[i] for i in group])
        if len(group) > 1:
            stacked = StackedProcesses([processes[i] for i in group], [signs[i] for i in columns])
            parts.append((columns, stacked))
        else:
            parts.append((columns, Alone(models[columns[0]])))
    others = sorted({*range(len(models))} - {*plain})
    return parts + [(np.array([i]), Alone(models[i])) for i in others]
