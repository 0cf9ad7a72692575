"""Every keyword of a kind of parameter works for every other, or is refused with a sentence."""

import copy
import inspect
import pickle
from typing import Any

import pytest

from pathmax import Categorical, Fidelity, Float, Int, Mixture
from pathmax.errors import SpaceError
from pathmax.space.refused_keywords import INSTEAD, refused

KINDS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "Float": (Float, (0.0, 1.0)),
    "Int": (Int, (0, 9)),
    "Categorical": (Categorical, (["a", "b"],)),
    "Fidelity": (Fidelity, (1, 9)),
    "Mixture": (Mixture, ({"p": (0, 1), "q": (0, 1)},)),
}
OWN = {name for kind, _ in KINDS.values() for name in inspect.signature(kind).parameters}
KEYWORDS = OWN - {"components"} | {"unit", "levels"}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("keyword", sorted(KEYWORDS))
def test_a_keyword_is_known_or_refused_with_a_sentence(kind: str, keyword: str) -> None:
    cls, given = KINDS[kind]
    known = keyword in inspect.signature(cls).parameters
    assert known != (keyword in INSTEAD[kind])
    if known:
        assert refused(kind, [keyword]) is None
    else:
        with pytest.raises(SpaceError, match=f"^a {kind} takes no {keyword}: .{{20,}}"):
            cls(*given, **{keyword: 1})


@pytest.mark.parametrize("kind", KINDS)
def test_a_slip_of_the_pen_is_an_error_of_python(kind: str) -> None:
    cls, given = KINDS[kind]
    with pytest.raises(TypeError, match="contxt"):
        cls(*given, contxt=True)
    made = cls(*given)
    assert copy.deepcopy(made) == made == pickle.loads(pickle.dumps(made))
