"""The language of known constraints: what it says, what it refuses, and that it is safe."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathmax.arrays import Array, Mask
from pathmax.errors import SpaceError
from pathmax.scalars import Scalar
from pathmax.space.sentence_parser import parse
from pathmax.space.sentence_parts import Variable
from pathmax.space.sentence_tokens import MAX_LENGTH
from pathmax.space.sentences import Sentence

VARIABLES = {
    "catalyst": Variable(),
    "ligand": Variable(),
    "flow rate": Variable(),
    "Dauer": Variable(),
    "solvent": Variable(("water", "DMF", "it's")),
    "base": Variable(("water", "KOH")),
    "stirred": Variable((True, False)),
    "batch": Variable((16, 32)),
    "kind": Variable(("auto", 1, None)),
    "vessel": Variable(("glass",)),
    "plates": Variable((3,)),
    "log": Variable(),
}
PARAMS: dict[str, Scalar] = {
    "catalyst": 3.3,
    "ligand": 6.7,
    "flow rate": 2.0,
    "Dauer": -1.0,
    "solvent": "water",
    "base": "water",
    "stirred": True,
    "batch": 16,
    "kind": None,
    "vessel": "glass",
    "plates": 3,
    "log": 2.0,
}


def read(text: str) -> Sentence:
    return Sentence.read(text, VARIABLES)


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("catalyst + ligand <= 10", True),  # 3.3 + 6.7 is 10.000000000000002 in some orders
        ("catalyst + ligand < 10", False),
        ("catalyst + ligand == 10", True),
        ("catalyst + ligand != 10", False),
        ("ligand - catalyst > 3.4", False),  # equal but for rounding
        ("0 < catalyst <= 3.3 < ligand", True),
        ("0 < catalyst <= 3 < ligand", False),
        ("not (solvent == 'water' and catalyst > 3)", False),
        ("not solvent == 'water' or catalyst > 3", True),
        ("solvent != 'DMF' and base in ['KOH', 'water']", True),
        ("solvent not in ['water']", False),
        ("'water' == solvent", True),
        ("solvent == 'it''s'", False),
        ("solvent != base", False),
        ("solvent == base", True),
        ("`flow rate` == 2", True),
        ('"flow rate" == 2', True),
        ('" flow rate " == 2', True),
        ("stirred", True),
        ("not stirred", False),
        ("stirred == true", True),
        ("stirred != True", False),
        ("batch <= 16 and batch * 2 == 32", True),
        ("batch in [16]", True),
        ("batch in (32, 16)", True),  # as Python writes a tuple
        ("solvent not in ('water',)", False),
        ("batch not in [16, 32]", False),
        ("kind == none", True),
        ("kind in ['auto', 1]", False),
        ("vessel == 'glass'", True),
        ("vessel != 'glass'", False),
        ("plates * catalyst <= 9.9", True),
        ("log <= 2", True),  # a name of a function without brackets is a parameter
        ("log(log) < 0.7", True),
        ("-catalyst ** 2 < 0", True),
        ("2 ** 3 ** 2 == 512 + 0 * catalyst", True),
        ("2 ** -1 * ligand == 3.35", True),
        ("ligand / catalyst / 2 > 1", True),
        ("catalyst - 1 - 1 == 1.3", True),
        ("min(catalyst, ligand, 2) == 2", True),
        ("max(catalyst, ligand) == 6.7", True),
        ("abs(Dauer) + exp(0) == 2", True),
        ("catalyst ≤ 3.3", True),
        ("catalyst in [-3, +3.3]", True),
        ("  catalyst\n <= 4\t", True),
        ("true and catalyst > 3", True),
        ("1e-3 < catalyst < 1.e1", True),
        (".5 < catalyst", True),
    ],
)
def test_sentences_say_what_they_seem_to(text: str, holds: bool) -> None:
    assert read(text).holds(PARAMS) is holds
    assert read(f"not ({text})").holds(PARAMS) is not holds


@pytest.mark.parametrize(
    "text",
    [
        "1 / (catalyst - catalyst) > 2",
        "not (1 / (catalyst - catalyst) > 2)",
        "log(Dauer) < 3",
        "not (log(Dauer) < 3)",
        "Dauer ** 0.5 != 7",
        "exp(1000 * catalyst) > 0",
        "10 ** (1000 * catalyst) > 0",
        "log(Dauer) < 3 and catalyst > 0",
    ],
)
def test_what_is_undefined_is_not_satisfied(text: str) -> None:
    assert read(text).holds(PARAMS) is False


def test_an_undefined_part_does_not_spoil_what_is_decided_by_another() -> None:
    assert read("Dauer < 0 or log(Dauer) > 1").holds(PARAMS)
    assert not read("Dauer > 0 and log(Dauer) > 1").holds(PARAMS)
    assert read("not (Dauer > 0 and log(Dauer) > 1)").holds(PARAMS)


@pytest.mark.parametrize(
    ("text", "column", "words"),
    [
        ("catalyst + ligan <= 10", 11, "did you mean ligand?"),
        ("flow rate <= 3", 5, "found rate; a name with spaces goes in backticks"),
        ("'flow rate' <= 3", 0, "for the parameter write `flow rate`"),
        ("catalyst <= 5,0", 13, "the decimal sign is a point"),
        ("if catalyst > 5 then ligand < 3", 3, "there is no if, write not (a > 5) or b < 3"),
        ("catalyst + nothing <= 10", 11, "parameters are catalyst, ligand, `flow rate`"),
        ('solvent == "water"', 11, "in single quotes, 'water'"),
        ("solvent == 'watr'", 11, "did you mean 'water'?"),
        ("kind == 2", 8, "its values are 'auto', 1, None"),
        ("batch == 33", 9, "never 33"),
        ("solvent < 'water'", 0, "has no order"),
        ("solvent < 3", 0, "has no order"),
        ("catalyst == 'hot'", 12, "is a number and cannot be the text 'hot'"),
        ("catalyst in [1, 'hot']", 16, "is a number"),
        ("solvent == catalyst", 11, "cannot be compared"),
        ("solvent + 1 < 3", 0, "expected a number"),
        ("catalyst", 0, "neither true nor false"),
        ("catalyst and stirred", 0, "neither true nor false"),
        ("catalyst = 3", 9, "write =="),
        ("catalyst ^ 2 < 3", 9, "write **"),
        ("stirred && stirred", 8, "write and"),
        ("catalyst < 3 AND ligand < 2", 13, "small letters"),
        ("2catalyst < 3", 1, "write *"),
        ("1.2.3 < catalyst", 3, "a number ends here"),
        ("sin(catalyst) < 3", 0, "there is no function sin; did you mean min?"),
        ("catalyst(3) < 3", 0, "there is no function catalyst"),
        ("abs(catalyst, 2) < 3", 0, "takes one number, got 2"),
        ("min(catalyst) < 3", 0, "takes 2 to 20 numbers, got 1"),
        ("(catalyst < 3", 13, "expected ), but the sentence ends"),
        ("catalyst < 3)", 12, "found )"),
        ("catalyst + <= 3", 11, "found <="),
        ("catalyst <", 10, "but the sentence ends"),
        ("solvent == 'water", 11, "close it with '"),
        ("`flow rate < 3", 0, "close it with `"),
        ("flow rate < 3", 5, "found rate"),
        ("solvent in 'water'", 11, "followed by a list"),
        ("solvent in [catalyst]", 12, "numbers and text"),
        ("solvent in ('water']", 19, "expected )"),
        ("solvent in ()", 12, "found )"),
        ("solvent not 'water'", 12, "expected in"),
        ("catalyst < 1e999", 11, "too large"),
        ("solvent == ‘water’", 11, "curly quote"),
        ("catalyst < 3 # a remark", 13, "cannot read '#'"),
        ("1 < 2", 0, "mentions no parameter"),
        ("(catalyst < 3) == (ligand < 3)", 1, "cannot be compared"),
        ("__import__('os') < catalyst", 0, "there is no function __import__"),
        ("catalyst.real < 3", 8, "cannot read '.'"),
        ("lambda: 0", 6, "cannot read ':'"),
    ],
)
def test_errors_point_at_the_place(text: str, column: int, words: str) -> None:
    with pytest.raises(SpaceError) as error:
        read(text)
    message, shown, pointer = str(error.value).split("\n")
    assert words in message
    assert shown == f"    {text}"
    assert pointer == " " * (4 + column) + "^"


def test_a_long_sentence_is_shown_about_the_place() -> None:
    text = "catalyst <= 1 and " * 20 + "ligan <= 1" + " and catalyst <= 1" * 10
    with pytest.raises(SpaceError) as error:
        read(text)
    _, shown, pointer = str(error.value).split("\n")
    assert shown[pointer.index("^") :].startswith("ligan")
    assert len(shown) < 120


@pytest.mark.parametrize("empty", ["", "   ", "\n"])
def test_an_empty_sentence_is_refused(empty: str) -> None:
    with pytest.raises(SpaceError, match="empty"):
        read(empty)


def test_no_text_is_no_sentence() -> None:
    with pytest.raises(SpaceError, match="got 3"):
        parse(3)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        "(" * 990,
        "-" * 980 + "catalyst < 1",
        "not " * 240 + "stirred",
        "2 ** " * 190 + "2 < catalyst",
        "min(1," * 160,
        "(" * 45 + "catalyst" + ")" * 45 + " < 1",
        "catalyst < 1" + " " * MAX_LENGTH,
    ],
)
def test_depth_and_length_are_limited(text: str) -> None:
    with pytest.raises(SpaceError, match=r"deep|at most 1000"):
        read(text)


def test_long_chains_are_flat() -> None:
    assert not read("catalyst" + " + catalyst" * 80 + " < 5").holds(PARAMS)
    assert read("stirred" + " and stirred" * 80).holds(PARAMS)
    assert read("catalyst > 0" + " < catalyst" * 80) is not None


class Table:
    """Columns of many params, as the language asks for them."""

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        self.rows = rows

    def __len__(self) -> int:
        return len(self.rows)

    def numbers(self, name: str) -> Array:
        return np.array([row[name] for row in self.rows], dtype=float)

    def among(self, name: str, values: tuple[Scalar, ...]) -> Mask:
        return np.array([row[name] in values for row in self.rows], dtype=bool)


numbers = st.one_of(
    st.integers(-9, 9).map(str),
    st.sampled_from(["0.5", "1.25", "2e1", "a", "b", "c", "`d e`"]),
)
arithmetic = st.recursive(
    numbers,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*"]), inner).map(" ".join),
        inner.map("({})".format),
        inner.map("abs({})".format),
        st.tuples(inner, inner).map(lambda pair: f"max({pair[0]}, {pair[1]})"),
        inner.map(lambda text: f"-({text})"),
    ),
    max_leaves=5,
)
comparators = st.sampled_from(["<", "<=", ">", ">=", "==", "!="])
comparisons = st.one_of(
    st.tuples(arithmetic, comparators, arithmetic).map(" ".join),
    st.tuples(arithmetic, comparators, arithmetic, comparators, arithmetic).map(" ".join),
    st.sampled_from(["s == 'x'", "s != 'y'", "s in ['x', 'z']", "s not in ['y']"]),
)
sentences = st.recursive(
    comparisons,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(" ".join),
        inner.map(lambda text: f"not ({text})"),
        inner.map("({})".format),
    ),
    max_leaves=4,
)
ABC = {
    "a": Variable(),
    "b": Variable(),
    "c": Variable(),
    "d e": Variable(),
    "s": Variable(("x", "y", "z")),
}


def as_python(text: str, row: dict[str, Any]) -> bool:
    """What Python makes of the same words: for whole numbers the two languages agree."""
    return bool(eval(text.replace("`d e`", "d"), {"abs": abs, "max": max}, row))


@given(sentences, st.integers(0, 2**32 - 1))
def test_agrees_with_python_row_by_row_and_in_columns(text: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows: list[dict[str, Any]] = [
        {**{name: float(x) for name, x in zip(["a", "b", "c", "d e"], row, strict=True)}, "s": s}
        for row, s in zip(rng.integers(-4, 5, (8, 4)), rng.choice(["x", "y", "z"], 8), strict=True)
    ]
    try:
        sentence = Sentence.read(text, ABC)
    except SpaceError as error:
        assert "mentions no parameter" in str(error)
        return
    wanted = [as_python(text, row | {"d": row["d e"]}) for row in rows]
    assert [sentence.holds(row) for row in rows] == wanted
    assert sentence.mask(Table(rows)).tolist() == wanted


@given(sentences)
def test_the_same_text_gives_the_same_tree(text: str) -> None:
    assert parse(text) == parse(text)
    assert hash(parse(text)) == hash(parse(text))
    assert parse(text) == parse(f"  {text} ")
    assert parse(parse_again(text)) == parse(text)


def parse_again(text: str) -> str:
    try:
        return Sentence.read(text, ABC).text
    except SpaceError:
        return text


WORDS = (
    """a b s ( ) [ ] ' '' ` " not and or in ** - 1e999 1e-400 0 / < == min( exp( __class__ . ,"""
)
pieces = st.sampled_from([*WORDS.split(), "9" * 60, "\0", " "])


@settings(max_examples=300)
@given(st.one_of(st.text(max_size=300), st.lists(pieces, max_size=200).map("".join)))
def test_any_text_is_read_or_refused_at_once(text: str) -> None:
    start = time.process_time()
    try:
        held = Sentence.read(text, ABC).holds({"a": 1.0, "b": -2.0, "c": 0.0, "d e": 3.0, "s": "x"})
        assert held in (True, False)
    except SpaceError:
        pass
    assert time.process_time() - start < 0.1


def test_rounding_is_relative_to_what_is_added_up() -> None:
    params = {"a": 1e9, "b": 1e9 + 1e-1, "c": 0.0, "d e": 0.0, "s": "x"}
    assert Sentence.read("b - a == 0", ABC).holds(params)
    assert not Sentence.read("a == 0", ABC).holds(params | {"a": 1e-9})
    assert math.isclose(0.1 + 0.2, 0.3)
    assert Sentence.read("a + b <= c", ABC).holds(params | {"a": 0.1, "b": 0.2, "c": 0.3})
