"""Problems whose restrictions are known: half-spaces, mixtures, conditions, forbidden pairs.

Every one is a loss. A parameter is described as in `workers/link.py`; one that is there only
sometimes has "when", the name of another one and the values of that. The restrictions:

    linear      {"of": {name: factor}, "is": "at most" | "equal", "bound": number}
    forbidden   {name: value, other: value}: not both
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks import suite
from benchmarks.classics import classics

Array = NDArray[np.float64]
Params = Mapping[str, Any]
TOLERANCE = 1e-6  # of a linear restriction, times the sum of its factors' sizes times the range


@dataclass(frozen=True)
class Restricted:
    """A loss on what its restrictions leave of a space."""

    name: str
    kind: str  # "half-spaces", "mixtures" or "conditions"
    space: list[dict[str, Any]]
    loss: Callable[[Params], float]
    linear: list[dict[str, Any]] = field(default_factory=list)
    forbidden: list[dict[str, Any]] = field(default_factory=list)

    def breaks(self, params: Params) -> float:
        """By how much the worst restriction is broken; 0 if all are kept."""
        sizes = {p["name"]: p.get("high", 0.0) - p.get("low", 0.0) for p in self.space}
        worst = 0.0
        for p in self.space:
            if p["kind"] != "categorical" and p["name"] in params:
                room = TOLERANCE * sizes[p["name"]]
                over = max(p["low"] - params[p["name"]], params[p["name"]] - p["high"])
                worst = max(worst, over if over > room else 0.0)
        for one in self.linear:
            total = sum(factor * params[name] for name, factor in one["of"].items())
            room = TOLERANCE * sum(abs(f) * sizes[name] for name, f in one["of"].items())
            over = total - one["bound"]
            over = abs(over) if one["is"] == "equal" else over
            worst = max(worst, over if over > room else 0.0)
        for pair in self.forbidden:
            worst = max(worst, float(all(params.get(k) == v for k, v in pair.items())))
        return worst


def half_spaces(problem: suite.Problem, best: Array, further: int, seed: int) -> Restricted:
    """A loss whose minimum `best` (d,) is cut off, by half-spaces that leave a point in common.

    The first one ends a sixth of a range before the minimum, so that the best that is left lies on
    it more often than not; the others are drawn about the point that they have in common.
    """
    rng = np.random.default_rng(seed)
    low = np.array([p["low"] for p in problem.space])
    size = np.array([p["high"] for p in problem.space]) - low
    d = len(low)
    u = (best - low) / size
    centre = rng.uniform(0.25, 0.75, d)
    while np.linalg.norm(u - centre) < 0.4:
        centre = rng.uniform(0.1, 0.9, d)
    normals = [(u - centre) / np.linalg.norm(u - centre) + 0.3 * rng.normal(size=d) / math.sqrt(d)]
    bounds = [min(normals[0] @ u - 1.0 / 6.0, normals[0] @ (centre + 0.75 * (u - centre)))]
    for _ in range(further):
        normal = rng.normal(size=d)
        normals.append(normal / np.linalg.norm(normal))
        bounds.append(normals[-1] @ centre + rng.uniform(0.1, 0.35))
    linear = []
    for normal, bound in zip(normals, bounds, strict=True):
        factors = (normal / size).round(6)
        of = {p["name"]: float(f) for p, f in zip(problem.space, factors, strict=True)}
        linear.append({"of": of, "is": "at most", "bound": float(round(bound + factors @ low, 6))})
    return Restricted(problem.name, "half-spaces", problem.space, problem.loss, linear)


def with_half_spaces() -> list[Restricted]:
    """Textbook and BBOB functions (instance 1), d = 2 to 8, with 1 to 6 half-spaces."""
    minima = {
        "rosenbrock-3": np.ones(3),
        "levy-4": np.ones(4),
        "levy-8": np.ones(8),
        "styblinski-5": np.full(5, -2.903534),
        "zakharov-4": np.zeros(4),
        "camel-2": np.array([0.0898, -0.7126 * 1.5]),
        "hartmann-3": np.array([0.114614, 0.555649, 0.852547]),
        "peak-3": np.full(3, 0.25),
    }
    found = []
    for i, one in enumerate(c for c in classics() if c.name in minima):
        problem = suite.classic(one)
        found.append(half_spaces(problem, minima[one.name], i % 6, seed=i))
    for i, (function, d) in enumerate([(2, 4), (8, 3), (10, 5), (15, 3), (20, 4), (21, 2)]):
        problem = suite.bbob(function, d, 1)
        found.append(half_spaces(problem, suite.bbob_minimum(function, d, 1), i, seed=100 + i))
    return found


def scheffe(
    name: str, components: int, seed: int, high: float = 100.0, cubic: bool = False
) -> Restricted:
    """A polynomial of Scheffe in the shares of a mixture, which blends make better or worse."""
    rng = np.random.default_rng(seed)
    alone, pairs = rng.normal(size=components), 3.0 * rng.normal(size=(components, components))
    triples = 20.0 * rng.normal(size=components) * cubic
    names = [f"c{i}" for i in range(components)]

    def loss(params: Params) -> float:
        shares = np.array([params[n] for n in names]) / 100.0
        third = shares * np.roll(shares, 1) * np.roll(shares, 2)
        blends = float(shares @ np.triu(pairs, 1) @ shares)
        return -(float(alone @ shares) + blends + float(triples @ third))

    space = [{"name": n, "kind": "float", "low": 0.0, "high": high} for n in names]
    whole = [{"of": dict.fromkeys(names, 1.0), "is": "equal", "bound": 100.0}]
    return Restricted(name, "mixtures", space, loss, whole)


def recipe(name: str, components: int, seed: int) -> Restricted:
    """A property that falls off about one recipe, in ratios, as of alloys and formulations."""
    rng = np.random.default_rng(seed)
    best = rng.dirichlet(np.full(components, 2.0))
    names = [f"c{i}" for i in range(components)]

    def loss(params: Params) -> float:
        shares = np.array([params[n] for n in names]) / 100.0
        apart = (np.sqrt(np.maximum(shares, 0.0)) - np.sqrt(best)) ** 2
        waves = 0.1 * np.sum(np.sin(6.0 * math.pi * shares) * shares)
        return -math.exp(-4.0 * float(apart.sum())) - float(waves)

    space = [{"name": n, "kind": "float", "low": 0.0, "high": 100.0} for n in names]
    whole = [{"of": dict.fromkeys(names, 1.0), "is": "equal", "bound": 100.0}]
    return Restricted(name, "mixtures", space, loss, whole)


def with_mixtures() -> list[Restricted]:
    return [
        scheffe("quadratic blend of 3", 3, seed=1),
        scheffe("quadratic blend of 5, each below 60", 5, seed=2, high=60.0),
        scheffe("cubic blend of 6", 6, seed=3, cubic=True),
        recipe("recipe of 4", 4, seed=4),
        recipe("recipe of 8", 8, seed=5),
    ]


def number(name: str, low: float, high: float, **more: Any) -> dict[str, Any]:
    return {"name": name, "kind": "float", "low": low, "high": high} | more


def whole_number(name: str, low: int, high: int, **more: Any) -> dict[str, Any]:
    return {"name": name, "kind": "int", "low": low, "high": high} | more


def choice(name: str, choices: list[str], **more: Any) -> dict[str, Any]:
    return {"name": name, "kind": "categorical", "choices": choices} | more


def when(name: str, *values: Any) -> dict[str, Any]:
    return {"when": {"name": name, "in": list(values)}}


def coupling(p: Params) -> float:
    """A coupling reaction: catalyst, ligand and base, some of which do not go together."""
    catalyst = {"Pd": 1.0, "Ni": 0.8, "Cu": 0.5, "Fe": 0.4}[p["catalyst"]]
    ligand = {"none": 0.4, "PPh3": 0.7, "XPhos": 1.0, "dppf": 0.85}[p["ligand"]]
    base = {"K2CO3": 0.9, "NEt3": 0.8, "KOtBu": 1.0}[p["base"]]
    best = {"Pd": 80.0, "Ni": 60.0, "Cu": 110.0, "Fe": 95.0}[p["catalyst"]]
    heat = math.exp(-(((p["temperature"] - best) / 25.0) ** 2))
    return -100.0 * catalyst * ligand * base * heat * (1.0 - math.exp(-p["hours"] / 4.0))


def network(p: Params) -> float:
    """A network of one to three layers with widths of their own, and dropout or not."""
    loss, best = 0.05 * abs(p["layers"] - 2), (7.0, 5.0, 6.0)
    for i in range(p["layers"]):
        loss += 0.02 * (math.log2(p[f"width{i + 1}"]) - best[i]) ** 2
    if p["dropout"] == "yes":
        loss += 2.0 * (p["share"] - 0.25) ** 2 - 0.1
    return loss + 0.1 * (math.log10(p["rate"]) + 2.5 + 0.3 * p["layers"]) ** 2


def separation(p: Params) -> float:
    """A column or a crystallisation, which may be seeded: settings below settings."""
    if p["way"] == "column":
        loss = 0.3 + (p["gradient"] - 0.6) ** 2 + 0.5 * (p["flow"] - p["gradient"]) ** 2
    else:
        loss = 0.35 + 2.0 * (p["cooling"] - 0.2) ** 2
        if p["seeded"] == "yes":
            loss += 3.0 * (p["amount"] - 0.4) ** 2 + (p["at"] - 0.7) ** 2 - 0.25
    return loss + 0.5 * (p["solvent"] - 0.3) ** 2


def wafer(p: Params) -> float:
    """An etch with one of five gases, each with an own optimum of power; two need a carrier."""
    k = ["CF4", "SF6", "Cl2", "HBr", "O2"].index(p["gas"])
    loss = 0.1 * k + 4.0 * (p["power"] - 0.2 - 0.15 * k) ** 2 + (p["pressure"] - 0.5) ** 2
    if p["gas"] in ("Cl2", "HBr"):
        loss += 2.0 * (p["carrier"] - 0.35) ** 2 - 0.45
    return loss + 0.05 * math.sin(12.0 * p["power"])


def with_conditions() -> list[Restricted]:
    catalysts, ligands = ["Cu", "Pd", "Ni", "Fe"], ["none", "PPh3", "XPhos", "dppf"]
    return [
        Restricted(
            "coupling",
            "conditions",
            [
                choice("catalyst", catalysts),
                choice("ligand", ligands),
                choice("base", ["K2CO3", "NEt3", "KOtBu"]),
                number("temperature", 20.0, 140.0),
                number("hours", 0.5, 24.0, log=True),
            ],
            coupling,
            forbidden=[
                {"catalyst": "Pd", "ligand": "none"},
                {"catalyst": "Pd", "base": "KOtBu"},
                {"catalyst": "Ni", "ligand": "XPhos"},
                {"catalyst": "Fe", "ligand": "dppf"},
                {"ligand": "XPhos", "base": "K2CO3"},
            ],
        ),
        Restricted(
            "network",
            "conditions",
            [
                whole_number("layers", 1, 3),
                whole_number("width1", 8, 512, log=True),
                whole_number("width2", 8, 512, log=True, **when("layers", 2, 3)),
                whole_number("width3", 8, 512, log=True, **when("layers", 3)),
                choice("dropout", ["no", "yes"]),
                number("share", 0.05, 0.8, **when("dropout", "yes")),
                number("rate", 1e-5, 1e-1, log=True),
            ],
            network,
        ),
        Restricted(
            "separation",
            "conditions",
            [
                choice("way", ["column", "crystals"]),
                number("solvent", 0.0, 1.0),
                number("gradient", 0.0, 1.0, **when("way", "column")),
                number("flow", 0.0, 1.0, **when("way", "column")),
                number("cooling", 0.0, 1.0, **when("way", "crystals")),
                choice("seeded", ["no", "yes"], **when("way", "crystals")),
                number("amount", 0.0, 1.0, **when("seeded", "yes")),
                number("at", 0.0, 1.0, **when("seeded", "yes")),
            ],
            separation,
        ),
        Restricted(
            "wafer",
            "conditions",
            [
                choice("gas", ["CF4", "SF6", "Cl2", "HBr", "O2"]),
                number("power", 0.0, 1.0),
                number("pressure", 0.0, 1.0),
                number("carrier", 0.0, 1.0, **when("gas", "Cl2", "HBr")),
            ],
            wafer,
        ),
    ]


def problems() -> list[Restricted]:
    return [*with_half_spaces(), *with_mixtures(), *with_conditions()]
