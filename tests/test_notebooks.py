"""The notebooks of docs/ run from first to last, and show what they were stored with."""

import json
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent.parent / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
SECONDS = 600  # far above what any takes, for machines that are busy

# In a process of its own: the kernel's libraries warn of things that are not ours to mend.
RUN = """
import sys, nbformat
from nbclient import NotebookClient

notebook = nbformat.read(sys.argv[1], 4)
NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
nbformat.write(notebook, sys.argv[2])
"""


def code_cells(path: Path) -> list[dict]:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


def kinds(cell: dict) -> list[set[str]]:
    """The forms in which each output of a cell can be shown; what is printed counts once.

    A kernel sends what is printed in one piece or in several, as it comes.
    """
    shown = [one for one in cell["outputs"] if one.get("name") != "stderr"]
    found = [set(one.get("data", {"text/plain": ""})) for one in shown]
    return [
        kind
        for i, kind in enumerate(found)
        if not i or "data" in shown[i] or "data" in shown[i - 1]
    ]


def test_a_page_has_every_cell_and_the_richest_form_of_what_it_showed():
    spec = spec_from_file_location("pages", FOLDER / "pages.py")
    pages = module_from_spec(spec)
    spec.loader.exec_module(pages)
    shown = [
        {"data": {"text/html": ["<b>table</b>\n", "\n", "  <i>row</i>"], "text/plain": ["t"]}},
        {"data": {"image/png": "QUJD\n", "text/plain": ["<Figure>"]}},
        {"name": "stdout", "text": ["1\n", "2\n"]},
    ]
    cells = [
        {"cell_type": "markdown", "source": ["# Title"]},
        {"cell_type": "code", "source": ["a = 1"], "outputs": shown},
    ]
    text = pages.markdown({"cells": cells}, "name")
    assert text.startswith(
        "# Title\n\n```python\na = 1\n```\n\n<div><b>table</b>\n<i>row</i></div>"
    )
    assert 'base64,QUJD"' in text and "```text\n1\n2\n```" in text and "(name.ipynb)" in text


def test_there_are_three():
    assert [path.stem for path in NOTEBOOKS] == [
        "constraints-and-front",
        "first-study",
        "pool-of-candidates",
    ]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_the_same_kinds_of_things(path: Path, tmp_path: Path):
    done = tmp_path / "done.ipynb"
    process = subprocess.run(
        [sys.executable, "-c", RUN, str(path), str(done)],
        cwd=tmp_path, capture_output=True, text=True, timeout=SECONDS, check=False,
    )  # fmt: skip
    assert process.returncode == 0, process.stderr[-3000:]
    for stored, now in zip(code_cells(path), code_cells(done), strict=True):
        assert kinds(stored) == kinds(now), "".join(stored["source"])


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_figures_and_tables_are_stored_and_nothing_of_a_machine(path: Path):
    found = set().union(*(kind for cell in code_cells(path) for kind in kinds(cell)))
    assert {"image/png", "text/html"} <= found
    text = path.read_text(encoding="utf-8")
    assert "/home/" not in text and "/work/" not in text and "Traceback" not in text
