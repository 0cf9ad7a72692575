"""The report of known restrictions, from the traces that are kept."""

import pytest

from benchmarks import restricted
from benchmarks.restricted_problems import with_conditions, with_mixtures


@pytest.fixture(autouse=True)
def without_bbob(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half-spaces cut functions of BBOB, which come from a peer."""
    monkeypatch.setattr(restricted, "problems", lambda: [*with_mixtures(), *with_conditions()])


def test_a_report_of_one_kind_has_that_kind_alone() -> None:
    said = restricted.report(only=["mixtures"])
    assert said.startswith("## Mixtures\n\nMean rank among 5 methods over ")
    assert said.count("## ") == 1
    assert said in restricted.report()


def test_without_a_method_ranks_are_over_the_runs_that_the_others_share() -> None:
    said = restricted.report(without=["baybe"], only=["mixtures"])
    assert said.startswith("## Mixtures\n\nMean rank among 4 methods over ")
    assert "baybe" not in said
