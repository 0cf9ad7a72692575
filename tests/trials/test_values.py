"""Values on their way in and out: read from anything, flipped, standardised at any scale."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathmax.errors import OutcomeError, SettingsError
from pathmax.trials.goals import sign_of
from pathmax.trials.value_transform import (
    ValueTransform,
    constant,
    standardise,
    standardise_about,
    standardise_by_better,
)
from pathmax.trials.values import defect, read_noise, read_value


@pytest.mark.parametrize(
    ("told", "value"),
    [
        (71, 71.0),
        (np.float32(0.5), 0.5),
        (np.int64(3), 3.0),
        (np.array(2.5), 2.5),
        (np.array([2.5]), 2.5),
        (np.array([[2.5]]), 2.5),
        (Decimal("71.3"), 71.3),
        (Fraction(1, 4), 0.25),
        (True, 1.0),
        (np.bool_(False), 0.0),
        ("71.3", 71.3),
        (" 1e-3 ", 1e-3),
        (10**400, math.inf),
        (-(10**400), -math.inf),
    ],
    ids=repr,
)
def test_whatever_stands_for_a_number_is_read(told: object, value: float):
    assert read_value(told) == value
    assert type(read_value(told)) is float


@pytest.mark.parametrize(
    "told", [None, "71,3", "high", [1.0], {"a": 1}, 1 + 2j, np.ones(3), object], ids=repr
)
def test_what_is_no_number_is_refused_with_what_came_and_what_to_do(told: object):
    with pytest.raises(OutcomeError, match=r"a value must be one number, got .*; (tell|return)"):
        read_value(told)


def test_a_defect_is_a_sentence():
    assert defect(1.0) is None
    assert "NaN" in str(defect(math.nan))
    assert "+infinity" in str(defect(math.inf))
    assert "-infinity" in str(defect(-math.inf))


def test_noise_is_a_variance():
    assert read_noise(None) is None
    assert read_noise(Decimal("0.25")) == 0.25
    for wrong in (-1.0, math.nan, math.inf):
        with pytest.raises(OutcomeError, match="noise is the variance"):
            read_noise(wrong)


@pytest.mark.parametrize("size", [1e-300, 1e-9, 1.0, 1e9, 1e300])
@pytest.mark.parametrize("direction", ["maximize", "minimize"])
def test_standardised_values_have_mean_0_and_std_1_at_any_size(direction: str, size: float):
    values = size * np.array([1.0, 2.0, 4.0, -1.0])
    transform = standardise(sign_of(direction), values)
    y = transform.inward(values)
    assert y.mean() == pytest.approx(0.0, abs=1e-12)
    assert y.std() == pytest.approx(1.0)
    best = np.argmax(values) if direction == "maximize" else np.argmin(values)
    assert np.argmax(y) == best
    assert transform.outward(y) == pytest.approx(values, rel=1e-9, abs=1e-12 * size)
    above, below = transform.outward(y + 0.1), transform.outward(y - 0.1)
    assert transform.spread(y, 0.1) == pytest.approx(np.abs(above - below) / 2, rel=1e-9)
    assert (
        transform.variance_inward((0.1 * size) ** 2 if size < 1e100 else 0.0, values) < 1.0
    ).all()


@pytest.mark.parametrize("values", [[0.0], [3.0], [1e300, 1e300], [5.0] * 9, [1e-320] * 2, []])
def test_equal_values_divide_nothing_by_zero(values: list[float]):
    transform = standardise(1.0, values)
    assert constant(values)
    assert np.abs(transform.inward(values)).max(initial=0.0) < 1e-9
    assert transform.scale > 0


def test_values_of_all_scales_at_once_stay_finite():
    values = [1e-300, 1.0, -1e300, 1.7e308, -1.7e308]
    transform = standardise(1.0, values)
    assert np.isfinite(transform.inward(values)).all()
    assert np.isfinite(transform.outward([-50.0, 50.0])).all()
    assert np.isfinite(ValueTransform(1.0, 0.0, 1e-300).inward([1e300])).all()


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=8))
def test_every_finite_value_survives(values: list[float]):
    transform = standardise(-1.0, values)
    y = transform.inward(values)
    assert np.isfinite(y).all()
    assert np.isfinite(transform.outward(y)).all()
    assert ValueTransform.from_json(transform.to_json()) == transform


def test_skewed_values_are_bent_and_symmetric_ones_are_not():
    symmetric = np.array([-3.0, -1.0, -0.5, 0.0, 0.5, 1.0, 3.0])
    assert standardise(1.0, symmetric).power == pytest.approx(1.0, abs=0.1)
    exploding = 10.0 ** np.arange(8)  # a loss over many orders of magnitude
    transform = standardise(-1.0, exploding)
    assert transform.power > 1.5
    y = transform.inward(exploding)
    assert y.mean() == pytest.approx(0.0, abs=1e-9) and y.std() == pytest.approx(1.0)
    assert (np.diff(y) < 0).all()
    # far worse than anything seen, and back
    assert transform.outward(transform.inward([1e12])) == pytest.approx([1e12], rel=1e-6)
    assert np.isfinite(transform.outward([-30.0, 30.0])).all()


def test_noise_is_bent_with_the_values():
    exploding = 10.0 ** np.arange(8)
    transform = standardise(-1.0, exploding)
    noise = 1e-8 * exploding**2
    step = np.sqrt(noise)
    expected = ((transform.inward(exploding + step) - transform.inward(exploding - step)) / 2) ** 2
    inner = slice(0, -1)  # at the worst value the slope has a kink
    found = transform.variance_inward(noise, exploding)
    np.testing.assert_allclose(found[inner], expected[inner], rtol=1e-3)


def test_a_direction_is_one_of_two():
    with pytest.raises(SettingsError, match='"maximize" or "minimize", got \'up\''):
        sign_of("up")


@pytest.mark.parametrize("masked", [np.ma.masked, np.ma.array([3.0], mask=[True])])
def test_a_masked_value_is_no_value(masked):
    with pytest.raises(OutcomeError, match="masked"):
        read_value(masked)
    assert read_value(np.ma.array([3.0], mask=[False])) == 3.0


def test_numbers_beyond_all_bounds_are_read_as_what_they_are():
    assert math.isnan(read_value(Decimal("sNaN"))) and math.isnan(read_value(Decimal("NaN")))
    assert read_value(10**5000) == math.inf and read_value(-(10**5000)) == -math.inf
    assert read_value(Fraction(-(10**5000), 3)) == -math.inf
    assert read_value(Decimal("1E+99999999")) == math.inf
    with pytest.raises(OutcomeError, match="too long to be shown"):
        read_value([10**5000])


def test_about_a_bound_values_come_back_and_slopes_are_those_of_the_way_in():
    values = np.array([-1e4, -3.0, 0.4, 0.5, 0.7, 2.0, 80.0])
    transform = standardise_about(-1.0, values, 0.5)
    y = transform.inward(values)
    assert transform.about_bound and transform.is_bent
    np.testing.assert_allclose([y.mean(), y.std()], [0.0, 1.0], atol=1e-12)
    np.testing.assert_allclose(transform.outward(y), values, rtol=1e-9)
    assert (np.diff(y) < 0.0).all()  # smaller was better, larger is better
    step = 1e-6
    slopes = (transform.inward(values + step) - transform.inward(values - step)) / (2.0 * step)
    away = values != 0.5
    log_slope = np.log(-slopes[away]).sum()
    np.testing.assert_allclose(transform.log_slope(values[away]), log_slope, rtol=1e-4)
    assert ValueTransform.from_json(transform.to_json()) == transform


def test_a_transform_that_is_not_about_a_bound_is_stored_as_it_always_was():
    plain = standardise(1.0, [1.0, 2.0, 4.0])
    assert "about_bound" not in plain.to_json()
    assert ValueTransform.from_json(plain.to_json()) == plain
    np.testing.assert_allclose(plain.log_slope([1.0, 2.0]), -2.0 * np.log(plain.scale))


def exploding(sign: float = -1.0) -> np.ndarray:
    """Good values from 1 to 2, bad ones up to 1e5."""
    return -sign * np.concatenate([np.linspace(1.0, 2.0, 12), np.geomspace(3.0, 1e5, 10)])


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_values_that_explode_have_the_unit_of_their_better_half(sign):
    values = exploding(sign)
    usual = standardise(sign, values)
    transform = standardise_by_better(usual, values)
    better = values[:11]
    assert transform.by_better and transform.shape != usual.shape
    np.testing.assert_allclose(transform.shift, sign * better.mean())
    np.testing.assert_allclose(transform.scale, better.std())
    y = transform.inward(values)
    np.testing.assert_allclose([y.mean(), y.std()], [0.0, 1.0], atol=1e-9)
    assert np.ptp(y[:12]) > 5.0 * np.ptp(usual.inward(values)[:12])
    np.testing.assert_allclose(transform.outward(y), values, rtol=1e-4)
    assert ValueTransform.from_json(transform.to_json()) == transform


def test_other_values_keep_the_unit_of_all(rng):
    absurd = np.append(np.linspace(1.0, 2.0, 20), 1e100)
    half_equal = np.append(np.ones(12), np.geomspace(2.0, 1e5, 9))
    for values in (rng.random(30), np.exp(rng.standard_normal(30)), absurd, half_equal):
        usual = standardise(-1.0, values)
        assert standardise_by_better(usual, values) is usual
        assert "by_better" not in usual.to_json()


def test_values_that_are_all_at_the_bound_are_standardised_as_others():
    assert not standardise_about(1.0, [2.0, 2.0], 2.0).about_bound


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_straightened_values_are_the_users_up_to_a_shift_and_a_factor(rng, sign):
    values = sign * np.exp(rng.standard_normal(40))
    for transform in (
        standardise(sign, values),
        standardise(sign, values, warp=False),
        standardise_about(sign, values, sign),
    ):
        y = transform.inward(values)
        straight = transform.straighten(y)
        np.testing.assert_allclose(
            straight, (sign * values - transform.shift) / transform.scale, atol=1e-9
        )
        np.testing.assert_allclose(transform.bend(straight), y, atol=1e-9)
        if not transform.is_bent:
            np.testing.assert_array_equal(straight, y)
    assert np.isfinite(standardise(sign, values).straighten([-1e200, 1e200])).all()


def test_without_its_bend_a_transform_is_the_one_without_a_warp(rng):
    values = rng.lognormal(size=30)
    bent = standardise(-1.0, values)
    assert bent.is_bent
    assert bent.straight == standardise(-1.0, values, warp=False)
