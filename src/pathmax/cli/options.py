"""Options that every command takes, and the study they lead to."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])

DEFAULT_STORAGE = "sqlite:///pathmax.db"
SPACE_FILE = "space.toml"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a command works, and how it answers."""

    study: str | None
    storage: str
    as_json: bool


def placed(command: Command) -> Command:
    """Give a command --study, --storage and --json; it gets them as `place`."""

    @click.option("--study", metavar="NAME", envvar="PATHMAX_STUDY", help="Which study, if many.")
    @click.option(
        "--storage",
        metavar="URL",
        default=DEFAULT_STORAGE,
        envvar="PATHMAX_STORAGE",
        help="Where studies are kept: lab.db, sqlite:///lab.db or postgresql://user@host/base."
        "  [default: pathmax.db in this folder]",
    )
    @click.option("--json", "as_json", is_flag=True, help="Answer in JSON, for programs.")
    @wraps(command)
    def with_place(study: str | None, storage: str, as_json: bool, **others: Any) -> Any:
        click.get_current_context().meta["pathmax.json"] = as_json
        return command(place=Place(study, storage, as_json), **others)

    return with_place  # type: ignore[return-value]


def default_space_file() -> str | None:
    """The space file of this folder, if there is one."""
    return SPACE_FILE if os.path.exists(SPACE_FILE) else None
