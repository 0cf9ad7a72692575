"""The surrogate: the model of one outcome, learnt now and then and extended in between.

Hyper-parameters are learnt on a schedule, or when a result is surprising, and every suggestion is
stored with those it used. The next one finds them there: it keeps them while they do, and else
learns anew from where they ended. So the model is a function of the stored history alone; which
process asks, and what that process still holds in memory, makes no difference, not even in the last
bit. To that end every process adds the data in the same steps:

    those that the hyper-parameters were learnt on | blocks of 64 | one by one

A process that kept the steps of its last call goes on from there, O(n^2) per observation. Kept
steps are used only if settings and data agree with the history in hand: nothing stale survives.
Of too many observations some are left out (`kept_rows`), chosen anew with every block.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pathmax import gp
from pathmax.arrays import Array, Index
from pathmax.gp.fitting import ScaledPosterior
from pathmax.gp.parameter_density import spread_rows
from pathmax.gp.priors import front_priors, open_priors
from pathmax.suggestion.fitted_models import (
    Fit,
    Posterior,
    Surrogate,
    doubts,
    kind,
    reusable,
    same,
    schedule,
)
from pathmax.suggestion.kept_rows import EXTENSION_BLOCK, MOST, cuts, kept_rows
from pathmax.suggestion.settings import Settings
from pathmax.suggestion.source_models import Borrower, NamedLender
from pathmax.trials import value_transform
from pathmax.trials.history import Observations
from pathmax.trials.value_transform import ValueTransform, standardise

MOST_OPEN = 1000  # results: beyond them the most probable parameters stand for all
PAPER_NOISE = 1e-6  # variance, of standardised values, in the paper's experiments
FEWEST_BENT = 4  # results, with fewer of which there is no shape to compare
STRAIGHT_ODDS = math.log(10.0)  # nats: bad results are no reason to model good ones worse
FEWEST_JUDGED = 10  # results, with fewer of which it is chance whether bent ones are more probable
MOST_COMPARED = 300  # results: beyond, transforms are compared once, by so many of them


@dataclass(frozen=True, slots=True)
class Modeller:
    """Makes the surrogate of one outcome of a study."""

    settings: Settings
    sign: float  # -1 when smaller values are better
    kernel: gp.Kernel  # the kind; its numbers are where learning starts, or stay when fixed
    grid: tuple[Array, ...] | None = None  # the axes of a grid, to hold the posterior on all of it
    bowl_on: tuple[int, ...] = ()  # coordinates along which the prior mean may fall off
    bound: float | None = None  # what the outcome has to stay on one side of, and nothing else
    lenders: tuple[NamedLender, ...] = ()  # models of older results that it borrows from
    front: bool = False  # whether it is an outcome of a study with several objectives
    beside_others: bool = False  # whether it is one of several objectives
    single: bool = False  # whether it is the only outcome of its study

    def surrogate(self, observed: Observations, kept: Surrogate | None = None) -> Surrogate:
        """The model of what was observed. `kept`, of an earlier call, only saves time."""
        grown = self._grown(self._fit(observed, kept), observed, kept)
        if self.settings.refit_every == "auto" and grown.is_surprising:
            grown = self._grown(self._relearnt(observed, grown.fit, kept), observed, kept)
        return grown

    def _grown(self, fit: Fit, observed: Observations, kept: Surrogate | None = None) -> Surrogate:
        """The model with the parameters of a fit, of all that was observed."""
        y = fit.transform.inward(observed.values)
        noises = self._noises(observed, fit)
        prior = self._prior(fit)
        stops = cuts(fit.n, observed.n, one_by_one=prior.gridded is not None)
        steps = reusable(kept, fit, observed, stops)
        done = max(steps, default=0)
        posterior = steps[done] if done else prior
        for stop in stops[bisect_right(stops, done) :]:
            rows = np.arange(done, stop)
            if not done:
                best = observed.X[int(np.argmax(y[:stop]))]
                rows = kept_rows(fit.kernel, observed.X[:stop], best, MOST)
            posterior = self._grow(posterior, observed, y, noises, rows)
            steps[stop] = posterior
            done = stop
        blocks = [stop for stop in steps if not (stop - fit.n) % EXTENSION_BLOCK]
        needed = {done, max(blocks, default=done)}  # one by one from the first, or by blocks
        steps = {stop: steps[stop] for stop in needed if stop in steps}
        return Surrogate(posterior, fit, observed, steps)

    def plausible(
        self, surrogate: Surrogate, n: int, rng: np.random.Generator, straight: int | None = None
    ) -> tuple[Surrogate, ...]:
        """n surrogates of the same results with other parameters, drawn by how probable they are.

        With `straight` they are for a report: under wider priors, and where values are bent, so
        many of them take values as they are. A fixed model has no others, the paper's has no
        priors to draw from, and many results leave little open about the parameters.
        """
        observed, fit = surrogate.observed, surrogate.fit
        without_priors = self.settings.fixed or self.settings.model == "paper"
        if without_priors or not observed.n or observed.n > MOST_OPEN:
            return (surrogate,) * n
        priors = (self._priors if straight is None else open_priors)(observed.X.shape[1])
        if not fit.transform.is_bent or not straight:
            return self._drawn(fit, observed, n, rng, priors)
        plain = standardise(self.sign, observed.values, warp=False)
        as_is = Fit(fit.kernel, fit.noise, fit.mean, plain, fit.n, fit.bowl, fit.borrowed)
        drawn = self._drawn(as_is, observed, straight, rng, priors)
        return drawn + self._drawn(fit, observed, n - straight, rng, priors)

    def _drawn(
        self, fit: Fit, observed: Observations, n: int, rng: np.random.Generator, priors: gp.Priors
    ) -> tuple[Surrogate, ...]:
        y, noises = fit.transform.inward(observed.values), self._given_noises(observed)
        if fit.borrows:
            several = self._borrowing.plausible(fit, observed, noises, n, rng, priors)
            return tuple(self._with(fit, prior, observed, y) for prior in several)
        variances = fit.transform.variance_inward(noises, observed.values)
        learning = ScaledPosterior.of(
            self.kernel, observed.X, y, variances, priors, bowl_on=self.bowl_on if fit.bowl else ()
        )
        found = learning.draw(fit.prior, n, rng)
        return tuple(self._with(fit, prior, observed, y) for prior in found)

    def _with(
        self, fit: Fit, prior: gp.GaussianProcess, observed: Observations, y: Array
    ) -> Surrogate:
        own = (prior.kernel, prior.noise, prior.mean)
        other = Fit(*own, fit.transform, observed.n, prior.bowl, fit.borrowed)
        noises = self._noises(observed, other)
        posterior = self._grow(self._prior(other), observed, y, noises, np.arange(observed.n))
        return Surrogate(posterior, other, observed)

    @property
    def _borrowing(self) -> Borrower:
        return Borrower(self.sign, self.kernel, self.bowl_on, self.lenders)

    def _prior(self, fit: Fit) -> Posterior:
        prior = self._borrowing.prior(fit) if self.lenders else fit.prior
        separable = self.grid is not None and fit.kernel.axis_kernels(len(self.grid)) is not None
        return gp.GridPosterior.of(prior, self.grid) if separable and self.grid else prior

    def _grow(
        self, posterior: Posterior, observed: Observations, y: Array, noises: Array, rows: Index
    ) -> Posterior:
        """The posterior with more observations: a single one costs O(n N) on a grid of N points."""
        held = posterior.gridded
        if held is not None and len(rows) == 1:
            i = int(rows[0])
            return held.condition(observed.rows[i], float(y[i]), float(noises[i]))
        model = posterior.process.condition(observed.X[rows], y[rows], noises[rows])
        return model if held is None else gp.GridPosterior.of(model, held.axes.values)

    def _fit(self, observed: Observations, kept: Surrogate | None) -> Fit:
        if self.settings.fixed:
            noise = self.settings.variance
            assert noise is not None, "a fixed model has its noise"
            return Fit(self.kernel, noise, 0.0, ValueTransform(self.sign), 0)
        last = self._stored(observed)
        if last is not None and not self._due(observed, last):
            return last
        return self._relearnt(observed, last, kept)

    def _relearnt(self, observed: Observations, last: Fit | None, kept: Surrogate | None) -> Fit:
        """The fit to all observations, which an earlier call may have made already."""
        if (
            kept is not None
            and kept.fit.n == observed.n
            and kept.observed.learnt == observed.learnt
            and kept.observed.corrected == observed.corrected
            and same(kept.observed, observed)
        ):
            return kept.fit
        return self._learn(observed, last)

    def _stored(self, observed: Observations) -> Fit | None:
        """The fit that the newest suggestion used, if it is of the kind that is wanted now.

        What was learnt from a value that has been corrected since is not even a place to start.
        """
        if observed.learnt is None or observed.learnt.corrected != list(observed.corrected):
            return None
        fit = Fit.from_json(observed.learnt.model)
        if [*fit.borrowed] != [one.name for one in self.lenders]:
            return None
        return fit if kind(fit.kernel) == kind(self.kernel) and fit.n <= observed.n else None

    def _due(self, observed: Observations, last: Fit) -> bool:
        new = observed.n - last.n
        if new == 0:
            return False
        every = self.settings.refit_every
        assert every is not None, "a fixed model is never learnt"
        return new >= schedule(every, last.n) or last.is_outdated_by(observed)

    def _learn(self, observed: Observations, last: Fit | None) -> Fit:
        if not self.lenders:
            return self._alone(observed, last)
        given, priors = self._given_noises(observed), self._priors(observed.X.shape[1])
        fit = self._borrowing.learn(observed, given, last, priors, warp=self.settings.warp)
        if fit.borrows:
            return fit
        last = None if last is None or last.borrows else last  # then as without older results
        return replace(self._alone(observed, last), borrowed=fit.borrowed)

    def _alone(self, observed: Observations, last: Fit | None) -> Fit:
        fits = [self._learn_as(one, observed, last) for one in self._transforms(observed, last)]
        if not fits[1:]:
            return fits[0]
        usual, other = fits
        least = 0.0 if other.transform.is_bent else STRAIGHT_ODDS
        more = self._evidence(other, observed) - self._evidence(usual, observed)
        return other if more > least else usual

    def _learn_as(self, transform: ValueTransform, observed: Observations, last: Fit | None) -> Fit:
        fit = self._learn_about(self.bowl_on, transform, observed, last)
        if self.single and fit.outgrows_its_bowl:
            return self._learn_about((), transform, observed, fit)
        return fit

    def _learn_about(
        self,
        bowl_on: tuple[int, ...],
        transform: ValueTransform,
        observed: Observations,
        last: Fit | None,
    ) -> Fit:
        given = transform.variance_inward(self._given_noises(observed), observed.values)
        paper = self.settings.model == "paper"
        usual: dict[str, Any] = {"priors": self._priors(observed.X.shape[1])}
        form = {"priors": None, "unit": True} if paper else usual
        # Warm starts come from the stored fit, never from memory: see the text of the module.
        learning = ScaledPosterior.of(
            self.kernel,
            observed.X,
            transform.inward(observed.values),
            np.where(np.isnan(given), PAPER_NOISE, given) if paper else given,
            bowl_on=bowl_on,
            **form,
        )
        if last is None:
            learnt = learning.learn()
        else:
            learnt = learning.learn(last.prior, doubt=doubts(last, observed))
        # Read back from JSON, as the next one will: a product may change its last bit on the way.
        kernel = gp.from_json(learnt.kernel.to_json())
        noise, mean = float(learnt.noise), float(learnt.mean)
        return Fit(kernel, noise, mean, transform, observed.n, learnt.bowl)

    def _priors(self, d: int) -> gp.Priors:
        return front_priors(d) if self.front else gp.default_priors(d)

    def _transforms(self, observed: Observations, last: Fit | None) -> list[ValueTransform]:
        """The transforms to choose from: bent as values suggest, about a bound, or in another way.

        Results that gather about the best look as if they had to be bent; noise then differs from
        value to value, and what is smooth becomes rough. So the process has the last word, whenever
        a fit is doubted, if ten to one it finds values as they are more probable: where bad results
        vary more, wiggles of bad ones explain them as well as noise does, and promise too much. Of
        several objectives those whose bad values explode may have another unit.
        """
        usual = standardise(self.sign, observed.values, warp=self.settings.warp)
        if not self.settings.warp or observed.n < FEWEST_BENT:
            return [usual]
        other, judged = usual, observed.n >= FEWEST_JUDGED
        if self.bound is not None:
            other = value_transform.standardise_about(self.sign, observed.values, self.bound)
        elif judged and self.beside_others:
            other = value_transform.standardise_by_better(usual, observed.values)
        elif judged and not self.front:
            other = usual.straight
        if other == usual:
            return [usual]
        if last is not None and (observed.n > MOST_COMPARED or not doubts(last, observed)):
            return [other if last.transform.shape == other.shape else usual]
        return [usual, other]

    def _evidence(self, fit: Fit, observed: Observations) -> float:
        """The log probability density of the values, of many that of some, in the user's units."""
        rows = spread_rows(observed.n, MOST_COMPARED)
        values, noises = observed.values[rows], self._noises(observed, fit)[rows]
        seen = fit.prior.condition(observed.X[rows], fit.transform.inward(values), noises)
        return seen.log_marginal_likelihood() + fit.transform.log_slope(values)

    def _given_noises(self, observed: Observations) -> Array:  # (n,), NaN where it is to be learnt
        missing = np.nan if self.settings.variance is None else self.settings.variance
        return np.where(np.isnan(observed.noises), missing, observed.noises)

    def _noises(self, observed: Observations, fit: Fit) -> Array:  # (n,), in units of y
        given = fit.transform.variance_inward(self._given_noises(observed), observed.values)
        return np.where(np.isnan(given), fit.noise, given)
