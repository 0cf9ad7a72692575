"""Problems with bounds or several objectives on which nothing in pathmax was chosen or looked at.

None is on the list of `benchmarks.outcomes`, among `own_fronts` or in `bounded_outcomes`. Formulas
take many points at a time, (m, d) -> objectives (m, K), all minimised, and constraints (m, J) that
are met at values of at most 0, or of an equality within a tolerance. The g-functions are those of
Liang et al. (2006, CEC), CRE those of Tanabe and Ishibuchi (2020).
"""

from __future__ import annotations

import numpy as np

from benchmarks.own_fronts import bounded, free
from pathmax.arrays import Array

Values = tuple[Array, Array]


def g04(X: Array) -> Values:
    """Himmelblau (1972): three quantities, each within two bounds."""
    a, b, c, d, e = X.T
    u = 85.334407 + 0.0056858 * b * e + 0.0006262 * a * d - 0.0022053 * c * e
    v = 80.51249 + 0.0071317 * b * e + 0.0029955 * a * b + 0.0021813 * c * c
    w = 9.300961 + 0.0047026 * c * e + 0.0012547 * a * c + 0.0019085 * c * d
    f = 5.3578547 * c * c + 0.8356891 * a * e + 37.293239 * a - 40792.141
    return bounded([f], [u - 92, -u, v - 110, 90 - v, w - 25, 20 - w])


def g07(X: Array) -> Values:
    a, b, c, d, e, f, g, h, i, j = X.T
    cost = a**2 + b**2 + a * b - 14 * a - 16 * b + (c - 10) ** 2 + 4 * (d - 5) ** 2 + (e - 3) ** 2
    cost += 2 * (f - 1) ** 2 + 5 * g**2 + 7 * (h - 11) ** 2 + 2 * (i - 10) ** 2 + (j - 7) ** 2 + 45
    kept = [
        4 * a + 5 * b - 3 * g + 9 * h - 105,
        10 * a - 8 * b - 17 * g + 2 * h,
        -8 * a + 2 * b + 5 * i - 2 * j - 12,
        3 * (a - 2) ** 2 + 4 * (b - 3) ** 2 + 2 * c**2 - 7 * d - 120,
        5 * a**2 + 8 * b + (c - 6) ** 2 - 2 * d - 40,
        a**2 + 2 * (b - 2) ** 2 - 2 * a * b + 14 * e - 6 * f,
        0.5 * (a - 8) ** 2 + 2 * (b - 4) ** 2 + 3 * e**2 - f - 30,
        -3 * a + 6 * b + 12 * (i - 8) ** 2 - 7 * j,
    ]
    return bounded([cost], kept)


def g09(X: Array) -> Values:
    a, b, c, d, e, f, g = X.T
    cost = (a - 10) ** 2 + 5 * (b - 12) ** 2 + c**4 + 3 * (d - 11) ** 2 + 10 * e**6 + 7 * f**2
    cost += g**4 - 4 * f * g - 10 * f - 8 * g
    kept = [
        2 * a**2 + 3 * b**4 + c + 4 * d**2 + 5 * e - 127,
        7 * a + 3 * b + 10 * c**2 + d - e - 282,
        23 * a + b**2 + 6 * f**2 - 8 * g - 196,
        4 * a**2 + b**2 - 3 * a * b + 2 * c**2 + 5 * f - 11 * g,
    ]
    return bounded([cost], kept)


def g10(X: Array) -> Values:
    """Three heat exchangers (Avriel and Williams, 1971): one point of 100,000 is feasible."""
    a, b, c, d, e, f, g, h = X.T
    kept = [
        0.0025 * (d + f) - 1,
        0.0025 * (e + g - d) - 1,
        0.01 * (h - e) - 1,
        -a * f + 833.33252 * d + 100 * a - 83333.333,
        -b * g + 1250 * e + b * d - 1250 * d,
        -c * h + 1250000 + c * e - 2500 * e,
    ]
    return bounded([a + b + c], kept)


def g11(X: Array) -> Values:
    x, y = X.T
    return bounded([x**2 + (y - 1) ** 2], [y - x**2])


def g13(X: Array) -> Values:
    """Three equalities in five parameters."""
    a, b, c, d, e = X.T
    kept = [(X**2).sum(axis=1) - 10, b * c - 5 * d * e, a**3 + b**3 + 1]
    return bounded([np.exp(a * b * c * d * e)], kept)


def g24(X: Array) -> Values:
    x, y = X.T
    first = -2 * x**4 + 8 * x**3 - 8 * x**2 + y - 2
    return bounded([-x - y], [first, -4 * x**4 + 32 * x**3 - 88 * x**2 + 96 * x + y - 36])


def bird(X: Array) -> Values:
    """Mishra (2006), within a disc."""
    x, y = X.T
    cost = np.sin(y) * np.exp((1 - np.cos(x)) ** 2) + np.cos(x) * np.exp((1 - np.sin(y)) ** 2)
    return bounded([cost + (x - y) ** 2], [(x + 5) ** 2 + (y + 5) ** 2 - 25])


def townsend(X: Array) -> Values:
    """Townsend (2014), within a heart."""
    x, y = X.T
    t = np.arctan2(x, y)
    side = 2 * np.cos(t) - 0.5 * np.cos(2 * t) - 0.25 * np.cos(3 * t) - 0.125 * np.cos(4 * t)
    cost = -(np.cos((x - 0.1) * y) ** 2) - x * np.sin(3 * x + y)
    return bounded([cost], [x**2 + y**2 - side**2 - (2 * np.sin(t)) ** 2])


def rosenbrock(X: Array) -> Values:
    """Rosenbrock's valley between a cubic and a line (Simionescu and Beale, 2002)."""
    x, y = X.T
    return bounded([(1 - x) ** 2 + 100 * (y - x**2) ** 2], [(x - 1) ** 3 - y + 1, x + y - 2])


def mystery(X: Array) -> Values:
    """Sasena (2002)."""
    x, y = X.T
    cost = 2 + 0.01 * (y - x**2) ** 2 + (1 - x) ** 2 + 2 * (2 - y) ** 2
    cost += 7 * np.sin(0.5 * x) * np.sin(0.7 * x * y)
    return bounded([cost], [-np.sin(x - y - np.pi / 8)])


def gas(X: Array) -> Values:
    """A compressor of a gas pipeline (Beightler and Phillips, 1976)."""
    a, b, c, d = X.T
    cost = 8.61e5 * np.sqrt(a / d) * b * c ** (-2 / 3) + 3.69e4 * c
    cost += 7.72e8 * b**0.219 / a - 765.43e6 / a
    return bounded([cost], [(d + 1) / b**2 - 1])


BARS = (6.0, 6.16, 6.32, 6.6, 7.0, 7.11, 7.2, 7.8, 7.9, 8.0, 8.4)  # square inches of steel


def concrete(X: Array) -> Values:
    """A beam of reinforced concrete (Amir and Hasegawa, 1989): which bars, depth, width."""
    steel = np.array(BARS)[X[:, 0].astype(int)]
    depth, width = X[:, 1], X[:, 2]
    strength = 180 + 7.375 * steel**2 / width - steel * depth
    return bounded([29.4 * steel + 0.6 * depth * width], [depth / width - 4, strength])


def clutch(X: Array) -> Values:
    """A brake of several discs (Osyczka, 2002; as by Rao et al., 2011), in N, mm and kg."""
    inner, outer, half, tens, discs = X.T  # thickness in halves of a millimetre, force in 10 N
    t, force, speed = 0.5 * half, 10 * tens, np.pi * 250 / 30
    area = np.pi * (outer**2 - inner**2)
    lever = 2 / 3 * (outer**3 - inner**3) / (outer**2 - inner**2)
    slip, pressure = lever * speed / 1000, force / area
    torque = 0.5 * force * discs * lever / 1000
    stop = 55 * speed / (torque + 3)
    kept = [inner + 20 - outer, (discs + 1) * (t + 0.5) - 30, pressure - 1, pressure * slip - 10,
            slip - 10, stop - 15, 60 - torque, -stop]  # fmt: skip
    return bounded([area * t * (discs + 1) * 7.8e-6], kept)


def constr(X: Array) -> Values:
    """Deb et al. (2002)."""
    x, y = X.T
    return bounded([x, (1 + y) / x], [6 - y - 9 * x, 1 + y - 9 * x])


def kita(X: Array) -> Values:
    """Kita et al. (1996)."""
    x, y = X.T
    kept = [x / 6 + y - 6.5, x / 2 + y - 7.5, 5 * x + y - 30]
    return bounded([x**2 - y, -x / 2 - y - 1], kept)


def viennet4(X: Array) -> Values:
    """Viennet et al. (1996), under lines."""
    x, y = X.T
    f = [
        (x - 2) ** 2 / 2 + (y + 1) ** 2 / 13 + 3,
        (x + y - 3) ** 2 / 175 + (2 * y - x) ** 2 / 17 - 13,
        (3 * x - 2 * y + 4) ** 2 / 8 + (x - y + 1) ** 2 / 27 + 15,
    ]
    return bounded(f, [y + 4 * x - 4, -1 - x, x - 2 - y])


def two_bars(X: Array) -> Values:
    """Two bars (Palli et al., 1999): cubic metres of 1e-6 to 0.07, pascals of 1e7 to 1e11."""
    a, b, y = X.T
    first, second = np.sqrt(16 + y**2), np.sqrt(1 + y**2)
    stress = 1e3 * np.maximum(20 * first / (y * a), 80 * second / (y * b))
    return bounded([a * first + b * second, stress], [stress - 1e8])


def welded(X: Array) -> Values:
    """CRE22: a welded beam, its cost and how far it bends."""
    h, l, t, b = X.T  # noqa: E741
    quarter = ((h + t) / 2) ** 2
    reach = np.sqrt(l**2 / 4 + quarter)
    inertia = 2 * np.sqrt(2) * h * l * (l**2 / 12 + quarter)
    torsion, primary = 6000 * (14 + l / 2) * reach / inertia, 6000 / (np.sqrt(2) * h * l)
    shear = np.sqrt(primary**2 + primary * torsion * l / reach + torsion**2)
    buckling = 4.013 * 30e6 * t * b**3 / (6 * 14**2) * (1 - t / 28 * np.sqrt(30e6 / 48e6))
    f = [1.10471 * h**2 * l + 0.04811 * t * b * (14 + l), 4 * 6000 * 14**3 / (30e6 * b * t**3)]
    return bounded(f, [shear - 13600, 6 * 6000 * 14 / (b * t**2) - 30000, h - b, 6000 - buckling])


def gears(X: Array) -> Values:
    """CRE25: the teeth of four gears."""
    a, b, c, d = X.T
    error = np.abs(6.931 - c / a * d / b)
    return bounded([error, X.max(axis=1)], [error / 6.931 - 0.5])


def marine(X: Array) -> Values:
    """CRE32: a bulk carrier; nine bounds, three objectives of 10, 1e4 and 1e6."""
    L, B, D, T, V, CB = X.T
    displacement = 1.025 * L * B * T * CB
    froude = 0.5144 * V / np.sqrt(9.8065 * L)
    slope = -10847.2 * CB**2 + 12817 * CB - 6960.32
    power = displacement ** (2 / 3) * V**3
    power /= 4977.06 * CB**2 - 8105.61 * CB + 4456.51 + slope * froude
    outfit = L**0.8 * B**0.6 * D**0.3 * CB**0.1
    steel = 0.034 * L**1.7 * B**0.7 * D**0.4 * CB**0.5
    light = steel + outfit + 0.17 * power**0.9
    dead = displacement - light
    sea_days, daily = 5000 / 24 * V, 0.19 * power * 24 / 1000 + 0.2
    cargo = dead - daily * (sea_days + 5) - 2 * np.sqrt(dead)
    trips = 350 / (sea_days + 2 * (cargo / 8000 + 0.5))
    capital = 0.2 * 1.3 * (2000 * steel**0.85 + 3500 * outfit + 2400 * power**0.8)
    voyages = (1.05 * daily * sea_days * 100 + 6.3 * dead**0.8) * trips
    yearly = cargo * trips
    stable = 0.53 * T + (0.085 * CB - 0.002) * B**2 / (T * CB) - 1 - 0.52 * D - 0.07 * B
    kept = [6 - L / B, L / D - 15, L / T - 19, T - 0.45 * dead**0.31, T - 0.7 * D - 0.7,
            dead - 5e5, 3000 - dead, froude - 0.32, -stable]  # fmt: skip
    return bounded([(capital + 40000 * dead**0.3 + voyages) / yearly, light, -yearly], kept)


def cantilever(X: Array) -> Values:
    """Deb (2001): a rod under a load of 1 kN, in kg, m and Pa."""
    d, l = X.T / 1000  # noqa: E741
    weight, bend = 7800 * np.pi * d**2 / 4 * l, 64 * 1000 * l**3 / (3 * 207e9 * np.pi * d**4)
    return bounded([weight, bend], [32 * 1000 * l / (np.pi * d**3) - 300e6, bend - 0.005])


def snar(X: Array) -> Values:
    """An aromatic substitution in a tube (Hone et al., 2017; Felton et al., 2021): kilograms a
    cubic metre and hour, negative, and grams of waste for each gram."""
    time, ratio, start, celsius = X.T
    warm = (1 / (celsius + 273.71) - 1 / (90 + 273.71)) / 8.314e-3
    rates = [0.6 * k * np.exp(-E * warm)
             for k, E in ((57.9, 33.3), (2.70, 35.3), (0.865, 38.9), (1.63, 44.8))]  # fmt: skip

    def change(C: Array) -> Array:
        a, b, c, d = (rate * C[i] * C[1] for rate, i in zip(rates, (0, 0, 2, 3), strict=True))
        return np.stack([-a - b, -a - b - c - d, a - c, b - d, c + d])

    C, step = np.stack([start, ratio * start, *np.zeros((3, len(X)))]), time / 200
    for _ in range(200):
        one = change(C)
        two = change(C + step / 2 * one)
        three = change(C + step / 2 * two)
        C = C + step / 6 * (one + 2 * two + 2 * three + change(C + step * three))
    masses = np.array([159.09, 71.12, 210.21, 210.21, 261.33]) / 1000
    product = masses[2] * C[2]
    return free(-6e4 * product / time, (0.789 + masses @ C - product) / product)


def curved(X: Array) -> Values:
    """UF1 (Zhang et al., 2009): the front's points lie on a wave through the space."""
    n = X.shape[1]
    j = np.arange(2, n + 1)
    far = (X[:, 1:] - np.sin(6 * np.pi * X[:, :1] + j * np.pi / n)) ** 2
    odd, even = far[:, j % 2 == 1].mean(axis=1), far[:, j % 2 == 0].mean(axis=1)
    return free(X[:, 0] + 2 * odd, 1 - np.sqrt(X[:, 0]) + 2 * even)


def comet(X: Array) -> Values:
    """Deb et al. (2001): a front that is broad at one end and narrow at the other."""
    x, y, g = X.T
    body = x**3 * y**2 - 10 * x
    return free((1 + g) * (body - 4 * y), (1 + g) * (body + 4 * y), 3 * (1 + g) * x**2)
