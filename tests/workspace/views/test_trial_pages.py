"""Pages of trials: filtered, sorted, and with ends."""

import pytest

from pathmax.workspace.opened_study import Opened
from pathmax.workspace.views.snapshot import Snapshot
from pathmax.workspace.views.trial_pages import TrialQuery, page_of


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("", [4, 3, 2, 1, 0]),
        ("cloudy", [1]),
        ("ada", [1]),
        ("CLOGGED", [3]),
        ("temperature > 50 and solvent == 'DMF' and yield > 0", [2]),
        ("yield >= 30", [2, 1]),
        ("trial < 2", [1, 0]),
        ("state == 'failed'", [3]),
    ],
)
def test_filters_are_words_or_sentences(opened: Opened, text: str, numbers: list[int]) -> None:
    shown = page_of(Snapshot.of(opened), TrialQuery(text=text))
    assert [trial.number for trial in shown.trials] == numbers and not shown.remark


def test_a_sentence_that_is_not_understood_filters_nothing_and_says_why(opened: Opened) -> None:
    shown = page_of(Snapshot.of(opened), TrialQuery(text="pressure > 3"))
    assert shown.matching == 5 and "pressure" in shown.remark


@pytest.mark.parametrize(
    ("sort", "descending", "numbers"),
    [
        ("trial", False, [0, 1, 2, 3, 4]),
        ("results.yield", True, [1, 2, 0, 3, 4]),
        ("results.yield", False, [0, 2, 1, 3, 4]),
        ("note", True, [3, 1, 0, 2, 4]),
        ("state", False, [0, 1, 2, 3, 4]),
    ],
)
def test_what_a_trial_lacks_comes_last_either_way(
    opened: Opened, sort: str, descending: bool, numbers: list[int]
) -> None:
    shown = page_of(Snapshot.of(opened), TrialQuery(sort=sort, descending=descending))
    assert [trial.number for trial in shown.trials] == numbers


def test_pages_have_ends(opened: Opened) -> None:
    shown = page_of(Snapshot.of(opened), TrialQuery(page=99, size=2))
    assert (shown.page, shown.pages, shown.first, shown.last) == (3, 3, 5, 5)
    assert page_of(Snapshot.of(opened), TrialQuery(text="nowhere")).first == 0


def test_numbers_of_hundreds_of_digits_are_at_the_ends(opened: Opened) -> None:
    for number, count in enumerate((10**400, -(10**400), 3)):
        opened.study.annotate(number, attributes={"count": count})
    shown = page_of(Snapshot.of(opened), TrialQuery(sort="attributes.count"))
    assert [trial.number for trial in shown.trials] == [0, 2, 1, 3, 4]
    shown = page_of(Snapshot.of(opened), TrialQuery(text="count > 2"))
    assert [trial.number for trial in shown.trials] == [2, 0] and not shown.remark
