"""How often whoever waits for a turn looks for it."""

import pytest

from pathmax.storage.turn import FIRST_IN_LINE, FIRST_PAUSE, IN_A_CROWD, LookingPace


def looks(pace: LookingPace, seconds: float) -> tuple[int, float]:
    """How many looks there are in so many seconds, and the longest pause between two."""
    waited, pause, count, longest = 0.0, FIRST_PAUSE, 0, 0.0
    while waited < seconds:
        longest = max(longest, pause)
        waited, count = waited + pause, count + 1
        pause = pace.after(pause, waited)
    return count, longest


@pytest.mark.parametrize("seconds", [1.0, 3.0, 10.0, 60.0])
def test_the_first_in_line_loses_a_hundredth_of_its_waiting(seconds: float):
    """It lost a tenth of a suggestion that took seconds, up to half a second."""
    count, longest = looks(FIRST_IN_LINE, seconds)
    assert longest <= max(0.01, 0.01 * seconds) and longest <= 0.05
    assert count <= 110 * seconds


@pytest.mark.parametrize("seconds", [3.0, 10.0, 60.0])
def test_in_a_crowd_whoever_has_waited_long_looks_seldom(seconds: float):
    count, longest = looks(IN_A_CROWD, seconds)
    assert longest <= 0.5
    assert count <= 20 * seconds and looks(IN_A_CROWD, 60.0)[0] < 200


@pytest.mark.parametrize("pace", [FIRST_IN_LINE, IN_A_CROWD])
def test_a_turn_that_is_soon_free_is_soon_seen(pace: LookingPace):
    assert looks(pace, 0.02)[0] >= 4
