"""A module is one idea, and tests stand where it stands.

The tests of `room/thing.py` are in `tests/room/test_thing.py`.

A file that holds what several modules do together is in the room of the highest of them, and named
below; so is a room of tests that is about the repository and not about a module.
"""

import re
from pathlib import Path

import pathmax

PAGE = Path(__file__).parents[1] / "docs" / "architecture.md"
TESTS = Path(__file__).parent
SOURCE = Path(pathmax.__file__).parent

MOST_LINES = 300  # of a module: at more, find the second idea and give it a name
OTHER_ROOMS = {"benchmarks", "faults", "fixtures", "packaging", "soak"}

ACROSS_MODULES = {
    "": {
        "docs", "docstrings", "earlier_versions", "examples", "imports", "layout", "names",
        "no_telemetry", "notebooks", "public_names", "refusals",
    },
    "acquisition": {"closed_forms", "lemmas", "research_methods"},
    "analysis": {"number_range"},
    "cli": {
        "changed_space", "contexts", "faults", "fidelities", "help", "known_constraints",
        "learn_from", "library", "many_trials", "misleading", "molecules", "outcomes",
        "pool_constraints", "study_commands", "table_commands", "transcript", "workbooks",
    },
    "experiments": {"continuous_regret"},
    "integrations/optuna": {"pruning"},
    "plots": {"fidelities"},
    "running": {"prefetch"},
    "session": {"late_results", "outcomes", "own_method"},
    "storage": {"contract", "full", "learn_from", "processes", "reports"},
    "suggestion": {"conditional", "context", "jointly", "known_constraints", "models"},
    "theory": {"regret"},
    "web": {
        "commands", "contexts", "faults", "find_browser", "openapi", "outcomes", "page", "routes",
        "workbooks",
    },
    "workspace": {"conditional_tables", "front_end"},
}  # fmt: skip


def files_of_tests() -> dict[str, set[str]]:
    """The rooms of tests, and what the files in each are named after."""
    found: dict[str, set[str]] = {}
    for file in TESTS.rglob("test_*.py"):
        room = file.parent.relative_to(TESTS).as_posix().removeprefix(".")
        if room not in OTHER_ROOMS:
            found.setdefault(room, set()).add(file.stem.removeprefix("test_"))
    return found


def modules_of(room: str) -> set[str]:
    """What tests in a room may be named after: its modules and packages, and the room itself."""
    inside = SOURCE / room
    modules = {file.stem for file in inside.glob("*.py")}
    return (
        modules | {package.parent.name for package in inside.glob("*/__init__.py")} | {inside.name}
    )


def test_a_module_is_one_idea():
    long = {
        file.relative_to(SOURCE).as_posix(): lines
        for file in SOURCE.rglob("*.py")
        if (lines := len(file.read_text("utf-8").splitlines())) > MOST_LINES
    }
    assert long == {}


def test_rooms_of_tests_are_rooms_of_the_package():
    assert [room for room in files_of_tests() if not (SOURCE / room / "__init__.py").exists()] == []


def test_a_file_is_named_after_a_module_or_stated_above():
    across = {room: names - modules_of(room) for room, names in files_of_tests().items()}
    assert {room: names for room, names in across.items() if names} == ACROSS_MODULES


def is_there(name: str) -> bool:
    """Whether `room/module.py`, `room.module` or `room.module.Name` exists."""
    if "/" in name:
        return any((place / name).exists() for place in (SOURCE, PAGE.parents[1]))
    place = SOURCE
    for part in name.split("."):
        if (place / part).is_dir():
            place /= part
        elif (place / f"{part}.py").exists():
            place /= f"{part}.py"
        else:
            file = place if place.suffix else place / "__init__.py"
            return bool(re.search(rf"\b{part}\b", file.read_text("utf-8")))
    return True


def test_the_architecture_page_speaks_of_modules_that_are_there():
    rooms = "|".join(sorted(path.stem for path in SOURCE.iterdir() if path.stem[0] != "_"))
    said = re.findall(rf"`((?:tests|benchmarks|{rooms})[./][\w./]+)`", PAGE.read_text("utf-8"))
    assert len(said) > 100
    assert [name for name in said if name != "study.py" and not is_there(name)] == []
