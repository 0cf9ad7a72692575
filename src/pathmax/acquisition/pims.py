"""PIMS: the probability of improvement from the maximum of a sample path (Algorithm 2).

    g ~ posterior,   g* = max g,   x_t = argmin (g* - mean) / std,   xi_t = the minimum

The same point (Lemma A.1) as MES with the one sample g*, as GP-UCB with beta^(1/2) = xi_t, and as
GP-EST with g* for its estimate; mean + xi_t std = g* there.

A path that has its maximum where the best is known already sends the next evaluation there, to
refine a value that is known well enough, although one path in ten may see something better. With a
`resolution` PIMS looks for that one in a box or a mixed space: where f at its choice is known to
less than the resolution, a standard deviation, MORE_PATHS further paths are drawn, and the first
that is above the best mean at the data by as much, somewhere, takes the place of the first. Where
it is all but certain that none of them would be, none is drawn (`Searched.promising`). These
paths are of the model without its bowl (`gp.Bowl`): that the middle of the cube is likelier good is
where to look first, and has had its turn. The one that is followed is searched everywhere. Under
noise f is known when it is known to TO_NOISE of a measurement's standard deviation: refining it
further is not worth a measurement either. With 0, as in the paper, there is one path.

The maximum over a whole cube is more than few trials can reach, and grows with the dimension: xi_t
is 2 to 4 in d = 5 and 11 to 14 in d = 100, where PIMS goes wherever it knows least. With `looks`,
from three real coordinates on, g* is the maximum over a finite set X_t and the data. Half of
its points are spread over the space, half lie about the best results (`perturbation`). Their number
grows with the results and is drawn for each trial: more than m with probability 8 n / m, at most
`looks`. So the first trials aim at what can be reached soon, most of them, and later ones beyond.
In a mixed space there are `looks` points where these are fewer than three to an axis, and else a
search. X_t does not depend on the path, so that
E[xi_t^2] <= 2 + 2 log(|X_t| / 2) as on any finite set (Lemma 4.1); no theorem bounds what lies
between its points. Where the mean is above g*, the highest mean takes its place: xi_t is 0 instead
of negative, which the bound counts as 0 anyway, and the choice is where the mean is highest, not
where it is surest. Chosen in benchmarks/surrogate.md. With 0, as in the paper, the path is searched
everywhere.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import ClassVar, final

from pathmax.acquisition.improvement_rules import ProbabilityOfImprovement
from pathmax.acquisition.options import OnePathMethod, amount, count_or_none
from pathmax.acquisition.scores import MeanScore
from pathmax.acquisition.step import Choice, Step
from pathmax.acquisition.surfaces.surface import Sample, Surface
from pathmax.acquisition.weighted_path import choose_path
from pathmax.search.domains import Maximum

TO_NOISE = 0.5
MORE_PATHS = 8  # 32 look elsewhere more often and are no better (benchmarks/surrogate.md)


@final
@dataclass(frozen=True, kw_only=True)
class Pims(OnePathMethod):
    """The probability of improvement from the maximum of a sample path.

    resolution  where f is known to a standard deviation below this, other paths are asked for
                something better; left out, a study that chooses its own model decides, and else 0
    looks       the most points among which the maximum of a path is taken, with 0 everywhere;
                left out, a study that chooses its own model decides, and else 0
    """

    name: ClassVar[str] = "pims"
    resolution: float | None = field(default=None, metadata={"check": amount})
    looks: int | None = field(default=None, metadata={"check": count_or_none})

    def choose(self, step: Step) -> Choice:
        step = step.discretised(self.discretization)
        surface, resolution = self.surface(step), self.resolution or 0.0
        path = choose_path(step, surface)
        choice = improve(step, surface, path, self.looks or 0)
        if resolution:
            resolution = known_below(resolution, surface.model.noise)
        if choice.info["std"] < resolution:
            wide = surface
            if surface.model.bowl is not None:
                wide = self.surface(replace(step, model=surface.model.levelled(), pending=None))
            other = wide.promising(MORE_PATHS, wide.incumbent + resolution)
            if other is not None:
                # among few points the promise that was seen may be missed, and the first choice
                # made again: benchmarks/surrogate.md
                choice = improve(step, wide, other, expected_on=surface)
                choice.info["looked_elsewhere"] = True
        return choice


def known_below(resolution: float, noise: float) -> float:
    """The standard deviation below which f counts as known, measured with a variance of noise."""
    return max(resolution, TO_NOISE * math.sqrt(noise))


def improve(
    step: Step, surface: Surface, path: Sample, looks: int = 0, expected_on: Surface | None = None
) -> Choice:
    """Where the probability of improving on the maximum of a path is highest.

    What is said to be expected there is of another surface, if one is given.
    """
    looks = surface.looks(looks)
    g_star = path.peak_among(looks) if looks else path.peak()
    best = g_star
    # few points may promise less than the mean: then xi < 0 would go where least is to be learnt,
    # and that it is below 0 anywhere is all that has to be found
    below = bool(looks) and surface.domain.is_real and surface.incumbent > g_star.value
    if not below:
        rule = ProbabilityOfImprovement(g_star.value, enough=0.0 if looks else math.inf)
        best = surface.top(rule, hints=g_star.u[None])
    if below or (looks and surface.at(best)[0] > g_star.value):
        best = surface.search(MeanScore(surface.model), hints=best.u[None])
        g_star = Maximum(best.u, surface.at(best)[0])
    choice = step.choice(expected_on or surface, best, **step.peak(g_star))
    if looks:
        choice.info["looks"] = looks
    above, std = g_star.value - choice.info["mean"], choice.info["std"]
    choice.info["xi"] = above / std if std else 0.0  # Lemma 4.1; a linear function is known at 0
    return choice
