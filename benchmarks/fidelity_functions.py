"""Functions that can be had cheaper and less exact: formulas of the literature, and two of our own.

    functions("development")  what choices of the code were made on
    functions("reported")     what benchmarks/fidelities.md shows

Two levels, of which the cheap one costs a tenth, unless said otherwise. Written from the published
formulas, all of them turned so that larger is better:

    bohachevsky, booth, himmelblau, camel, branin   Dong et al. (2015), Struct. Multidisc. Optim. 51
    forrester                                       Forrester, Sobester and Keane (2007)
    currin, park a, park b, borehole                Xiong, Qian and Wu (2013), Technometrics 55
    hartmann                                        Park, Haftka and Kim (2017)
    augmented branin, augmented hartmann            Wu et al. (2019), UAI; a number as fidelity

as collected in mf2 (van Rijn and Schmitt, 2020) and in BoTorch's test functions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

import pathmax

Array = NDArray[np.float64]
Set = Literal["development", "reported"]
CHEAP = 0.1
PI = np.pi

A6 = np.array(
    [[10, 3, 17, 3.5, 1.7, 8], [0.05, 10, 17, 0.1, 8, 14], [3, 3.5, 1.7, 10, 17, 8],
     [17, 8, 0.05, 10, 0.1, 14]]
)  # fmt: skip
P6 = 1e-4 * np.array(
    [[1312, 1696, 5569, 124, 8283, 5886], [2329, 4135, 8307, 3736, 1004, 9991],
     [2348, 1451, 3522, 2883, 3047, 6650], [4047, 8828, 8732, 5743, 1091, 381]]
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Approximated:
    """f(x, s), s = 1 being what is wanted; larger is better. With `levels` s is 0 or 1."""

    name: str
    low: tuple[float, ...]
    high: tuple[float, ...]
    values: Callable[[Array, float], Array]  # (m, d), s -> (m,)
    levels: bool = True

    @property
    def space(self) -> dict[str, Any]:
        """The parameters and the fidelity."""
        kind = pathmax.Fidelity(["low", "high"], cost=[CHEAP, 1.0])
        if not self.levels:
            kind = pathmax.Fidelity(0.0, 1.0, cost=[CHEAP, 1.0])
        return {**self.searched, "fidelity": kind}

    @property
    def searched(self) -> dict[str, Any]:
        """The parameters alone."""
        ends = zip(self.low, self.high, strict=True)
        return {f"x{i}": pathmax.Float(low, high) for i, (low, high) in enumerate(ends)}

    def __call__(self, params: dict[str, Any]) -> float:
        """The value of a trial; without a fidelity that at the target."""
        s = params.get("fidelity", 1.0)
        s = {"low": 0.0, "high": 1.0}.get(s, s)
        x = np.array([[params[f"x{i}"] for i in range(len(self.low))]])
        return float(self.values(x, float(s))[0])

    def cost(self, params: dict[str, Any]) -> float:
        """What a trial costs; 1 at the target."""
        s = params.get("fidelity", 1.0)
        return CHEAP + (1.0 - CHEAP) * float({"low": 0.0, "high": 1.0}.get(s, s))

    @cached_property
    def best(self) -> float:
        """The maximum at the target, by many looks and a local search."""
        from scipy.optimize import minimize

        low, high = np.array(self.low), np.array(self.high)
        X = low + (high - low) * np.random.default_rng(0).random((20_000, len(low)))
        starts = X[np.argsort(-self.values(X, 1.0))[:20]]
        ends = list(zip(low, high, strict=True))
        found = [minimize(lambda x: -self.values(x[None], 1.0)[0], x, bounds=ends) for x in starts]
        return float(max(-one.fun for one in found))

    @cached_property
    def spread(self) -> float:
        """How far random points fall short of the maximum, as a rule."""
        low, high = np.array(self.low), np.array(self.high)
        X = low + (high - low) * np.random.default_rng(1).random((2000, len(low)))
        return self.best - float(np.median(self.values(X, 1.0)))


def functions(which: Set) -> list[Approximated]:
    """The functions of a set."""
    if which == "development":
        return [
            Approximated("bohachevsky", (-5, -5), (5, 5), bohachevsky),
            Approximated("booth", (-10, -10), (10, 10), booth),
            Approximated("himmelblau", (-4, -4), (4, 4), himmelblau),
            Approximated("camel", (-2, -2), (2, 2), camel),
            Approximated("learning", (0, 0, 0), (1, 1, 1), learning, levels=False),
            Approximated("waves", (0, 0, 0, 0), (1, 1, 1, 1), waves, levels=False),
        ]
    well = ((0.05, 100, 63070, 990, 63.1, 700, 1120, 9855),
            (0.15, 50000, 115600, 1110, 116, 820, 1680, 12045))  # fmt: skip
    return [
        Approximated("forrester", (0,), (1,), forrester),
        Approximated("branin", (-5, 0), (10, 15), branin),
        Approximated("currin", (0, 0), (1, 1), currin),
        Approximated("park a", (1e-8, 0, 0, 0), (1, 1, 1, 1), park_a),
        Approximated("park b", (0, 0, 0, 0), (1, 1, 1, 1), park_b),
        Approximated("borehole", *well, borehole),
        Approximated("hartmann", (0,) * 6, (1,) * 6, hartmann),
        Approximated("augmented branin", (-5, 0), (10, 15), augmented_branin, levels=False),
        Approximated("augmented hartmann", (0,) * 6, (1,) * 6, augmented_hartmann, levels=False),
    ]


def bohachevsky(x: Array, s: float) -> Array:
    def exact(a: Array, b: Array) -> Array:
        return a**2 + 2 * b**2 - 0.3 * np.cos(3 * PI * a) - 0.4 * np.cos(4 * PI * b) + 0.7

    a, b = x.T
    return -exact(a, b) if s == 1.0 else -(exact(0.7 * a, b) + a * b - 12)


def booth(x: Array, s: float) -> Array:
    def exact(a: Array, b: Array) -> Array:
        return (a + 2 * b - 7) ** 2 + (2 * a + b - 5) ** 2

    a, b = x.T
    return -exact(a, b) if s == 1.0 else -(exact(0.4 * a, b) + 1.7 * a * b - a + 2 * b)


def himmelblau(x: Array, s: float) -> Array:
    def exact(a: Array, b: Array) -> Array:
        return (a**2 + b - 11) ** 2 + (b**2 + a - 7) ** 2

    a, b = x.T
    return -exact(a, b) if s == 1.0 else -(exact(0.5 * a, 0.8 * b) + b**3 - (a + 1) ** 2)


def camel(x: Array, s: float) -> Array:
    def exact(a: Array, b: Array) -> Array:
        return (4 - 2.1 * a**2 + a**4 / 3) * a**2 + a * b + (4 * b**2 - 4) * b**2

    a, b = x.T
    return -exact(a, b) if s == 1.0 else -(exact(0.7 * a, 0.7 * b) + a * b - 15)


def learning(x: Array, s: float) -> Array:
    """Like the score of a model during training: early it is low, and which is ahead differs."""
    a, b, c = x.T
    final = 0.9 - 1.2 * (a - 0.35) ** 2 - 0.8 * (b - 0.7) ** 2 - 0.3 * (c - 0.5) ** 2
    speed = 1.0 + 3.0 * a  # some settings learn faster
    return final - (0.6 + 0.3 * b) * np.exp(-speed * 2.0 * s) + 0.03 * np.sin(9 * a + 4 * b)


def waves(x: Array, s: float) -> Array:
    """A sum of waves whose short ones appear at high fidelity only."""
    coarse = np.sin(4 * x[:, 0] + 1) + np.cos(3 * x[:, 1]) - (x[:, 2] - 0.6) ** 2
    fine = 0.3 * np.sin(11 * x[:, 0] * x[:, 3] + 2) + 0.3 * np.cos(9 * x[:, 2] + 3 * x[:, 1])
    return coarse + (0.3 + 0.7 * s) * fine - 0.4 * (1 - s) * x[:, 3]


def forrester(x: Array, s: float) -> Array:
    exact = (6 * x[:, 0] - 2) ** 2 * np.sin(12 * x[:, 0] - 4)
    return -exact if s == 1.0 else -(0.5 * exact + 10 * (x[:, 0] - 0.5) - 5)


def branin_base(a: Array, b: Array, bend: float = 5.1 / (4 * PI**2)) -> Array:
    return (b - bend * a**2 + 5 * a / PI - 6) ** 2 + 10 * (1 - 1 / (8 * PI)) * np.cos(a) + 10


def branin(x: Array, s: float) -> Array:
    a, b = x.T
    if s == 1.0:
        return -(branin_base(a, b) - 22.5 * b)
    return -(branin_base(0.7 * a, 0.7 * b) - 15.75 * b + 20 * (0.9 + a) ** 2 - 50)


def currin(x: Array, s: float) -> Array:
    def exact(a: Array, b: Array) -> Array:
        rise = 1 - np.exp(-1 / (2 * np.maximum(b, 1e-12)))
        top = 2300 * a**3 + 1900 * a**2 + 2092 * a + 60
        return rise * top / (100 * a**3 + 500 * a**2 + 4 * a + 20)

    a, b = x.T
    if s == 1.0:
        return exact(a, b)
    down = np.maximum(b - 0.05, 0.0)
    return 0.25 * (
        exact(a + 0.05, b + 0.05) + exact(a + 0.05, down)
        + exact(a - 0.05, b + 0.05) + exact(a - 0.05, down)
    )  # fmt: skip


def park_a(x: Array, s: float) -> Array:
    a, b, c, d = x.T
    exact = 0.5 * a * (np.sqrt(1 + (b + c**2) * d / a**2) - 1)
    exact += (a + 3 * d) * np.exp(1 + np.sin(c))
    return exact if s == 1.0 else (1 + np.sin(a) / 10) * exact - 2 * a + b**2 + c**2 + 0.5


def park_b(x: Array, s: float) -> Array:
    a, b, c, d = x.T
    exact = 2 / 3 * np.exp(a + b) - d * np.sin(c) + c
    return exact if s == 1.0 else 1.2 * exact - 1


def borehole(x: Array, s: float) -> Array:
    rw, r, Tu, Hu, Tl, Hl, L, Kw = x.T
    flow, least = (2 * PI, 1.0) if s == 1.0 else (5.0, 1.5)
    ratio = np.log(r / rw)
    return flow * Tu * (Hu - Hl) / (ratio * (least + 2 * L * Tu / (ratio * rw**2 * Kw) + Tu / Tl))


def hartmann_terms(x: Array) -> Array:  # (m, 6) -> (m, 4)
    return -(A6[None] * (x[:, None, :] - P6[None]) ** 2).sum(axis=2)


def hartmann(x: Array, s: float) -> Array:
    z = hartmann_terms(x)
    if s == 1.0:
        return (2.58 + np.exp(z) @ np.array([1.0, 1.2, 3.0, 3.2])) / 1.94
    rough = (np.exp(-4 / 9) + np.exp(-4 / 9) * (z + 4) / 9) ** 9
    return (2.58 + rough @ np.array([0.5, 0.5, 2.0, 4.0])) / 1.94


def augmented_branin(x: Array, s: float) -> Array:
    a, b = x.T
    return -branin_base(a, b, 5.1 / (4 * PI**2) - 0.1 * (1 - s))


def augmented_hartmann(x: Array, s: float) -> Array:
    return np.exp(hartmann_terms(x)) @ np.array([1.0 - 0.1 * (1 - s), 1.2, 3.0, 3.2])
