"""Slopes of sentences are exact, whatever the sentence."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathmax.space.parameters import Categorical, Float, Int
from pathmax.space.sentence_parser import parse
from pathmax.space.sentence_slopes import sloped
from pathmax.space.sentence_tree import Compare
from pathmax.space.space import Space

TERMS = st.recursive(
    st.sampled_from(["a", "b", "c", "0.5", "2", "3"]),
    lambda part: st.one_of(
        st.tuples(part, st.sampled_from(["+", "-", "*"]), part).map(lambda t: f"({' '.join(t)})"),
        st.tuples(part, part).map(lambda t: f"({t[0]} / (1 + abs({t[1]})))"),
        part.map(lambda t: f"(abs({t}) + 0.5) ** 1.5"),
        part.map(lambda t: f"({t}) ** 2"),
        st.tuples(part, part).map(lambda t: f"(abs({t[0]}) + 1) ** ({t[1]} / 4)"),
        part.map(lambda t: f"log(2 + abs({t}))"),
        part.map(lambda t: f"exp(({t}) / 20)"),
        st.tuples(st.sampled_from(["min", "max"]), part, part).map(
            lambda t: f"{t[0]}({t[1]}, {t[2]})"
        ),
    ),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(TERMS, st.integers(0, 2**32 - 1))
def test_slopes_are_those_of_differences(text, seed):
    tree = parse(f"{text} <= 1")
    assert isinstance(tree, Compare)
    value_and_slopes = sloped(tree.operands[0])
    rng = np.random.default_rng(seed)
    columns = {name: rng.uniform(0.1, 2.0, 7) for name in "abc"}
    with np.errstate(all="ignore"):
        value, slopes = value_and_slopes(columns)
        for name in "abc":
            step = 1e-6
            ahead = value_and_slopes(columns | {name: columns[name] + step})[0]
            behind = value_and_slopes(columns | {name: columns[name] - step})[0]
            found = np.broadcast_to(slopes.get(name, 0.0), 7)
            differences = np.broadcast_to((ahead - behind) / (2.0 * step), 7)
            one_sided = np.broadcast_to((ahead - value) / step, 7)
            size = 1.0 + np.abs(np.broadcast_to(value, 7)) + np.abs(found)
            smooth = np.abs(one_sided - differences) <= 1e-3 * size  # no kink there
            sound = smooth & np.isfinite(differences) & np.isfinite(found)
            assert np.abs(found - differences)[sound] == pytest.approx(0.0, abs=1e-4 * size.max())


def test_slopes_of_curves_are_along_coordinates():
    space = Space(
        {
            "rate": Float(1e-4, 1e-1, log=True),
            "load": Float(2, 10),
            "plates": Int(1, 20),
            "size": Categorical([1, 2, 4]),
        },
        ["rate * load ** 2 <= plates * size / 10", "load / plates < 3"],
    )
    U = np.column_stack([np.random.default_rng(0).uniform(0.1, 0.9, (6, 3)), np.arange(6) % 3])
    assert len(space.limits.curves) == 2
    for curve in space.limits.curves:
        along = np.zeros_like(U)
        h = curve.slopes(U, along)
        assert (h == curve.h(U)).all()
        for i in range(3):
            step = np.zeros(4)
            step[i] = 1e-6
            differences = (curve.h(U + step) - curve.h(U - step)) / 2e-6
            assert along[:, i] == pytest.approx(differences, rel=1e-5, abs=1e-7)
        assert (along[:, 3] == 0.0).all()  # between choices there is nothing
