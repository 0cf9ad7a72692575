"""The Tanimoto kernel: molecules are alike as far as they are made of the same pieces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from pathmax.arrays import Array, Index
from pathmax.errors import ModelError
from pathmax.gp.features import Features
from pathmax.gp.fingerprints import Fingerprints, known_fingerprints
from pathmax.gp.kernels.base import DiscreteKernel, Link
from pathmax.gp.sign_features import ListedSigns


@final
@dataclass(frozen=True, eq=False)
class Tanimoto(DiscreteKernel):
    """sum_i min(a_i, b_i) / sum_i max(a_i, b_i) for the counts a and b of two molecules.

    It looks at one coordinate, the number of a molecule in a table of fingerprints.
    """

    molecules: str = ""  # the key of the table
    outputscale: float = 1.0
    on: tuple[int, ...] | None = None
    constants: ClassVar[tuple[str, ...]] = ("molecules",)
    # a Cholesky factor of them takes 0.3 s; signs vary more than waves, so that features are cruder
    exact_up_to: ClassVar[int] = 2000  # type: ignore[misc]

    @property
    def table(self) -> Fingerprints:
        return known_fingerprints(self.molecules)

    def coordinate(self, d: int) -> int:
        """The column it looks at."""
        if self.on is not None and len(self.on) == 1:
            return self.on[0]
        if self.on is None and d == 1:
            return 0
        raise ModelError("Tanimoto looks at the one coordinate that is a molecule; give on=(i,)")

    def codes(self, X: Array) -> Index:  # (n, d) -> (n,)
        """The numbers of the molecules."""
        return X[:, self.coordinate(X.shape[1])].astype(np.intp)

    def value(self, X: Array, Z: Array) -> Array:
        return self.outputscale * self.table.similarity(self.codes(X), self.codes(Z))

    def link(self, X: Array, Z: Array | None = None) -> Link:
        return TanimotoLink(self, X, X if Z is None else Z)

    def parameter_gradient(self, X: Array, Z: Array | None = None) -> Array:
        return self.value(X, X if Z is None else Z)[None]

    def draw_features(self, rng: np.random.Generator, n_features: int, d: int) -> Features:
        signs = ListedSigns(self.coordinate(d), n_features, self.table.signs(rng, n_features))
        return Features(np.zeros((n_features, d)), self.outputscale, signs=(signs,))


class TanimotoLink(Link):
    def __init__(self, kernel: Tanimoto, X: Array, Z: Array) -> None:
        self.value, self.dimension = kernel.value(X, Z), X.shape[1]

    def pull(self, W: Array) -> Array:
        return np.zeros((len(self.value), self.dimension))  # molecules do not vary smoothly

    def pull_parameters(self, W: Array) -> Array:
        return np.array([np.vdot(W, self.value)])
