"""A path among several, by where it has its maximum: how an expert's guess enters.

    g_1, ..., g_K ~ posterior,    g = g_k with probability  w(x*_k) / sum_j w(x*_j)

with weights from 1/B to 1. As K grows this is a draw from the posterior under the prior
p(f) w(argmax f), that of somebody who holds functions to be likelier the likelier their maximum
is where the expert says. For every K its density with respect to the posterior without a guess is
between 1/B and B, so that with probability 1/B, at least, the path is one of PIMS without a guess.
Where data have settled the maximum all paths have it at one place, and the weights say nothing
(docs/theory.md).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from pathmax.acquisition.step import Step
from pathmax.acquisition.surfaces.surface import Sample, Surface
from pathmax.arrays import Array

Weight: TypeAlias = Callable[[Array], Array]  # (m, d) -> (m,)

PATHS = 16  # among which one is chosen


def choose_path(step: Step, surface: Surface) -> Sample:
    """The path that a method of one path follows."""
    if step.likely is None:
        (path,) = surface.samples(1)
        return path
    found = surface.glances(PATHS)
    return found[pick(step.likely, np.stack([top.u for _, top in found]), step.rng)][0]


def pick(likely: Weight, tops: Array, rng: np.random.Generator) -> int:  # (K, d) ->
    """One of K paths by the weights of their maximisers."""
    weights = likely(tops)
    return int(rng.choice(len(tops), p=weights / weights.sum()))
