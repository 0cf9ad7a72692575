"""Learn how much to borrow from each lender, along with the parameters of the own process.

A lender is borrowed from if that is more probable than not, whatever the weight is:

    sum over weights > 0 of  p(y, theta | weight) p(weight)  >  p(y, theta | 0) p(0),

theta the parameters of the own process, at their best for each weight; while data are fewer than
five it has to be ten times as probable. Then the weight is the most probable one. Else the process
is that without lenders. Given the lenders' data, y is told by the data of the process alone: what a
lender has measured is not explained once more, and its length scales are its own.

A weight is a slope: by how much f rises where the lender rises by 1. Two slopes are expected, the
one that takes the values of both in the same unit of the user (`expected`), and the one by which
what the lender expects at the data varies as much as y does; a weight is within a factor of e or so
of one of these, or 0. What a lender does not explain is expected to be less than the whole, and is
learnt like any other output scale. The levels of the two have nothing to do with each other: the
constant mean is learnt as without lenders.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, final

import numpy as np

from pathmax.arrays import Array
from pathmax.gp.blas_threads import small_blas
from pathmax.gp.borrowed import Borrowed, Lender, Loan
from pathmax.gp.fitting import MAX_POINTS
from pathmax.gp.kernels.base import Kernel
from pathmax.gp.parameter_density import NOISE_RANGE, spread_rows
from pathmax.gp.parameter_draws import draw_parameters
from pathmax.gp.parameter_posterior import ParameterPosterior
from pathmax.gp.prior_mean import Bowl
from pathmax.gp.priors import LogNormal, Priors
from pathmax.gp.process import GaussianProcess

# How much more probable a loan has to be than none while data are few. It takes the place of a
# first design and leads to where the lender was best: there results tell little about whether it is
# right, so that a wrong one lasts. By even odds 18 of 100 unrelated lenders had one within four
# data, by these 4, and related ones gain as much (benchmarks/transfer.md).
LEAST_ODDS = 10.0
ENOUGH_TO_JUDGE = 5  # data, as many as a first design has: from here on even odds are enough
UNRELATED = 0.5  # the probability, before any result, of a lender that has nothing to do with it
SLOPE_SPREAD = 0.7  # of the logarithm of a weight about one that is expected
SLOPE_STEP = 0.5  # between the logarithms of candidates
SLOPES_AROUND = 3  # candidates on each side of those that are expected
FEWEST_FOR_SLOPE = 3  # data: fewer have one difference at most, and a spread that says nothing
FARTHEST_SLOPE = math.log(1e3)
OWN_PART = LogNormal(math.log(0.25), 1.0)  # the variance that lenders do not explain


class Candidate(NamedTuple):
    """A weight, and the logarithm of its probability beforehand."""

    weight: float
    log_prior: float


def candidate_weights(expected: Sequence[float]) -> list[Candidate]:
    """The weights that are compared: those about what is expected, and 0."""
    centres = np.clip(np.log(expected), -FARTHEST_SLOPE, FARTHEST_SLOPE)
    reach = SLOPES_AROUND * SLOPE_STEP
    steps = round((np.ptp(centres) + 2.0 * reach) / SLOPE_STEP)
    logs = centres.min() - reach + SLOPE_STEP * np.arange(steps + 1)
    gaps = (logs[:, None] - centres) / SLOPE_SPREAD
    densities = np.logaddexp.reduce(-0.5 * gaps**2, axis=1)
    densities += math.log(1.0 - UNRELATED) - np.logaddexp.reduce(densities)
    slopes = (Candidate(math.exp(x), float(p)) for x, p in zip(logs, densities, strict=True))
    return [Candidate(0.0, math.log(UNRELATED)), *slopes]


@final
@dataclass(frozen=True, eq=False)
class BorrowingFit:
    """Data of a process and its lenders, all in standard units of the process's outputs."""

    kernel: Kernel  # of the own part
    X: Array  # (n, d)
    y: Array  # (n,)
    noises: Array  # (n,) variances, NaN where they are learnt
    lenders: tuple[Lender, ...]
    priors: Priors
    bowl_on: tuple[int, ...] = ()

    @cached_property
    def rows(self) -> Array | slice:
        return spread_rows(len(self.y), MAX_POINTS)

    @cached_property
    def lent(self) -> Array:  # (s, n)
        """What each lender expects at the data."""
        if not len(self.y):
            return np.zeros((len(self.lenders), 0))
        return np.array([lender.process.predict(self.X).mean for lender in self.lenders])

    def usual_slope(self, i: int) -> float:
        """By which factor y varies more than what lender i expects of it; 1 of too few."""
        if len(self.y) < FEWEST_FOR_SLOPE:
            return 1.0
        mine, lent = float(self.y.std()), float(self.lent[i].std())
        return mine / lent if min(mine, lent) > 1e-9 * max(mine, lent) else 1.0

    def posterior(self, weights: Sequence[float]) -> tuple[ParameterPosterior, float]:
        """That of the parameters of the own part, and the middle of what is left to it."""
        residual = self.y - np.asarray(weights) @ self.lent
        centre = float(residual[self.rows].mean()) if len(residual) else 0.0
        loans = tuple(
            Loan(weight, lender)
            for weight, lender in zip(weights, self.lenders, strict=True)
            if weight
        )
        own = replace(self.priors, outputscale=own_part(weights)) if loans else self.priors
        posterior = ParameterPosterior(
            Borrowed(self.kernel, loans) if loans else self.kernel,
            self.X[self.rows],
            residual[self.rows] - centre,
            self.noises[self.rows],
            own,
            () if loans else self.bowl_on,  # the lenders know where the middle is better
        )
        return posterior, centre

    def learn(self, expected: Sequence[float], warm: GaussianProcess | None = None) -> Scored:
        """The own process without data, and the weights: both the most probable.

        One lender after the other is given the best of its candidates, the most useful one first.
        Without data all are expected to tell the same, and each has its share.
        """
        with small_blas(len(self.y)):
            if not len(self.y):
                shares = [slope / len(self.lenders) for slope in expected]
                return self._best(shares, None)
            weights = [0.0] * len(self.lenders)
            unrelated = len(weights) * math.log(UNRELATED)
            best = self._best(weights, warm).believed(unrelated)
            bar = math.log(LEAST_ODDS) if len(self.y) < ENOUGH_TO_JUDGE else 0.0
            left = set(range(len(weights))) if self.y.any() else set()  # equal values tell nothing
            while left:
                ways = {i: self._ways(i, best, expected[i], warm) for i in sorted(left)}
                odds = {i: related_odds(some, best) for i, some in ways.items()}
                i = max(odds, key=odds.__getitem__)
                if odds[i] <= bar:
                    break
                best, left = max(ways[i], key=lambda one: one.score), left - {i}
            return best

    def _ways(
        self, i: int, known: Scored, expected: float, warm: GaussianProcess | None
    ) -> list[Scored]:
        """The best process for each weight of lender i but 0, beside what is known of others.

        Each begins where the one before ended, the first one from anywhere.
        """
        others = known.log_prior - math.log(UNRELATED)
        ways: list[Scored] = []
        for weight, log_prior in candidate_weights([expected, self.usual_slope(i)]):
            if weight:
                weights = reweighted(known.weights, i, weight)
                near = ways[-1].process if ways else warm
                found = self._best(weights, near, doubt=not ways)
                ways.append(found.believed(others + log_prior))
        return ways

    def _best(
        self, weights: Sequence[float], warm: GaussianProcess | None, *, doubt: bool = True
    ) -> Scored:
        """The most probable parameters for these weights, beside `warm` alone without doubt."""
        posterior, centre = self.posterior(weights)
        start = posterior.start if warm is None else posterior.warm_start(warm, 1.0)
        if posterior.y.any():
            theta = posterior.mode(start, warm=warm is not None, doubt=doubt)
        else:  # nothing is known of the noise: as it is expected, not where learning it starts
            theta = np.append(start[:-1], np.clip(posterior.location[-1], *NOISE_RANGE))
        score = posterior.log_probability(theta) if len(self.y) else 0.0
        score += 0.5 * float(np.linalg.slogdet(posterior.precision)[1])
        process = self._process(posterior, theta, posterior.mean(theta), centre)
        return Scored(tuple(weights), score, process)

    def draw(
        self, weights: Sequence[float], mode: GaussianProcess, n: int, rng: np.random.Generator
    ) -> list[GaussianProcess]:
        """n own processes that explain the data with these weights, by how probable they are."""
        with small_blas(len(self.y)):
            posterior, centre = self.posterior(weights)
            if not posterior.y.any():
                return [mode] * n
            theta = posterior.mode(posterior.warm_start(mode, 1.0), warm=True)
            return [
                self._process(posterior, one, posterior.draw_mean(one, rng), centre)
                for one in draw_parameters(posterior, theta, n, rng)
            ]

    def _process(
        self, posterior: ParameterPosterior, theta: Array, mean: Array, centre: float
    ) -> GaussianProcess:
        level, *depth = mean.tolist()
        bowl = Bowl(depth[0], posterior.bowl_on) if depth else None
        learns_noise = bool(np.isnan(self.noises).any()) or not len(self.noises)
        noise = math.exp(theta[-1]) if learns_noise else float(np.median(self.noises))
        return GaussianProcess(self.kernel.with_theta(theta[:-1]), noise, centre + level, bowl=bowl)


class Scored(NamedTuple):
    """Weights with the best own process, and how probable both are, beforehand and by the data."""

    weights: tuple[float, ...]
    score: float  # the logarithm, that of the weights beforehand included
    process: GaussianProcess
    log_prior: float = 0.0  # of the weights

    def believed(self, log_prior: float) -> Scored:
        """The same where the weights have this probability beforehand."""
        score = self.score - self.log_prior + log_prior
        return self._replace(score=score, log_prior=log_prior)


def related_odds(ways: Sequence[Scored], without: Scored) -> float:
    """The logarithm of how much more probable some weight is than none, whatever it is."""
    return float(np.logaddexp.reduce([one.score for one in ways]) - without.score)


def own_part(weights: Sequence[float]) -> LogNormal:
    """What is believed of the variance that lenders do not explain.

    Where y varies less than what is lent does over all, since the data lie close together, it is
    expected between the two.
    """
    largest = max(1.0, *weights)
    return replace(OWN_PART, location=OWN_PART.location + math.log(largest))


def reweighted(weights: Sequence[float], i: int, weight: float) -> list[float]:
    """The weights with another one for lender i."""
    return [weight if j == i else other for j, other in enumerate(weights)]
