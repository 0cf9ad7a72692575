"""One name, one meaning: no class, constant or type is called like another one of the package."""

import ast
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import pathmax

ROOT = Path(pathmax.__file__).parent

# Both are public and both are what people of their field call them: a parameter of a space, and the
# kernel over its codes. Databases name the kernel by its class.
TWO_MEANINGS = {"Categorical"}


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
