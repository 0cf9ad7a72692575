"""Linear sentences as matrices say what their trees say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathmax.space.linear_relations import LinearRelations
from pathmax.space.sentence_columns import ColumnTable
from pathmax.space.sentence_parts import Variable
from pathmax.space.sentences import Sentence

VARIABLES = {name: Variable() for name in "abc"}
TEXTS = [
    "a + b <= 1",
    "a - 2 * b < 0.5",
    "3 * (a + c) >= b / 4 + 1",
    "a > c",
    "a + b + c == 2",
    "0.2 <= a + b < 1.5",
    "a <= 0.5 and b >= 0.25",
    "-a <= -0.5 * b",
]


def read(*texts: str) -> list[Sentence]:
    return [Sentence.read(text, VARIABLES) for text in texts]


@given(st.lists(st.sampled_from(TEXTS), min_size=1, max_size=4, unique=True), st.integers(0, 999))
def test_matrices_agree_with_trees(texts, seed):
    rng = np.random.default_rng(seed)
    # coarse numbers meet the bounds exactly, others nearly, others not at all
    rows = rng.integers(0, 9, (60, 3)) / 4 * rng.choice([1.0, 1 + 1e-12, 1 + 1e-7], (60, 1))
    table = ColumnTable(60, dict(zip("abc", rows.T, strict=True)))
    sentences = read(*texts)
    linear, others = LinearRelations.of(sentences)
    assert linear is not None and not others
    expected = np.logical_and.reduce([sentence.mask(table) for sentence in sentences])
    assert linear.mask(table).tolist() == expected.tolist()


@pytest.mark.parametrize("text", ["a * b <= 1", "a <= 1 or b <= 1", "a != 1", "a + a - b <= 1"])
def test_others_are_left_to_their_trees(text):
    linear, others = LinearRelations.of(read(text))
    assert linear is None and [sentence.text for sentence in others] == [text]


def test_an_undefined_number_satisfies_nothing():
    linear, _ = LinearRelations.of(read("a <= 1"))
    assert linear is not None
    rows = ColumnTable(3, {"a": np.array([np.nan, np.inf, 0.5])})
    assert linear.mask(rows).tolist() == [False, False, True]


def test_no_rows_are_no_rows():
    linear, _ = LinearRelations.of(read("a + b <= 1", "a > c"))
    assert linear is not None
    assert linear.mask(ColumnTable(0, {name: np.empty(0) for name in "abc"})).tolist() == []
