"""NAME=VALUE as people type it."""

import pytest

from pathmax.errors import OutcomeError, ParamsError
from pathmax.workspace.typed_pairs import typed_pairs


def test_values_may_hold_a_sign_or_names_may():
    assert typed_pairs(["note=a=b", " t =50"], ParamsError, "t=50") == {"note": "a=b", "t": "50"}
    told = typed_pairs(["a=b=3"], OutcomeError, "yield=71.3", at_last=True)
    assert told == {"a=b": "3"}


@pytest.mark.parametrize(
    ("texts", "words"), [(["t"], "'t' has no = in it"), (["t=1", "t=2"], "t is given twice")]
)
def test_what_is_no_pair_or_comes_twice_is_refused(texts, words):
    with pytest.raises(ParamsError, match=f"{words}; write each once, as in t=50"):
        typed_pairs(texts, ParamsError, "t=50")
