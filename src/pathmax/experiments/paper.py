"""The experiments of the paper: their settings, their methods, and the numbers printed there.

What the paper does not print is chosen here, and the report says so: the default length scale 0.2,
Ackley's dimension 4, and the number of iterations.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from pathmax.acquisition import METHODS as KNOWN
from pathmax.errors import SettingsError
from pathmax.experiments import further_experiments, problems
from pathmax.experiments.plan import ComparedMethod, Setting
from pathmax.experiments.problems import Problem
from pathmax.gp import RBF
from pathmax.suggestion.surrogate import PAPER_NOISE

PRINTED_TRIALS = 20
TABLE_ITERATIONS = 200  # of Table 2: not printed, and others fit it too (docs/reproduce.md)


def same(make: Callable[[], Problem], rng: np.random.Generator) -> Problem:
    """The same problem in every trial: only the study's seed differs."""
    return make()


#: t counts from 1 after the first design of five
THEORETICAL = {"confidence": "theoretical", "design": 5}
HEURISTIC = {"confidence": "heuristic"}
#: Plain marginal likelihood every five evaluations, as the paper says; `Study` has the rest.
PAPER_SETTINGS = {"model": "paper"}
COUNTED = {"confidence": "heuristic", "design": 5}
#: With pathmax's priors, and one length scale for all coordinates, as the kernel is printed.
LEARNT = {"kernel": RBF(lengthscale=0.5), "noise": PAPER_NOISE, "refit_every": 5, "warp": False}


def _drawn(name: str, title: str, levels: int, lengthscale: float, quick: int) -> Setting:
    make = partial(problems.gp_sample, levels=levels, lengthscale=lengthscale, noise=PAPER_NOISE)
    cost = 2.0 * (levels / 10) ** 4 / (1.0 if levels == 10 else 2.0)
    return Setting(name, title, make, TABLE_ITERATIONS, quick, options=THEORETICAL, cost=cost)


def _both(
    name: str, title: str, problem: Callable[[], Problem], T: int, quick: int
) -> tuple[Setting, Setting]:
    """A problem with the paper's surrogate, and with ours: the same trials, modelled otherwise."""
    make = partial(same, problem)
    plain = Setting(
        f"{name}-paper", f"{title}, the paper's model", make, T, quick, PAPER_SETTINGS, COUNTED,
        4.0, like=name,
    )  # fmt: skip
    ours = f"{title}, pathmax's priors"
    return plain, Setting(name, ours, make, T, quick, LEARNT, HEURISTIC, 4.0)


SETTINGS: dict[str, tuple[Setting, ...]] = {
    "synthetic": (
        _drawn("synthetic-default", "(a) default: $|X| = 10^4$, $\\ell = 0.2$", 10, 0.2, 80),
        _drawn("synthetic-large", "(b) large: $|X| = 20^4$, $\\ell = 0.2$", 20, 0.2, 30),
        _drawn("synthetic-small", "(c) small: $|X| = 10^4$, $\\ell = 0.1$", 10, 0.1, 80),
    ),
    "benchmarks": (
        *_both("ackley", "Ackley, $d = 4$", partial(problems.ackley, 4), 200, 40),
        *_both("shekel", "Shekel, $m = 10$", partial(problems.shekel, 10), 200, 40),
    ),
    "emulators": (
        *_both("alkox", "alkox", problems.alkox, 150, 30),
        *_both("fullerenes", "fullerenes", problems.fullerenes, 150, 30),
    ),
}
SETTINGS |= {
    "jes": tuple(setting for setting in SETTINGS["emulators"] if setting.name == "alkox-paper"),
    "parameters": further_experiments.PARAMETER_SETTINGS,
}
PAPER_SECTIONS = tuple(SETTINGS)

REPRODUCED_MODELS = ("both", "paper", "pathmax")
#: The paper's PI improves on the largest value observed.
AS_PRINTED: dict[str, dict[str, str]] = {"pi": {"reference": "observed"}}

SECTION_METHODS: dict[str, tuple[str, ...]] = {
    "synthetic": ("pims", "ts", "gp-ucb", "irgp-ucb", "ei", "pi", "mes", "jes"),
    "benchmarks": ("pims", "ts", "gp-ucb", "irgp-ucb", "ei", "mes", "jes"),  # all but PI
    "emulators": ("pims", "ts", "gp-ucb", "irgp-ucb", "ei", "mes", "jes"),
    "jes": ("jes", "jes-exact"),
    "parameters": ("pims", "ts"),
}
OF_THE_PAPER = ("synthetic", "benchmarks", "emulators")


@dataclasses.dataclass(frozen=True)
class Printed:
    """A number of the paper with its standard deviation over trials."""

    mean: float
    std: float

    def __str__(self) -> str:
        return f"{self.mean:.2f} ± {self.std:.2f}"


#: Table 2: the mean evaluated posterior standard deviation, sum_t sigma_{t-1}(x_t) / T.
TABLE_2: dict[str, dict[str, Printed]] = {
    "pims": {
        "synthetic-default": Printed(0.27, 0.14),
        "synthetic-large": Printed(0.26, 0.13),
        "synthetic-small": Printed(0.71, 0.13),
    },
    "ts": {
        "synthetic-default": Printed(0.36, 0.14),
        "synthetic-large": Printed(0.36, 0.14),
        "synthetic-small": Printed(0.92, 0.09),
    },
}


def methods_of(section: str, names: Sequence[str] | None = None) -> list[ComparedMethod]:
    """The methods of a section, or those of the given names; beyond the paper only its own."""
    for name in names or ():
        if name not in KNOWN:
            raise SettingsError(f"there is no method {name!r}; known are {', '.join(KNOWN)}")
    wanted = names or SECTION_METHODS[section]
    if section not in OF_THE_PAPER:
        wanted = [name for name in SECTION_METHODS[section] if name in wanted]
    return [
        further_experiments.VARIANTS.get(name)
        or ComparedMethod(name, options=AS_PRINTED.get(name, {}))
        for name in wanted
    ]


def paper_settings(section: str, model: str = "both") -> tuple[Setting, ...]:
    """The settings of a section with the paper's surrogate, with pathmax's, or both."""
    if model not in REPRODUCED_MODELS:
        raise SettingsError(f"model must be one of {', '.join(REPRODUCED_MODELS)}, got {model!r}")
    return tuple(
        setting
        for setting in SETTINGS[section]
        if section in ("synthetic", "parameters")
        or model == "both"
        or is_plain(setting.name) == (model == "paper")
    )


def is_plain(setting: str) -> bool:
    """Whether a setting has the paper's surrogate."""
    return setting.endswith("-paper")
