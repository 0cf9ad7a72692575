"""The most probable parameters of a kernel and of the noise, given data: where descent finds them.

There are two explanations of rough data, wiggles and noise, and a fit that ends in the worse one
has to be told from a good one: `mode` says when it looks a second time, and from where. What that
is worth: benchmarks/choices.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from pathmax.arrays import Array
from pathmax.errors import ModelError
from pathmax.gp.descent import Descent, descend
from pathmax.gp.parameter_density import FIRST_NOISE, ParameterDensity
from pathmax.gp.process import GaussianProcess

# What ends in MUCH_NOISE is tried from the other side as well, where length scales are short
# (WIGGLES below what is expected) and noise is little: 1 % end in the worse explanation, not 19 %.
MUCH_NOISE = -3.0
LITTLE_NOISE = -9.0
WIGGLES = 2.0
# A fit to fewer data that found less noise than this has excluded it; one that found more may have
# taken noise for wiggles, and a second look begins from FIRST_NOISE.
EXCLUDED_NOISE = -11.0
# The opposite trap: a fit to fewer data that took noise for wiggles, in short length scales without
# noise, leads the next one there as well. What ends by a factor of e below what is expected is
# tried from a cold start too.
TOO_SHORT = 1.0
# Of a study that goes on from its last fit second looks are taken whenever its results have
# grown by a fifth, or one is far off the scale of the others, since data change by that much what
# they explain: a cold descent takes three to ten times as long as a warm one
# (benchmarks/choices.md).
DOUBTS = 5.0  # for every e-fold of results
FIT_TOLERANCE = 1e-2  # nats: parameters that are one per cent less probable predict the same
MAX_EVALUATIONS = 100
COARSE = 100  # rows: above it a third of them is fitted first
LONGEST_FIT_STEP = 2.0  # of a log parameter in one step


class ParameterPosterior(ParameterDensity):
    """How probable parameters are, with a search for the most probable ones."""

    @property
    def start(self) -> Array:
        return self._inside(np.append(self.location[:-1], FIRST_NOISE))

    @property
    def wiggles(self) -> Array:
        """A start in the belief that what looks like noise is the function."""
        short = [WIGGLES if kind in ("lengthscale", "rho") else 0.0 for kind in self.kinds[:-1]]
        return self._inside(np.append(self.location[:-2] - short, [0.0, LITTLE_NOISE]))

    @property
    def scattered(self) -> list[Array]:
        """Starts with long and short length scales: without priors there are many modes."""
        long, short = self.location.copy(), self.location.copy()
        numbers = [i for i, kind in enumerate(self.kinds) if kind == "lengthscale"]
        long[numbers], short[numbers] = math.log(1.0), math.log(0.1)
        return [self._inside(long), self._inside(short)]

    def warm_start(self, earlier: GaussianProcess, variance_unit: float) -> Array:
        """Where an earlier fit ended, in the present standard units."""
        theta = np.append(earlier.kernel.theta, math.log(max(earlier.noise, 1e-300)))
        if len(theta) != len(self.location):
            raise ModelError(
                f"warm must be a fit of the same kind of kernel, with {len(self.location) - 1} "
                f"parameters, got one with {len(theta) - 1}"
            )
        theta[-2:] -= math.log(variance_unit)
        return self._inside(theta)

    def draw_start(self, rng: np.random.Generator) -> Array:
        """A start drawn from the priors, or within a factor of e or so of the given kernel."""
        some = rng.standard_normal(len(self.location))
        if self.priors is not None:
            some = np.linalg.solve(np.linalg.cholesky(self.precision).T, some)
        return self._inside(self.location + some)

    def _reconsidered(self, theta: Array) -> Array:
        """What fewer data have found, as a start that can still end in the other explanation."""
        start = theta.copy()
        if start[-1] > EXCLUDED_NOISE:
            start[-1] = max(start[-1], FIRST_NOISE)
        return self._inside(start)

    def _is_short(self, theta: Array) -> bool:
        """Whether length scales are much shorter than expected: noise may look like that too."""
        scales = np.array([kind == "lengthscale" for kind in (*self.kinds, "noise")])
        short = self.location[scales] - theta[scales]
        return bool(self.unknown.any() and scales.any() and short.mean() > TOO_SHORT)

    def mode(
        self,
        start: Array,
        others: Sequence[Array] = (),
        warm: bool = False,
        doubt: bool = True,
    ) -> Array:
        """The most probable of the modes that descent finds from `start` and `others`.

        With `doubt` what was found is tried from the other explanation too, where it may be a trap.

        A warm start knows the place but not the curvature, which is estimated from a few rows
        (`expected_hessian`). Many rows are approached from a third of them, whose mode and
        curvature are close already. Either at least halves the evaluations of all rows
        (benchmarks/choices.md).
        """
        with np.errstate(over="ignore", invalid="ignore"):
            if warm:
                found = [self._descend(start, self.curvature(start))]
                found += self._second_look(found[0].x) if doubt else []
            else:
                found = [self._descend_cold(start)]
            found += [self._descend(other) for other in others]
            best = min(found, key=lambda descent: descent.value)
            if doubt and best.x[-1] > MUCH_NOISE and self.unknown.any():
                best = min(best, self._descend(self.wiggles), key=lambda one: one.value)
        return best.x

    def _second_look(self, theta: Array) -> list[Descent]:
        """From a cold start where length scales are short; else with more noise, if it may be."""
        if self._is_short(theta):
            return [self._descend_cold(self.start)]
        start = self._reconsidered(theta)
        return [self._descend(start, self.curvature(start))] if start[-1] > theta[-1] else []

    def _descend_cold(self, start: Array) -> Descent:
        if len(self.y) <= COARSE:
            return self._descend(start)
        coarse = self.thinned(len(self.y) // 3)
        rough = coarse._descend(start)
        scale = len(self.y) / len(coarse.y)
        return self._descend(self._reconsidered(rough.x), scale * rough.hessian)

    def other_modes(self) -> list[Array]:
        """Where descent ends from a cold start and, if noise is learnt, from wiggles."""
        starts = [self.start, self.wiggles] if self.unknown.any() else [self.start]
        with np.errstate(over="ignore", invalid="ignore"):
            return [self._descend(start).x for start in starts]

    def _descend(self, start: Array, hessian: Array | None = None) -> Descent:
        return descend(
            self,
            start,
            self.low,
            self.high,
            self.precision + np.eye(len(start)) if hessian is None else hessian,
            tolerance=FIT_TOLERANCE,
            max_evaluations=MAX_EVALUATIONS,
            longest_step=LONGEST_FIT_STEP,
        )


def is_doubted(earlier: int, n: int) -> bool:
    """Whether a fit to n results that starts from one to `earlier` takes its second looks."""
    return math.floor(DOUBTS * math.log(max(n, 1))) > math.floor(DOUBTS * math.log(max(earlier, 1)))
