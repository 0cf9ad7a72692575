"""Several objectives from the literature: each gives a dict of outcomes.

`f1`, `f2`, ... are to be minimised; the constraints `c1`, ... are satisfied where at most 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from pathmax.arrays import Array
from pathmax.experiments.emulation.formulas import Inputs, branin, vector

Outcomes = dict[str, float]


def named(objectives: Sequence[float] | Array, constraints: Sequence[float] = ()) -> Outcomes:
    """The outcomes under their names."""
    found = {f"f{k}": float(value) for k, value in enumerate(objectives, start=1)}
    return found | {f"c{j}": float(value) for j, value in enumerate(constraints, start=1)}


def branin_currin(params: Inputs) -> Outcomes:
    """Branin's and Currin's functions on the unit square (Belakaria et al., 2019)."""
    u, v = vector(params)
    valley = branin({"x": 15.0 * u - 5.0, "y": 15.0 * v})
    decay = 1.0 if v == 0.0 else 1.0 - math.exp(-0.5 / v)
    rise = 2300.0 * u**3 + 1900.0 * u**2 + 2092.0 * u + 60.0
    return named([valley, decay * rise / (100.0 * u**3 + 500.0 * u**2 + 4.0 * u + 20.0)])


def constrained_branin_currin(params: Inputs) -> Outcomes:
    """The same within a disc (Daulton et al., 2020)."""
    u, v = vector(params)
    disc = (15.0 * u - 5.0 - 2.5) ** 2 + (15.0 * v - 7.5) ** 2 - 50.0
    return branin_currin(params) | {"c1": disc}


def zdt(number: int, params: Inputs) -> Outcomes:
    """Zitzler, Deb and Thiele (2000): the front is an edge of the cube, all but x1 at 0.

    number: 1 convex, 2 concave, 3 in pieces.
    """
    x = vector(params)
    f1, g = float(x[0]), 1.0 + 9.0 * float(np.mean(x[1:]))
    ratio = f1 / g
    if number == 2:
        return named([f1, g * (1.0 - ratio**2)])
    wave = ratio * math.sin(10.0 * math.pi * f1) if number == 3 else 0.0
    return named([f1, g * (1.0 - math.sqrt(ratio) - wave)])


def dtlz2(objectives: int, params: Inputs) -> Outcomes:
    """Deb, Thiele, Laumanns and Zitzler (2002): the front is a part of the unit sphere."""
    return named(on_sphere(objectives, vector(params)))


def on_sphere(K: int, x: Array) -> Array:  # (d,) -> (K,)
    radius = 1.0 + float(np.sum((x[K - 1 :] - 0.5) ** 2))
    angle = 0.5 * math.pi * x[: K - 1]
    found = []
    for k in range(K):
        value = radius * float(np.prod(np.cos(angle[: K - 1 - k])))
        found.append(value * math.sin(angle[K - 1 - k]) if k else value)
    return np.array(found)


def c2_dtlz2(K: int, radius: float, params: Inputs) -> Outcomes:
    """DTLZ2 of which only some patches of the front are feasible (Jain and Deb, 2014).

    In the middle the squared radius is taken off for every objective, as by Daulton et al. (2020).
    """
    f, r2 = on_sphere(K, vector(params)), radius**2
    squares = float(np.sum(f**2 - r2))
    corners = min(float((f[k] - 1.0) ** 2 + squares - (f[k] ** 2 - r2)) for k in range(K))
    middle = float(np.sum((f - 1.0 / math.sqrt(K)) ** 2 - r2))
    return named(f, [min(corners, middle)])


def vehicle_safety(params: Inputs) -> Outcomes:
    """Mass, acceleration and intrusion of a car's front (Liao et al., 2008)."""
    a, b, c, d, e = vector(params)
    mass = 1640.2823 + 2.3573285 * a + 2.3220035 * b + 4.5688768 * c + 7.7213633 * d + 4.4559504 * e
    acceleration = (
        6.5856 + 1.15 * a - 1.0427 * b + 0.9738 * c + 0.8364 * d
        - 0.3695 * a * d + 0.0861 * a * e + 0.3628 * b * d
        - 0.1106 * a**2 - 0.3437 * c**2 + 0.1764 * d**2
    )  # fmt: skip
    intrusion = (
        -0.0551 + 0.0181 * a + 0.1024 * b + 0.0421 * c
        - 0.0073 * a * b + 0.024 * b * c - 0.0118 * b * d - 0.0204 * c * d - 0.008 * c * e
        - 0.0241 * b**2 + 0.0109 * d**2
    )  # fmt: skip
    return named([mass, acceleration, intrusion])


def car_side_impact(params: Inputs) -> Outcomes:
    """Weight, force, velocity and total violation (Jain and Deb, 2014; RE4-7-1 of Tanabe, 2020)."""
    a, b, c, d, e, f, g = vector(params)
    weight = 1.98 + 4.9 * a + 6.67 * b + 6.98 * c + 4.01 * d + 1.78 * e + 0.00001 * f + 2.73 * g
    force = 4.72 - 0.5 * d - 0.19 * b * c
    pillar = 10.58 - 0.674 * a * b - 0.67275 * b
    door = 16.45 - 0.489 * c * g - 0.843 * e * f
    slack = [
        1.0 - (1.16 - 0.3717 * b * d - 0.0092928 * c),
        0.32 - (0.261 - 0.0159 * a * b - 0.06486 * a - 0.019 * b * g + 0.0144 * c * e
                + 0.0154464 * f),
        0.32 - (0.214 + 0.00817 * e - 0.045195 * a - 0.0135168 * a + 0.03099 * b * f
                - 0.018 * b * g + 0.007176 * c + 0.023232 * c - 0.00364 * e * f - 0.018 * b**2),
        0.32 - (0.74 - 0.61 * b - 0.031296 * c - 0.031872 * g + 0.227 * b**2),
        32.0 - (28.98 + 3.818 * c - 4.2 * a * b + 1.27296 * f - 2.68065 * g),
        32.0 - (33.86 + 2.95 * c - 5.057 * a * b - 3.795 * b - 3.4431 * g + 1.45728),
        32.0 - (46.36 - 9.9 * b - 4.4505 * a),
        4.0 - force,
        9.9 - pillar,
        15.7 - door,
    ]  # fmt: skip
    violation = sum(max(0.0, -one) for one in slack)
    return named([weight, force, 0.5 * (pillar + door), violation])


def disc_brake(params: Inputs) -> Outcomes:
    """Mass and stopping time of a brake (Osyczka and Kundu, 1995; Ray and Liew, 2002)."""
    inner, outer, force, surfaces = vector(params)
    square, cube = outer**2 - inner**2, outer**3 - inner**3
    mass = 4.9e-5 * square * (surfaces - 1.0)
    time = 9.82e6 * square / (force * surfaces * cube)
    constraints = [
        20.0 - (outer - inner),
        force / (3.14 * square) - 0.4,
        2.22e-3 * force * cube / square**2 - 1.0,
        900.0 - 2.66e-2 * force * surfaces * cube / square,
    ]
    return named([mass, time], constraints)


def penicillin(params: Inputs) -> Outcomes:
    """Minus the yield, carbon dioxide and time of a fermentation (Liang and Lai, 2021).

    A fed batch in steps of an hour until the vessel is full, the sugar used up, or the yield stays.
    """
    volume, cells, temperature, sugar, feed, fed_sugar, acidity = vector(params)
    protons = 10.0**-acidity
    product, gas = 0.0, 0.0
    lost = 2.5e-4 * math.expm1(5.0 * (temperature - 373.0) / (273.0 - 373.0))
    gas_constant = 1.9872
    heat = 7.0e3 * math.exp(-5100.0 / (gas_constant * temperature))
    heat -= 1e33 * math.exp(-50_000.0 / (gas_constant * temperature))
    pace = 0.092 / (1.0 + 1e-10 / protons + protons / 7e-5) * heat
    hours = 2500
    for hour in range(1, 2501):
        flow = feed - volume * lost
        growth = pace * sugar / (0.15 * cells + sugar)
        making = 0.005 * sugar / (0.0002 + sugar + sugar**2 / 0.10)
        d_cells = growth * cells - cells / volume * flow
        d_sugar = (
            -(growth / 0.45 + making / 0.90 + 0.014) * cells
            + feed * fed_sugar / volume
            - sugar / volume * flow
        )
        d_product = making * cells - 0.04 * product - product / volume * flow
        d_gas = 0.143 * d_cells + 4e-7 * cells + 1e-4
        product, volume, cells = product + d_product, volume + flow, cells + d_cells
        sugar, gas = sugar + d_sugar, gas + d_gas
        if volume > 180.0 or sugar < 0.0 or d_product < 1e-11:
            hours = hour
            break
    return named([-product, gas, float(hours)])
