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

# One function per module on purpose: a figure is drawn by each library, and a page has its data;
# what a study does is done by `session` or `analysis`, and `workspace` reads texts for it; kernels
# and spaces are stored in one way, methods and kernels registered in one way. `maximize` is public
# twice: for a function of params, and for a score over a domain.
SAME_BY_DESIGN = {
    "add", "calibration", "draw", "fail", "from_json", "front", "importances", "maximize",
    "outcome_parallel", "outcome_progress", "outcome_slices", "parallel", "progress", "register",
    "regret", "slices", "suggest", "tell",
}  # fmt: skip

# Commands and routes are named after the verb that they hand over, so functions of the edges are
# compared with those of their own edge; there, problems are named after their formulas, sections of
# the report after the command that makes them, and every page has its `show`.
OF_ANOTHER = ("experiments/emulation/", "experiments/command.py", "result.py")


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


def functions(statement: ast.stmt) -> Iterator[str]:
    """Functions that others may call, without the variants of overloaded ones."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
        variant = any(ast.unparse(by) == "overload" for by in statement.decorator_list)
        if not variant and not statement.name.startswith("_"):
            yield statement.name


def test_a_function_has_a_name_of_its_own():
    shared = defaultdict(set)
    for name, files in homes(functions).items():
        rooms = [file.split("/")[0] for file in files if not file.startswith(OF_ANOTHER)]
        sides = [room if room in EDGES else "inside" for room in rooms]
        for side in set(sides):
            if sides.count(side) > 1:
                shared[side].add(name)
    assert shared == {"inside": SAME_BY_DESIGN, "web": {"show"}}


def test_a_module_has_a_name_of_its_own():
    rooms = defaultdict(set)
    for file in ROOT.rglob("*.py"):
        room = file.relative_to(ROOT).parts[0]
        if not file.stem.startswith("__") and room not in EDGES and file.parent != ROOT:
            rooms[file.stem].add(room)
    assert {name for name, found in rooms.items() if len(found) > 1} == ON_TWO_LEVELS
