"""The sum of kernels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from pathmax.arrays import Array
from pathmax.gp.borrowed_features import AnyFeatures
from pathmax.gp.features import FeatureSum
from pathmax.gp.inputs import positive_array
from pathmax.gp.kernels.base import JSON, Kernel, Link
from pathmax.gp.kernels.combinations import Combination, check_parts, plain_features, times


@final
@dataclass(frozen=True, eq=False)
class Sum(Combination):
    """The sum of kernels, each on its own coordinates; also written `k1 + k2`.

    k = outputscale * (terms[0] + terms[1] + ...), where the first term has output scale 1.
    """

    terms: tuple[Kernel, ...]
    outputscale: float = 1.0

    def __post_init__(self) -> None:
        check_parts(self)
        flat: list[Kernel] = []
        for term in self.terms:
            inside = term.terms if isinstance(term, Sum) else (term,)
            flat.extend(times(one, term.outputscale) if one is not term else one for one in inside)
        first = flat[0].outputscale
        object.__setattr__(self, "terms", tuple(times(term, 1.0 / first) for term in flat))
        outputscale = first * float(positive_array("outputscale", self.outputscale))
        object.__setattr__(self, "outputscale", float(positive_array("outputscale", outputscale)))

    @property
    def parts(self) -> tuple[Kernel, ...]:
        """The terms."""
        return self.terms

    def kept(self, i: int) -> int:
        """All, but for the output scale of the first."""
        return len(self.terms[i].theta) - (i == 0)

    def named(self, i: int) -> str:
        """Its number; `Priors` tells the terms of a sum from the factors of a product by it."""
        return f"term{i}"

    def join(self, links: list[Link]) -> Link:
        """The sum of the links."""
        return SumLink(self, links)

    def diagonal(self, X: Array) -> Array:
        return self.total([term.diagonal(X) for term in self.terms])

    def diagonal_gradient(self, X: Array) -> Array:
        return self.total([term.diagonal_gradient(X) for term in self.terms])

    def input_gradient(self, X: Array, Z: Array) -> Array:
        return self.total([term.input_gradient(X, Z) for term in self.terms])

    def total(self, parts: list[Array]) -> Array:
        """The sum of something of each term, times the output scale."""
        return np.asarray(self.outputscale * np.sum(parts, axis=0))

    def parameter_gradient(self, X: Array, Z: Array | None = None) -> Array:
        kept = self.own(self.outputscale * term.parameter_gradient(X, Z) for term in self.terms)
        return np.concatenate([*kept, self(X, Z)[None]])

    @property
    def n_terms(self) -> int:
        """How many terms it has."""
        return sum(term.n_terms for term in self.terms)

    def draw_features(self, rng: np.random.Generator, n_features: int, d: int) -> AnyFeatures:
        drawn = [plain_features(term.draw_features(rng, n_features, d)) for term in self.terms]
        return FeatureSum(tuple(part for one in drawn for part in one.parts)).scaled(
            self.outputscale
        )

    def to_json(self) -> JSON:
        terms = [term.to_json() for term in self.terms]
        return {"kernel": "Sum", "terms": terms, "outputscale": self.outputscale}


class SumLink(Link):
    def __init__(self, kernel: Sum, links: list[Link]) -> None:
        self.kernel, self.links = kernel, links
        self.value = kernel.total([link.value for link in links])

    def pull(self, W: Array) -> Array:
        return self.kernel.total([link.pull(W) for link in self.links])

    def pull_parameters(self, W: Array) -> Array:
        W = self.kernel.outputscale * W
        kept = self.kernel.own(link.pull_parameters(W) for link in self.links)
        whole = np.vdot(W, self.value) / self.kernel.outputscale
        return np.concatenate([*kept, [whole]])
