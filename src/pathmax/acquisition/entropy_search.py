"""Entropy search (Villemonteix et al., 2009; Hennig and Schuler, 2012): where is the maximum?

The maximum x* lies at one of some points X* with probabilities p, the shares of joint draws that
are largest there. A measurement at x changes p; wanted is the point after which p is expected to
have the least entropy,

    ES(x) = H(p) - E_y H(p | y at x)

Given y at x the values at X* are normal again. With L L' the covariance of X*, c = cov(X*, f(x)),
t^2 = std(x)^2 + noise, b = L^{-1} c / t, and w and e standard normal,

    f(X*) | y  ~  mean + c z / t + L w - c q / t,    q = b' w + sqrt(1 - b' b) e

where z is the standardised y. The same draws (w, e) serve every x and every y: differences between
points are not noise. p is a histogram, without slopes: the best of a finite set of candidates is
taken, and not climbed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np

from pathmax.acquisition.covariance_score import Covariances
from pathmax.acquisition.entropy import peaks
from pathmax.acquisition.knowledge_gradient import normal_parts, with_best_data
from pathmax.acquisition.options import PathMethod, positive_count
from pathmax.acquisition.step import Choice, Step
from pathmax.arrays import Array
from pathmax.gp import GaussianProcess, linalg
from pathmax.search.domains import Maximum

DRAWS_AT_MAXIMA = 256  # joint draws at X*
VALUE_PARTS = 8  # values of y
COMPARED_POINTS = 256  # points that are compared, beside X*


@final
class EntropySearch:
    """The expected loss of entropy of the place of the maximum."""

    def __init__(
        self,
        model: GaussianProcess,
        X_star: Array,
        rng: np.random.Generator,
        draws: int = DRAWS_AT_MAXIMA,
    ) -> None:
        self.model, self.X_star = model, X_star
        self.covariances = Covariances(model, X_star)
        self.mean = model.predict(X_star)[0]
        self.root, _ = linalg.factorize(self.covariances(X_star))
        self.w = rng.standard_normal((draws, len(X_star)))
        self.e = rng.standard_normal(draws)
        self.draws = self.w @ self.root.T  # (D, S)
        self.before = float(entropy(self.mean + self.draws[None])[0])

    def __call__(self, U: Array) -> Array:  # (m, d) -> (m,)
        return np.array([self.gain(u) for u in U])

    def gain(self, u: Array) -> float:  # (d,) -> number
        c = self.covariances(u[None])[0]
        _, std = self.model.predict(u[None])
        t = float(np.sqrt(std[0] ** 2 + self.model.noise))
        b = linalg.solve_lower(self.root, c[:, None])[:, 0] / t
        rest = np.sqrt(max(1.0 - float(b @ b), 0.0))
        q = self.w @ b + rest * self.e  # (D,)
        left = self.mean + self.draws - np.outer(q, c / t)  # (D, S)
        after = left[None] + normal_parts(VALUE_PARTS)[:, None, None] * (c / t)  # (Q, D, S)
        return self.before - float(entropy(after).mean())


def entropy(values: Array) -> Array:  # (Q, D, S) -> (Q,)
    """The entropy of where draws are largest, in nats."""
    Q, D, S = values.shape
    counts = np.zeros((Q, S))
    np.add.at(counts, (np.repeat(np.arange(Q), D), values.argmax(axis=2).ravel()), 1.0)
    share = counts / D
    return np.asarray(-np.sum(share * np.log(np.where(share > 0.0, share, 1.0)), axis=1))


@final
@dataclass(frozen=True, kw_only=True)
class Es(PathMethod):
    """Entropy search. For researchers: it costs ten times and more what PIMS does.

    n_samples  sample paths whose maxima may be the place of the maximum
    """

    name: ClassVar[str] = "es"
    n_samples: int = field(default=32, metadata={"check": positive_count})

    def choose(self, step: Step) -> Choice:
        surface = self.surface(step)
        X_star, _ = peaks(surface, self.n_samples)
        places = np.unique(with_best_data(X_star, surface.model), axis=0)
        score = EntropySearch(surface.model, places, step.rng)
        domain = step.domain
        if (numbered := domain.numbered()) is not None:
            some = numbered.some(COMPARED_POINTS, step.rng)
            U = numbered.points(some)
            gains = score(U)
            i = int(np.argmax(gains))
            best = Maximum(U[i], float(gains[i]), int(some[i]))
        else:
            U = np.concatenate([domain.project(X_star), domain.spread(COMPARED_POINTS, step.rng)])
            gains = score(U)
            i = int(np.argmax(gains))
            best = Maximum(U[i], float(gains[i]))
        return step.choice(surface, best, gain=best.value)
