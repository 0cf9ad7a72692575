"""Objectives with constraints from the literature: each gives a dict of outcomes.

`cost` is to be minimised, and the constraints `c1`, `c2`, ... are satisfied where they are at most
0, as the sources write them. Units are theirs: values of constraints differ by orders of magnitude.
"""

from __future__ import annotations

import math

import numpy as np

from pathmax.experiments.emulation.formulas import Inputs, hartmann6, vector
from pathmax.experiments.emulation.front_formulas import Outcomes


def with_constraints(cost: float, *constraints: float) -> Outcomes:
    """The outcomes under their names."""
    named = {f"c{j}": float(value) for j, value in enumerate(constraints, start=1)}
    return {"cost": float(cost), **named}


def gramacy(params: Inputs) -> Outcomes:
    """Gramacy et al. (2016), "Modeling an augmented Lagrangian for blackbox optimization"."""
    x, y = vector(params)
    wave = 1.5 - x - 2.0 * y - 0.5 * math.sin(2.0 * math.pi * (x * x - 2.0 * y))
    return with_constraints(x + y, wave, x * x + y * y - 1.5)


def gardner(params: Inputs) -> Outcomes:
    """After Gardner et al. (2014), with a bound that cuts off the unconstrained minimum."""
    x, y = vector(params)
    cost = math.cos(2.0 * x) * math.cos(y) + math.sin(x)
    return with_constraints(cost, math.cos(x) * math.cos(y) - math.sin(x) * math.sin(y) + 0.5)


def pressure_vessel(params: Inputs) -> Outcomes:
    """Cost of a vessel with hemispherical heads (Sandgren, 1990; Coello, 2002)."""
    shell, head, radius, length = vector(params)
    cost = (
        0.6224 * shell * radius * length
        + 1.7781 * head * radius**2
        + 3.1661 * shell**2 * length
        + 19.84 * shell**2 * radius
    )
    volume = math.pi * radius**2 * length + 4.0 / 3.0 * math.pi * radius**3
    return with_constraints(
        cost,
        0.0193 * radius - shell,
        0.00954 * radius - head,
        1_296_000.0 - volume,
        length - 240.0,
    )


def pressure_vessel_in_plates(params: Inputs) -> Outcomes:
    """The same with thicknesses in sixteenths of an inch, as plates are sold."""
    shell, head, radius, length = vector(params)
    sizes = {"shell": 0.0625 * shell, "head": 0.0625 * head, "radius": radius, "length": length}
    return pressure_vessel(sizes)


LOAD, OVERHANG, YOUNG, SHEAR = 6000.0, 14.0, 30e6, 12e6  # pounds, inches, pounds a square inch


def welded_beam(params: Inputs) -> Outcomes:
    """Cost of a beam welded to a wall (Rao, 1996; as given by Coello, 2000)."""
    h, l, t, b = vector(params)  # noqa: E741  thickness and length of the weld, height and width
    reach = math.sqrt(0.25 * l * l + 0.25 * (h + t) ** 2)
    inertia = 2.0 * math.sqrt(2.0) * h * l * (l * l / 12.0 + 0.25 * (h + t) ** 2)
    primary = LOAD / (math.sqrt(2.0) * h * l)
    torsion = LOAD * (OVERHANG + 0.5 * l) * reach / inertia
    stress = math.sqrt(primary**2 + primary * torsion * l / reach + torsion**2)
    bending = 6.0 * LOAD * OVERHANG / (b * t * t)
    deflection = 4.0 * LOAD * OVERHANG**3 / (YOUNG * t**3 * b)
    slender = 1.0 - t / (2.0 * OVERHANG) * math.sqrt(YOUNG / (4.0 * SHEAR))
    buckling = 4.013 * YOUNG * t * b**3 / (6.0 * OVERHANG**2) * slender
    return with_constraints(
        1.10471 * h * h * l + 0.04811 * t * b * (14.0 + l),
        stress - 13_600.0,
        bending - 30_000.0,
        h - b,
        0.10471 * h * h + 0.04811 * t * b * (14.0 + l) - 5.0,
        deflection - 0.25,
        LOAD - buckling,
    )


def tension_spring(params: Inputs) -> Outcomes:
    """Weight of a spring (Belegundu, 1982; Arora, 1989)."""
    wire, coil, turns = vector(params)
    bend = (4.0 * coil**2 - wire * coil) / (12_566.0 * (coil * wire**3 - wire**4))
    return with_constraints(
        (turns + 2.0) * coil * wire**2,
        1.0 - coil**3 * turns / (71_785.0 * wire**4),
        bend + 1.0 / (5108.0 * wire**2) - 1.0,
        1.0 - 140.45 * wire / (coil**2 * turns),
        (wire + coil) / 1.5 - 1.0,
    )


def speed_reducer(params: Inputs) -> Outcomes:
    """Weight of a gearbox (Golinski, 1973)."""
    face, module, teeth, l1, l2, d1, d2 = vector(params)
    cost = (
        0.7854 * face * module**2 * (3.3333 * teeth**2 + 14.9334 * teeth - 43.0934)
        - 1.508 * face * (d1**2 + d2**2)
        + 7.4777 * (d1**3 + d2**3)
        + 0.7854 * (l1 * d1**2 + l2 * d2**2)
    )
    first = math.sqrt((745.0 * l1 / (module * teeth)) ** 2 + 16.9e6)
    second = math.sqrt((745.0 * l2 / (module * teeth)) ** 2 + 157.5e6)
    return with_constraints(
        cost,
        27.0 / (face * module**2 * teeth) - 1.0,
        397.5 / (face * module**2 * teeth**2) - 1.0,
        1.93 * l1**3 / (module * teeth * d1**4) - 1.0,
        1.93 * l2**3 / (module * teeth * d2**4) - 1.0,
        first / (110.0 * d1**3) - 1.0,
        second / (85.0 * d2**3) - 1.0,
        module * teeth / 40.0 - 1.0,
        5.0 * module / face - 1.0,
        face / (12.0 * module) - 1.0,
        (1.5 * d1 + 1.9) / l1 - 1.0,
        (1.1 * d2 + 1.9) / l2 - 1.0,
    )


def constrained_hartmann6(params: Inputs) -> Outcomes:
    """Hartmann's function within the unit ball (Letham et al., 2019)."""
    return with_constraints(hartmann6(params), float(np.linalg.norm(vector(params))) - 1.0)
