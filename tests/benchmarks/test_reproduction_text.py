"""README and docs/reproduce.md say of the paper what the report in the repository says."""

import numpy as np
import pytest

from benchmarks import marked_text, reproduction_text
from pathmax.experiments.paper import OF_THE_PAPER, SECTION_METHODS, SETTINGS


@pytest.mark.parametrize("page", reproduction_text.PAGES, ids=lambda page: page.name)
def test_the_pages_say_what_the_data_say(page):
    curves, report = reproduction_text.read_curves(), reproduction_text.read_report()
    text, made = page.read_text(encoding="utf-8"), reproduction_text.PAGES[page](curves, report)
    assert marked_text.put(text, reproduction_text.COMMAND, made) == text, (
        f"run {reproduction_text.COMMAND}"
    )


@pytest.fixture
def whole():
    """Twenty trials of everything, in which EI alone is worse than the others."""
    rng, ends = np.random.default_rng(0), {"ei": 0.9}
    return {
        (setting.name, method): np.column_stack(
            [np.full(20, 3.0), ends.get(method, 0.01) + 0.001 * rng.random(20)]
        )
        for section in OF_THE_PAPER
        for setting in SETTINGS[section]
        for method in SECTION_METHODS[section]
    }


def test_a_whole_run_is_called_whole(whole):
    assert reproduction_text.trials(whole) == "20 trials of every method, as in the paper"
    assert reproduction_text.found(whole, "alkox-paper", "pims") == (20, 20)
    assert reproduction_text.found(whole, "alkox-paper", "ei") == (0, 20)
    assert reproduction_text.inferior(whole) == (2, 6)
    report = "12 come out, 3 do not, and 14 cannot be told\n"
    report += "Made by `pathmax reproduce all` with engine 7.\n"
    report += "| all | 3:06:09 |"
    text = reproduction_text.readme(whole, report)
    assert "20 trials of every method" in text and "EI in 0 of 20" in text
    assert "of engine 7," in text
    assert "3 h 06 min" in reproduction_text.page(whole, report)


def test_a_part_of_a_run_says_what_is_missing(whole):
    del whole["ackley", "pims"]
    whole["shekel", "ts"] = whole["shekel", "ts"][:7]
    said = reproduction_text.trials(whole)
    assert said.startswith("7 to 20 trials where the paper has 20, and 1 of 80 pairs")
