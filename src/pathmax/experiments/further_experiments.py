"""Experiments beyond the paper's: questions that it leaves open or that its report raises.

jes         both published forms of joint entropy search on alkox, with the paper's model
parameters  the paper's first limitation: the kernel's parameters are not known. Functions are drawn
            with a length scale of their own each, and PIMS and TS know it, take the most probable
            one, or draw it from its posterior before the path (HP-GP-TS, arXiv 2502.01226)
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from pathmax.experiments import problems
from pathmax.experiments.plan import ComparedMethod, Setting
from pathmax.experiments.problems import Problem
from pathmax.gp import RBF

NOISE = 1e-6
SHORTEST, LONGEST = 0.1, 0.5  # of the length scale, in units of the grid
LEVELS, DIMENSION = 10, 3
HORIZON, QUICK = 50, 15

#: Methods under a name of their own: a method of `Study` with an option.
VARIANTS = {"jes-exact": ComparedMethod("jes-exact", method="jes", options={"entropy": "exact"})}
LEARNT_LENGTHSCALE: dict[str, Any] = {"kernel": RBF(lengthscale=0.3), "noise": NOISE, "warp": False}


def known(rng: np.random.Generator) -> Problem:
    """A function of a length scale drawn at random, and its kernel."""
    lengthscale = math.exp(rng.uniform(math.log(SHORTEST), math.log(LONGEST)))
    return problems.gp_sample(rng, levels=LEVELS, d=DIMENSION, lengthscale=lengthscale, noise=NOISE)


def unknown(rng: np.random.Generator) -> Problem:
    """The same function without its kernel."""
    return dataclasses.replace(known(rng), kernel=None)


def _setting(name: str, title: str, study: Mapping[str, Any]) -> Setting:
    make = unknown if study else known
    return Setting(
        name, title, make, HORIZON, QUICK, study, cost=1.0, like="parameters"
    )  # fmt: skip


PARAMETER_SETTINGS = (
    _setting("parameters-known", "length scale known", {}),
    _setting("parameters-most-probable", "most probable length scale", LEARNT_LENGTHSCALE),
    _setting("parameters-drawn", "length scale drawn", {**LEARNT_LENGTHSCALE, "model": "drawn"}),
)
