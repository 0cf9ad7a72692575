"""Numbers to set by hand stay inside the bounds, near what was meant, and are found again."""

from hypothesis import given
from hypothesis import strategies as st

from pathmax import Categorical, Float, Int, Space
from pathmax.workspace.rounding import agree, rounded

SPACE = Space(
    {
        "t": Float(20, 120),
        "rate": Float(1e-5, 1e-1, log=True),
        "narrow": Float(1000.00001, 1000.00009),
        "n": Int(1, 8),
        "s": Categorical(["a", 1.23456789]),
    }
)


def test_four_digits_of_the_range() -> None:
    params = {"t": 73.48291, "rate": 0.00123456, "narrow": 1000.0000512345, "n": 3, "s": 1.23456789}
    shown = {"t": 73.48, "rate": 0.001235, "narrow": 1000.000051235, "n": 3, "s": 1.23456789}
    assert rounded(SPACE, params) == shown


@st.composite
def floats(draw: st.DrawFn) -> tuple[Float, float]:
    log = draw(st.booleans())
    bounds = st.floats(1e-9 if log else -1e9, 1e9)
    low, high = sorted(draw(st.tuples(bounds, bounds).filter(lambda pair: pair[0] != pair[1])))
    return Float(low, high, log=log), draw(st.floats(0, 1))


@given(floats())
def test_rounding_stays_inside_and_close(drawn: tuple[Float, float]) -> None:
    parameter, u = drawn
    space = Space({"x": parameter})
    params = space.decode([u])
    near = rounded(space, params)
    assert space.validate(near) == near
    step = params["x"] if parameter.log else parameter.high - parameter.low
    assert abs(near["x"] - params["x"]) <= 1.001e-3 * abs(step)
    assert agree(space, params, near) and agree(space, params, params)
    assert rounded(space, near) == near or agree(space, near, rounded(space, near))


def test_what_was_run_otherwise_is_not_alike() -> None:
    space = Space({"t": Float(20, 120)})
    assert agree(space, {"t": 73.48291}, {"t": 73.48})
    assert not agree(space, {"t": 73.48291}, {"t": 75.0})


def test_rounded_params_still_obey_what_is_known() -> None:
    space = Space(
        {"a": Float(0, 10), "b": Float(0, 10), "c": Float(1, 100, log=True)},
        ["a + b <= 10", "a + c == 20"],
    )
    exact = {"a": 3.12346, "b": 6.87654, "c": 16.87654}
    near = rounded(space, exact)
    assert not space.where.broken(near) and agree(space, exact, near)
    assert near != {"a": 3.1235, "b": 6.8765, "c": 16.88}  # which would not add up to 20
    assert max(len(repr(value)) for value in near.values()) < 10
