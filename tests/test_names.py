"""One name, one meaning: nothing is called like another thing of the package."""

import ast
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import pathmax

ROOT = Path(pathmax.__file__).parent

# Both are public and both are what people of their field call them: a parameter of a space, and the
# kernel over its codes. Databases name the kernel by its class.
TWO_MEANINGS = {"Categorical"}

# Modules of the same name are the same thing one level up; those of the edges are named after what
# they show, and those of the top are names of 0.1.
EDGES = {"cli", "experiments", "integrations", "web"}
ON_TWO_LEVELS = {
    "backend", "base", "importances", "outcomes", "predictions", "recording", "scores",
    "wording",
}  # fmt: skip


def homes(names_of: Callable[[ast.stmt], Iterator[str]]) -> dict[str, list[str]]:
    """The names that statements of more than one module define, and those modules."""
    found = defaultdict(list)
    for file in sorted(ROOT.rglob("*.py")):
        for statement in ast.parse(file.read_text("utf-8")).body:
            for name in names_of(statement):
                found[name].append(file.relative_to(ROOT).as_posix())
    return {name: files for name, files in found.items() if len(set(files)) > 1}


def classes(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, ast.ClassDef):
        yield statement.name


def constants(statement: ast.stmt) -> Iterator[str]:
    """Constants and types that others may import; type variables mean nothing outside."""
    if isinstance(statement, ast.Assign):
        targets = statement.targets
    elif isinstance(statement, ast.AnnAssign):
        targets = [statement.target]
    else:
        return
    if isinstance(statement.value, ast.Call) and "TypeVar" in ast.unparse(statement.value.func):
        return
    for target in targets:
        if isinstance(target, ast.Name) and target.id[0].isupper():
            yield target.id


def test_a_class_has_a_name_of_its_own():
    shared = homes(classes)
    assert shared.keys() == TWO_MEANINGS, shared


def test_a_constant_has_a_name_of_its_own():
    assert homes(constants) == {}


def test_a_module_has_a_name_of_its_own():
    rooms = defaultdict(set)
    for file in ROOT.rglob("*.py"):
        room = file.relative_to(ROOT).parts[0]
        if not file.stem.startswith("__") and room not in EDGES and file.parent != ROOT:
            rooms[file.stem].add(room)
    assert {name for name, found in rooms.items() if len(found) > 1} == ON_TWO_LEVELS
