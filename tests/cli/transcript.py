"""Transcripts in the documentation: run again, compared, and written anew.

A page is a story in blocks. A block with a title is a file that somebody edits; a `console` block
holds commands, each after "$ ", and what they print. `python -m tests.cli.transcript PAGE` runs
the commands of a page for real and puts what they print now in place of what stands there, and
the figures they draw beside the page.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

BLOCK = re.compile(r"```(?P<language>\w+)(?: title=\"(?P<file>[^\"]+)\")?\n(?P<body>.*?)```", re.S)
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")

Execute = Callable[[list[str], Path], str]


def replay(page: str, folder: Path, execute: Execute) -> str:
    """The page with the output that its commands have now."""

    def redo(block: re.Match[str]) -> str:
        if block["file"]:
            (folder / block["file"]).write_text(block["body"], encoding="utf-8")
        if block["language"] != "console":
            return block[0]
        commands = [line for line in block["body"].splitlines() if line.startswith("$ ")]
        body = "\n".join(f"{line}\n{run(line[2:], folder, execute)}" for line in commands)
        return f"```console\n{body.rstrip()}\n```"

    return BLOCK.sub(redo, page)


def run(line: str, folder: Path, execute: Execute) -> str:
    program, *arguments = shlex.split(line)
    if program == "cat":
        return (folder / arguments[0]).read_text(encoding="utf-8-sig")
    assert program == "pathmax", f"a transcript has only pathmax and cat, got {line!r}"
    return execute(arguments, folder)


def gist(page: str, choices: tuple[str, ...]) -> list[str]:
    """The lines of a page without what differs from machine to machine.

    Digits of a suggestion depend on the linear algebra beneath, and so may its choices.
    """
    lines = []
    for line in page.splitlines():
        for choice in choices:
            line = re.sub(rf"\b{re.escape(choice)}\b", "CHOICE", line)
        line = re.sub(r"\d+ \w+ ago", "just now", line)
        if ";" in line:  # a table with decimal commas
            line = re.sub(r"(?<=\d),(?=\d)", ".", line)
        lines.append(" ".join(NUMBER.sub("#", line).split()))
    return lines


def in_a_process(arguments: list[str], folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "pathmax", *arguments],
        cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
    )  # fmt: skip
    return done.stdout


if __name__ == "__main__":
    for name in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as folder:
            text = Path(name).read_text(encoding="utf-8")
            Path(name).write_text(replay(text, Path(folder), in_a_process), encoding="utf-8")
            for figure in Path(folder).glob("*.png"):
                shutil.copy(figure, Path(name).parent / "figures" / figure.name)
