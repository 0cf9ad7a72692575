"""One name, one meaning: no class is called like another one of the package."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pathmax

ROOT = Path(pathmax.__file__).parent

# Both are public and both are what people of their field call them: a parameter of a space, and the
# kernel over its codes. Databases name the kernel by its class.
TWO_MEANINGS = {"Categorical"}


def modules() -> Iterator[tuple[str, ast.Module]]:
    for file in sorted(ROOT.rglob("*.py")):
        yield file.relative_to(ROOT).as_posix(), ast.parse(file.read_text("utf-8"))


def test_a_class_has_a_name_of_its_own():
    homes = defaultdict(list)
    for file, module in modules():
        for statement in module.body:
            if isinstance(statement, ast.ClassDef):
                homes[statement.name].append(file)
    shared = {name: files for name, files in homes.items() if len(files) > 1}
    assert shared.keys() == TWO_MEANINGS, shared
