"""Hypothesis strategies: spaces of every sort, with names as people give them."""

import math
import sys
import unicodedata

import numpy as np
from hypothesis import strategies as st

from pathmax.space.parameters import Categorical, Float, Int
from pathmax.space.space import Space

ODD_NAMES = [
    "temperature",
    "reaction time (min)",
    'it\'s "quoted"',
    "T [°C]",
    "Температура",
    "触媒",
    "🧪 yield",
    "<b>bold</b><script>alert(1)</script>",
    "a.b/c\\d",
    "'; DROP TABLE trials; --",
    "=1+1",
    "{name}",
    "%s",
    "line\nbreak",
    "__class__",
]

names = st.sampled_from(ODD_NAMES) | st.text(
    st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12
).filter(lambda name: name.strip())

finite = st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def floats(draw: st.DrawFn) -> Float:
    """Any Float that a space accepts: tiny, huge, narrow, wide, of both signs, logarithmic."""
    if draw(st.booleans()):
        positive = st.floats(sys.float_info.min, sys.float_info.max)
        low, high = sorted(draw(st.tuples(positive, positive)))
        log = math.isfinite(high / low)
    else:
        low, high = sorted(draw(st.tuples(finite, finite)))
        log = False
    if low == high:
        high = math.nextafter(low, math.inf)
    if not math.isfinite(high) or not math.isfinite(high - low):
        low, high = -1.0, 1.0
        log = False
    return Float(low, high, log)


@st.composite
def ints(draw: st.DrawFn) -> Int:
    """Any Int that a space accepts."""
    if draw(st.booleans()):
        low = draw(st.integers(1, 2**40 - 1))
        return Int(
            low, draw(st.integers(low + 1, min(2**40, low + 10 ** draw(st.integers(1, 12))))), True
        )
    low = draw(st.integers(-(10**20), 10**20))
    if draw(st.booleans()):
        step = draw(st.integers(1, 2**20))
        return Int(low, low + step * draw(st.integers(1, 2**30)), step=step)
    return Int(low, low + draw(st.integers(1, 2**50)))


@st.composite
def stepped_floats(draw: st.DrawFn) -> Float:
    """Any Float with a step as people write one: 0.1, 2.5, 250."""
    step = draw(st.integers(1, 999)) * 10.0 ** draw(st.integers(-6, 6))
    low = draw(st.integers(-1000, 1000)) * step
    return Float(low, low + draw(st.integers(1, 10**5)) * step, step=step)


@st.composite
def listed_numbers(draw: st.DrawFn) -> Float | Int:
    """Numbers of a list: as they are given, by digits, or by steps on a logarithmic scale."""
    kind = draw(st.sampled_from([Float, Int]))
    if draw(st.booleans()):
        whole = st.lists(st.integers(1, 10**6), min_size=2, max_size=6, unique=True)
        unit = 1 if kind is Int else 10.0 ** draw(st.integers(-9, 3))
        values = [number * unit for number in draw(whole)]
        return kind(values=values, log=draw(st.booleans()))
    low = draw(st.integers(1, 999))
    if draw(st.booleans()):
        high = low + draw(st.integers(1, 10**5))
        return kind(low, high, log=True, digits=draw(st.integers(1, 3)))
    step = draw(st.integers(1, 50))
    return kind(low, low + step * draw(st.integers(1, 500)), log=True, step=step)


scalars = (
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
    | st.integers(-(10**6), 10**6)
    | finite
    | st.booleans()
    | st.none()
)
# 0 == False and 1 == True: choices must differ as Python sees it.
categoricals = st.lists(scalars, min_size=1, max_size=6, unique=True).map(Categorical)

parameters = floats() | stepped_floats() | listed_numbers() | ints() | categoricals


def _distinct(definition: dict[str, object]) -> bool:
    return len({unicodedata.normalize("NFC", name).strip() for name in definition}) == len(
        definition
    )


@st.composite
def spaces(draw: st.DrawFn) -> Space:
    """Any space of one to five searched parameters, with or without fixed values."""
    searched = draw(st.dictionaries(names, parameters, min_size=1, max_size=5).filter(_distinct))
    fixed = draw(st.dictionaries(names, scalars, max_size=2))
    definition = {**fixed, **searched}
    return Space(definition if _distinct(definition) else searched)


@st.composite
def spaces_with_points(draw: st.DrawFn) -> tuple[Space, np.ndarray]:
    """A space and a point somewhere in its cube, the corners and a little outside included."""
    space = draw(spaces())
    unit = st.floats(-0.1, 1.1) | st.sampled_from([0.0, 1.0, 0.5, 1e-17, 1.0 - 2.0**-53])
    point = []
    for axis in space.axes:
        most = len(axis.values) - 1 if axis.kind == "categorical" else 1
        point.append(draw(unit) * max(most, 1))
    return space, np.array(point)
