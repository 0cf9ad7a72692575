"""Problems with constraints or several objectives, and what is known to be reachable.

Optima and fronts are those of the literature or, where it gives none, of a long search; the tests
say which. See `OutcomeProblem` for what a problem answers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial

from pathmax.errors import ModelError
from pathmax.experiments.emulation import constrained_formulas as constrained
from pathmax.experiments.emulation import front_formulas as fronts
from pathmax.experiments.emulation.formulas import Inputs
from pathmax.experiments.outcome_problem import OutcomeProblem
from pathmax.space.parameters import Float, Int
from pathmax.space.space import Space

__all__ = [
    "CONSTRAINED",
    "FRONTS",
    "OutcomeProblem",
    "branin_currin",
    "c2_dtlz2",
    "car_side_impact",
    "constrained_branin_currin",
    "constrained_hartmann6",
    "disc_brake",
    "dtlz2",
    "gardner",
    "gramacy",
    "penicillin",
    "pressure_vessel",
    "speed_reducer",
    "tension_spring",
    "vehicle_safety",
    "welded_beam",
    "zdt",
]

Sides = Mapping[str, tuple[float, float] | Int]
Formula = Callable[[Inputs], dict[str, float]]


def gramacy() -> OutcomeProblem:
    """A line over a wavy region: two parameters, two constraints."""
    return _single("gramacy", {"x1": (0, 1), "x2": (0, 1)}, constrained.gramacy, 2, 0.599787921)


def gardner() -> OutcomeProblem:
    """Many small feasible regions: two parameters, one constraint."""
    box = {"x1": (0, 6), "x2": (0, 6)}
    return _single("gardner", box, constrained.gardner, 1, -1.888751361)


def pressure_vessel(*, plates: bool = False) -> OutcomeProblem:
    """Four parameters, four constraints. plates: thicknesses are whole sixteenths of an inch."""
    box: Sides = {"radius": (10, 200), "length": (10, 200)}
    if plates:
        box = {"shell": Int(1, 99), "head": Int(1, 99), **box}
        function = constrained.pressure_vessel_in_plates
        return _single("pressure-vessel-plates", box, function, 4, 6059.714335)
    box = {"shell": (0.0625, 6.1875), "head": (0.0625, 6.1875), **box}
    return _single("pressure-vessel", box, constrained.pressure_vessel, 4, 5885.332774)


def welded_beam() -> OutcomeProblem:
    """Four parameters, six constraints."""
    box = {"weld": (0.125, 10), "length": (0.1, 10), "height": (0.1, 10), "width": (0.1, 10)}
    return _single("welded-beam", box, constrained.welded_beam, 6, 1.724852309)


def tension_spring() -> OutcomeProblem:
    """Three parameters, four constraints whose values range over five orders of magnitude."""
    box = {"wire": (0.05, 2), "coil": (0.25, 1.3), "turns": (2, 15)}
    return _single("tension-spring", box, constrained.tension_spring, 4, 0.012665233)


def speed_reducer() -> OutcomeProblem:
    """Seven parameters, one of them whole, and eleven constraints."""
    box: Sides = {
        "face": (2.6, 3.6),
        "module": (0.7, 0.8),
        "teeth": Int(17, 28),
        "l1": (7.3, 8.3),
        "l2": (7.8, 8.3),
        "d1": (2.9, 3.9),
        "d2": (5.0, 5.5),
    }
    return _single("speed-reducer", box, constrained.speed_reducer, 11, 2996.348165)


def constrained_hartmann6() -> OutcomeProblem:
    """Six parameters within the unit ball, where the unconstrained minimum is."""
    function = constrained.constrained_hartmann6
    return _single("constrained-hartmann-6", _cube(6), function, 1, -3.322368011415515)


def branin_currin() -> OutcomeProblem:
    """Two parameters, two objectives."""
    return _front("branin-currin", _cube(2), fronts.branin_currin, (18.0, 6.0), 59.36011874867746)


def constrained_branin_currin() -> OutcomeProblem:
    """Two parameters within a disc, two objectives."""
    reference, best = (80.0, 12.0), 608.4004237022673
    function = fronts.constrained_branin_currin
    return _front("constrained-branin-currin", _cube(2), function, reference, best, constraints=1)


def zdt(number: int = 1, d: int = 6) -> OutcomeProblem:
    """ZDT1, 2 or 3 in d dimensions: the front lies on an edge of the cube."""
    volumes = {1: 120.0 + 2.0 / 3.0, 2: 120.0 + 1.0 / 3.0, 3: 128.77811613069076}
    if number not in volumes or d < 2:
        raise ModelError(
            f"zdt is here for numbers 1, 2 and 3 and d of at least 2, got {number!r}, {d!r}"
        )
    function, reference = partial(fronts.zdt, number), (11.0, 11.0)
    return _front(f"zdt{number}-{d}", _cube(d), function, reference, volumes[number])


def dtlz2(objectives: int = 2, d: int = 6) -> OutcomeProblem:
    """DTLZ2: the front is the part of the unit sphere with positive coordinates."""
    if not 2 <= objectives <= min(5, d):
        raise ModelError(f"objectives must be 2 to 5 and at most d = {d}, got {objectives!r}")
    ball = math.pi ** (objectives / 2) / math.gamma(objectives / 2 + 1) / 2**objectives
    reference = (1.1,) * objectives
    best = 1.1**objectives - ball
    function = partial(fronts.dtlz2, objectives)
    return _front(f"dtlz2-{objectives}-{d}", _cube(d), function, reference, best)


def c2_dtlz2(d: int = 6) -> OutcomeProblem:
    """DTLZ2 with two objectives of which three patches of the front are feasible."""
    reference, best = (1.1, 1.1), 0.3996406303723544
    function = partial(fronts.c2_dtlz2, 2, 0.2)
    return _front(f"c2-dtlz2-{d}", _cube(d), function, reference, best, constraints=1)


def vehicle_safety() -> OutcomeProblem:
    """Five parameters, three objectives."""
    reference = (1864.72022, 11.81993945, 0.2903999384)
    box = {f"x{i}": (1.0, 3.0) for i in range(1, 6)}
    return _front("vehicle-safety", box, fronts.vehicle_safety, reference, 246.81607081187002)


def car_side_impact() -> OutcomeProblem:
    """Seven parameters, four objectives of which the last is a total violation."""
    sides = [(0.5, 1.5), (0.45, 1.35), (0.5, 1.5), (0.5, 1.5), (0.875, 2.625), (0.4, 1.2)]
    box = {f"x{i}": side for i, side in enumerate([*sides, (0.4, 1.2)], start=1)}
    reference = (45.4872, 4.5114, 13.3394, 10.3942)
    return _front("car-side-impact", box, fronts.car_side_impact, reference, 484.72654347642793)


def penicillin() -> OutcomeProblem:
    """Seven parameters, three objectives; a simulation with sudden ends."""
    box = {
        "volume": (60.0, 120.0),
        "cells": (0.05, 18.0),
        "temperature": (293.0, 303.0),
        "sugar": (0.05, 18.0),
        "feed": (0.01, 0.5),
        "fed_sugar": (500.0, 700.0),
        "pH": (5.0, 6.5),
    }
    reference = (25.935, 57.612, 935.5)
    return _front("penicillin", box, fronts.penicillin, reference, 2183455.909507436)


def disc_brake() -> OutcomeProblem:
    """Four parameters, two objectives, four constraints."""
    box = {"inner": (55, 80), "outer": (75, 110), "force": (1000, 3000), "surfaces": (11, 20)}
    reference = (5.7771, 3.9651)
    best = 11.2191  # a fine grid of three parameters with the best force for each of its points
    return _front("disc-brake", box, fronts.disc_brake, reference, best, constraints=4)


def _single(
    name: str, box: Sides, function: Formula, constraints: int, optimum: float
) -> OutcomeProblem:
    names = _constraints(constraints)
    return OutcomeProblem(name, _space(box), function, ("cost",), names, optimum=optimum)


def _front(
    name: str,
    box: Sides,
    function: Formula,
    reference: tuple[float, ...],
    best: float,
    *,
    constraints: int = 0,
) -> OutcomeProblem:
    objectives = tuple(f"f{k + 1}" for k in range(len(reference)))
    names, space = _constraints(constraints), _space(box)
    return OutcomeProblem(name, space, function, objectives, names, None, reference, best)


def _space(box: Sides) -> Space:
    sides = box.items()
    return Space({name: Float(*side) if isinstance(side, tuple) else side for name, side in sides})


def _cube(d: int) -> dict[str, tuple[float, float]]:
    return {f"x{i + 1}": (0.0, 1.0) for i in range(d)}


def _constraints(n: int) -> tuple[str, ...]:
    return tuple(f"c{j + 1}" for j in range(n))


CONSTRAINED = (
    gramacy,
    gardner,
    pressure_vessel,
    welded_beam,
    tension_spring,
    speed_reducer,
    constrained_hartmann6,
)
FRONTS = (
    branin_currin,
    zdt,
    dtlz2,
    vehicle_safety,
    car_side_impact,
    penicillin,
    c2_dtlz2,
    disc_brake,
    constrained_branin_currin,
)
