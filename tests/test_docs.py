"""Every Python example of the README and of docs/ runs, page by page."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from pathmax.cli import main

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(
    r"^(?P<indent> *)```(?P<language>\w+)[^\n]*\n(?P<body>.*?)^(?P=indent)```", re.M | re.S
)
SECONDS = 300  # far above what any page takes, for machines that are busy


def script(page: str) -> str:
    """The Python blocks of a page as one script in which every line keeps its line number."""
    lines = [""] * (page.count("\n") + 1)
    for block in BLOCK.finditer(page):
        if block["language"] == "python":
            first = page[: block.start("body")].count("\n")
            for offset, line in enumerate(block["body"].splitlines()):
                lines[first + offset] = line.removeprefix(block["indent"])
    return "\n".join(lines).rstrip() + "\n"


def test_a_script_keeps_line_numbers_and_leaves_other_languages_out():
    page = "text\n```python\na = 1\n```\n```console\n$ ls\n```\n  ```python\n  b = 2\n  ```\n"
    assert script(page).splitlines() == ["", "", "a = 1", "", "", "", "", "", "b = 2"]


def test_no_example_escapes_by_another_spelling():
    for page in PAGES:
        languages = {
            block["language"] for block in BLOCK.finditer(page.read_text(encoding="utf-8"))
        }
        assert not languages & {"py", "python3", "pycon", "Python"}, f"{page}: write ```python"


def test_no_page_names_the_folder_that_it_was_made_in():
    """What a benchmark printed is put into pages as it is, a path of that machine among it."""
    written = [*PAGES, *(ROOT / "benchmarks").glob("*.md"), *ROOT.glob("*.md")]
    assert [page.name for page in written if f"{ROOT}/" in page.read_text("utf-8")] == []


def test_the_readme_leads_to_every_page():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    pages = {f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md")}
    made = {"docs/index.md", "docs/reference.md"}  # these need `make docs`
    assert {page for page in pages - made if f"({page})" not in readme} == set()


def options(command: click.Command, name: str) -> Iterator[tuple[str, str]]:
    """The name of a command, or of each of a group, with each of its options."""
    for each in command.commands.values() if isinstance(command, click.Group) else ():
        yield from options(each, f"{name} {each.name}")
    for given in command.params:
        yield from ((name, option) for option in given.opts if option.startswith("--"))


def test_the_command_line_has_every_command_and_option_on_its_page():
    """`pathmax bound` was on no page that says how commands are called."""
    pages = {
        name: (ROOT / "docs" / f"{name}.md").read_text("utf-8")
        for name in ("command-line", "reproduce")
    }
    said = {name: {*re.findall(r"--[a-z-]+", text)} for name, text in pages.items()}
    for name, option in options(main, "pathmax"):
        page = "reproduce" if name.startswith("pathmax reproduce") else "command-line"
        assert name == "pathmax" or name in pages[page], name
        assert option in said[page] | {"--help", "--version"}, f"{name} {option}"


WITH_EXAMPLES = [page for page in PAGES if script(page.read_text(encoding="utf-8")).strip()]


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_examples_of_a_page_run(page: Path, tmp_path: Path):
    source = script(page.read_text(encoding="utf-8"))
    example = tmp_path / f"page_{page.stem}.py"  # optuna.py would hide the package
    example.write_text(source, encoding="utf-8")
    environment = {**os.environ, "MPLBACKEND": "Agg", "PYTHONWARNINGS": "error"}
    done = subprocess.run(
        [sys.executable, str(example)],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, f"{page.relative_to(ROOT)}:\n{done.stdout}\n{done.stderr}"


def test_the_documentation_builds_without_a_warning(tmp_path: Path):
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-d", str(tmp_path)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    fetched = re.compile(r"<(?:script|img|iframe|link)[^>]*(?:src|href)=.?(?:https?:)?//", re.I)
    for page in tmp_path.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert "fonts.googleapis" not in text and not fetched.search(text), "nothing is fetched"
    for style in tmp_path.rglob("*.css"):
        assert not re.search(r"(@import|url\()\W*(https?:)?//", style.read_text(encoding="utf-8"))
    assert (tmp_path / "assets" / "iframe-worker.js").exists()  # the search of a page on the disk
    assert (tmp_path / "search" / "search_index.js").exists()


def test_the_table_of_the_paper_names_functions_and_tests_that_are_there():
    from pathmax import theory

    page = (ROOT / "docs" / "theory.md").read_text(encoding="utf-8")
    table = page.split("## Where each statement is")[1].split("\n## ")[0]
    rows = [line for line in table.splitlines() if line.startswith("| ")][1:]
    assert len(rows) > 40
    for path in re.findall(r"`(tests/[\w/]+\.py)`", table):
        assert (ROOT / path).is_file(), path
    for name in re.findall(r"`theory\.(\w+)", table):
        assert hasattr(theory, name), name
    numbered = [
        *(f"Table {i}" for i in (1, 2)), *(f"Figure {i}" for i in (1, 2, 3)),
        *(f"Algorithm {i}" for i in (1, 2)), "Assumption 2.1", "Definition 2.1", "Lemma 2.1",
        *(f"Lemma 3.{i}" for i in (1, 2, 3)), *(f"Lemma 4.{i}" for i in (1, 2)), "Lemma A.1",
        *(f"Lemma D.{i}" for i in (1, 2, 3, 4, 5)), "Theorem B.1", "Theorem C.1",
        *(f"Theorem 3.{i}" for i in (1, 2)), *(f"Theorem 4.{i}" for i in (1, 2, 3)),
    ]  # fmt: skip
    for statement in numbered:
        assert any(row.startswith(f"| {statement}") for row in rows), statement
