"""The transcripts of the documentation are what happens when the commands are typed."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from pathmax.cli import main
from tests.cli.transcript import gist, replay

DOCS = Path(__file__).parents[2] / "docs"
CHOICES = ("DMF", "THF", "water")


def in_this_process(arguments: list[str], folder: Path) -> str:
    result = CliRunner().invoke(main, arguments, prog_name="pathmax")
    assert result.exception is None or isinstance(result.exception, SystemExit), arguments
    return result.output


@pytest.mark.parametrize("page", ["first-ten-minutes.md"])
def test_the_commands_of_a_page_print_what_it_says(lab: Path, page: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    again = replay(text, lab, in_this_process)
    assert gist(again, CHOICES) == gist(text, CHOICES), (
        f"docs/{page} is out of date; see what changed with "
        f"`python -m tests.cli.transcript docs/{page}` and git diff"
    )


def test_a_changed_word_would_be_noticed() -> None:
    assert gist("2 results, THF 3.5", CHOICES) == gist("7 results, DMF -1e-5", CHOICES)
    assert gist("64,06;1,4;THF;", CHOICES) == gist("64;2;DMF;", CHOICES)
    assert gist("2 results", CHOICES) != gist("2 trials", CHOICES)
