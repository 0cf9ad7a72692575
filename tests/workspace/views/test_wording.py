"""Numbers and times in words."""

import pytest

from pathmax.study import Study
from pathmax.workspace.layout import Layout
from pathmax.workspace.views.wording import Words, expected, lasting
from tests.workspace.views.conftest import SPACE, UNITS


def test_numbers_have_the_digits_that_are_known() -> None:
    assert expected(71.93, 4.12) == "71.9 ± 4.1"
    assert expected(71.93, 0.0123) == "71.930 ± 0.012"
    assert expected(12345.6, 321.0) == "12350 ± 320"
    assert expected(3.0, 0.0) == "3"
    words = Words(Layout(domain=Study(SPACE).space, units=UNITS))
    assert words.setting("temperature", 73.4829102) == "73.48"
    assert words.setting("rate", 0.00123456) == "0.001235"
    assert words.label("temperature") == "temperature (°C)" and words.unit("rate") == ""


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.4, "0 s"), (61, "1 min"), (3600, "1 h"), (11_100, "3 h 5 min"), (187_200, "2 d 4 h")],
)
def test_times_are_short(seconds: float, text: str) -> None:
    assert lasting(seconds) == text
