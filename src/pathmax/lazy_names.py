"""Names of a package that are imported when they are first used.

    __getattr__, __dir__ = on_first_use(__name__, {"process": "GaussianProcess", "paths": "Path"})

A command that only reads what is stored does not wait for the model and the search then. Where a
name is a module of the package, it stands under "". Type checkers read plain imports instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from sys import modules


def on_first_use(
    package: str, homes: Mapping[str, str]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """The `__getattr__` and `__dir__` of a package whose names have homes: module -> its names."""
    home_of = {name: home for home, names in homes.items() for name in names.split()}

    def look_up(name: str) -> object:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home = home_of[name]
        place = home if home.startswith("pathmax.") else f"{package}.{home or name}"
        module = import_module(place)
        value = getattr(module, name) if home else module
        setattr(modules[package], name, value)  # the next look-up does not come here
        return value

    def list_names() -> list[str]:
        ours = (name for name in vars(modules[package]) if name.startswith("__"))
        return sorted({*home_of, *modules[package].__all__, *ours})  # no modules in passing

    return look_up, list_names
