"""Embedded: a kernel of points that are seen in other coordinates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from pathmax.arrays import Array
from pathmax.errors import ModelError
from pathmax.gp.borrowed_features import AnyFeatures
from pathmax.gp.embedding import Embedding
from pathmax.gp.features import EmbeddedFeatures, Features, FeatureSum
from pathmax.gp.kernels.base import JSON, Kernel, Link


@final
@dataclass(frozen=True, eq=False)
class Embedded(Kernel):
    """k(x, z) = inner(embedding(x), embedding(z)). Its parameters are those of the inner kernel.

    The inner kernel sees the coordinates as they are, and after them those that are added.
    """

    inner: Kernel
    embedding: Embedding

    def __post_init__(self) -> None:
        if isinstance(self.inner, Embedded):
            raise ModelError("an embedded kernel cannot be embedded again; add to its embedding")

    @property
    def outputscale(self) -> float:  # type: ignore[override]
        """That of the inner kernel."""
        return self.inner.outputscale

    def value(self, X: Array, Z: Array) -> Array:
        return self.inner.value(self.embedding(X), self.embedding(Z))

    def length_scales(self, d: int) -> Array:
        return self.inner.length_scales(d + self.embedding.extra)[:d]

    def link(self, X: Array, Z: Array | None = None) -> Link:
        there = None if Z is None else self.embedding(Z)
        return EmbeddedLink(self.inner.link(self.embedding(X), there), self.embedding, X)

    def anchored(self, Z: Array) -> Callable[[Array], Link]:
        anchor = self.inner.anchored(self.embedding(Z))
        return lambda X: EmbeddedLink(anchor(self.embedding(X)), self.embedding, X)

    def diagonal(self, X: Array) -> Array:
        return self.inner.diagonal(self.embedding(X))

    def diagonal_gradient(self, X: Array) -> Array:
        return self.embedding.pull(self.inner.diagonal_gradient(self.embedding(X)), X)

    def input_gradient(self, X: Array, Z: Array) -> Array:
        whole = self.inner.input_gradient(self.embedding(X), self.embedding(Z))
        return np.swapaxes(self.embedding.pull(np.swapaxes(whole, 0, 1), X), 0, 1)

    def parameter_gradient(self, X: Array, Z: Array | None = None) -> Array:
        there = None if Z is None else self.embedding(Z)
        return self.inner.parameter_gradient(self.embedding(X), there)

    @property
    def theta(self) -> Array:
        return self.inner.theta

    def with_theta(self, theta: Array) -> Kernel:
        return replace(self, inner=self.inner.with_theta(theta))

    @property
    def parameter_names(self) -> tuple[str, ...]:
        """Those of the inner kernel; `rest` is the rho of categories that properties describe.

        Another name, so that another value is expected of it: most is explained already.
        """
        described = {f"rho[{each.coordinate}]" for each in self.embedding.properties}
        names = ((name, name.rpartition(".")) for name in self.inner.parameter_names)
        return tuple(
            head + dot + last.replace("rho", "rest") if last in described else name
            for name, (head, dot, last) in names
        )

    @property
    def n_terms(self) -> int:
        return self.inner.n_terms

    @property
    def has_features(self) -> bool:
        return self.inner.has_features

    def draw_features(self, rng: np.random.Generator, n_features: int, d: int) -> AnyFeatures:
        features = self.inner.draw_features(rng, n_features, d + self.embedding.extra)
        assert isinstance(features, Features | FeatureSum), "others are refused when it is made"
        return EmbeddedFeatures(features, self.embedding)

    def to_json(self) -> JSON:
        return {
            "kernel": "Embedded",
            "inner": self.inner.to_json(),
            "embedding": self.embedding.to_json(),
        }


class EmbeddedLink(Link):
    def __init__(self, link: Link, embedding: Embedding, X: Array) -> None:
        self.link, self.embedding, self.X = link, embedding, X
        self.value = link.value

    def pull(self, W: Array) -> Array:
        return self.embedding.pull(self.link.pull(W), self.X)

    def pull_parameters(self, W: Array) -> Array:
        return self.link.pull_parameters(W)
