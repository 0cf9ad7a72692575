"""Parts of pages that commands make: replaced one by one, and known to the final run."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import final_run, marked_text

PAGE = """# Title

By hand: 2.66, and 45 of 60.

<!-- made by: python -m one -->

| 2.66 | 3,120.5 |

<!-- end of what is made -->

Between: 2.660 is another number.

<!-- made by: python -m two --a "b c" -->

old

<!-- end of what is made -->

The end.
"""
ONLY_RUNS = (
    " run ",
    "factors run",
    "--write",
    "pathmax reproduce",
    "fidelity_peers --seeds",
    "tests.",
    ".py",
)


def test_a_part_is_replaced_and_nothing_else() -> None:
    new = marked_text.put(PAGE, 'python -m two --a "b c"', "new\n")
    assert new == PAGE.replace("\nold\n", "\nnew\n")
    assert marked_text.parts(new)["python -m one"] == "| 2.66 | 3,120.5 |"
    assert marked_text.put(new, 'python -m two --a "b c"', "old") == PAGE


def test_a_page_without_the_part_is_not_written_to() -> None:
    with pytest.raises(ValueError, match="no part that python -m three makes"):
        marked_text.put(PAGE, "python -m three", "new")


def test_sentences_with_a_number_that_is_no_longer_printed_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    monkeypatch.setattr(marked_text, "ROOT", tmp_path)
    assert marked_text.quoted("| 2.66 | 45 |", "| 2.71 |", [page]) == ["page.md:3 has 2.66"]
    assert marked_text.quoted("| 2.66 |", "| 2.66 |", [page]) == []


def printed() -> list[str]:
    lines = [line for step in final_run.STEPS.values() for line in step.lines]
    return [line for line in lines if not any(word in line for word in ONLY_RUNS)]


def test_what_a_step_prints_has_its_part_in_one_page() -> None:
    lost = [line for line in printed() if len(marked_text.pages_of(line)) != 1]
    assert lost == []


def test_every_part_is_made_by_a_step() -> None:
    known = {line for step in final_run.STEPS.values() for line in step.lines} | {final_run.TABLE}
    for page in marked_text.pages():
        text = page.read_text(encoding="utf-8")
        made = marked_text.parts(text)
        assert set(made) <= known, page
        assert text.count("<!-- made by: ") == text.count(marked_text.END) == len(made), page
