"""Options that every command takes, and the study they lead to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import wraps
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from pathmax.cli.output import AS_JSON, at_terminal, printable, say, wants_json
from pathmax.session.space_change import SpaceChange
from pathmax.trials.goals import BRITISH, DIRECTIONS
from pathmax.workspace.location import DEFAULT_STORAGE, Location
from pathmax.workspace.study_plan import Source

Command = TypeVar("Command", bound=Callable[..., Any])


class Direction(click.Choice[str]):
    """maximize or minimize, spelt either way."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return super().convert(BRITISH.get(value, value), param, ctx)


DIRECTION = Direction(DIRECTIONS)


stored = click.option(
    "--storage",
    metavar="URL",
    default=DEFAULT_STORAGE,
    envvar="PATHMAX_STORAGE",
    help="Where studies are kept: lab.db, sqlite:///lab.db, postgresql://user@host/base, or the "
    "http://host:8080 of a `pathmax serve`."
    "  [default: pathmax.db in this folder]",
)


def placed(command: Command) -> Command:
    """Give a command --study, --storage and --json; it gets the first two as `location`."""

    @click.option("--study", metavar="NAME", envvar="PATHMAX_STUDY", help="Which study, if many.")
    @stored
    @click.option("--json", "as_json", is_flag=True, help="Answer in JSON, for programs.")
    @wraps(command)
    def with_location(study: str | None, storage: str, as_json: bool, **others: Any) -> Any:
        ctx = click.get_current_context()
        ctx.meta[AS_JSON] = as_json
        typed = tuple(
            name
            for name in ("study", "storage")
            if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE
        )
        return command(location=Location(study, storage, typed), **others)

    return with_location  # type: ignore[return-value]


def changing(command: Command) -> Command:
    """Give a command --change-space; it gets `agree`, which asks on a terminal if it is not set."""

    @click.option(
        "--change-space",
        is_flag=True,
        help="Go on with the study in the space file as it is now; without this you are asked.",
    )
    @wraps(command)
    def with_agreement(change_space: bool, **others: Any) -> Any:
        def agree(change: SpaceChange) -> bool:
            if change_space:
                return True
            if wants_json() or not at_terminal():
                return False
            say(f"Study {printable(change.study)} began with another space: {printable(change)}.")
            return click.confirm("Go on with this study, under the same trial numbers?")

        return command(agree=agree, **others)

    return with_agreement  # type: ignore[return-value]


def in_context(command: Command) -> Command:
    """Give a command --context; it gets the texts as `context`."""
    return click.option(
        "--context",
        multiple=True,
        metavar="NAME=VALUE",
        help="What a parameter with context = true is now; once for each.",
    )(command)


def sourced(command: Command) -> Command:
    """Give a command the options of a `Source`; it gets them as `source`."""

    @click.option(
        "--space", metavar="TOML", help="What may vary.  [default: space.toml if it is here]"
    )
    @click.option("--data", metavar="CSV", help="Your results, in place of a database.")
    @click.option(
        "--pool",
        metavar="FILE",
        help="Choose from the rows of a CSV or Parquet file, or of 'library/*.parquet'.",
    )
    @click.option("--id", metavar="COLUMN", help="The column of the pool that names a row.")
    @click.option("--objective", metavar="COLUMN", help="The column with the result.")
    @click.option("--direction", type=DIRECTION, help="What better means.")
    @click.option(
        "--ignore", multiple=True, metavar="COLUMN", help="A column that is only for you."
    )
    @click.option("--smiles", metavar="COLUMN", help="The column of the pool that has molecules.")
    @click.option(
        "--skip-incomplete", is_flag=True, help="Leave out rows of the pool with an empty cell."
    )
    @click.option(
        "--learn-from",
        multiple=True,
        metavar="CSV",
        help="A table of older results to learn from; once for each.",
    )
    @wraps(command)
    def with_source(**given: Any) -> Any:
        source = Source(**{field.name: given.pop(field.name) for field in fields(Source)})
        return command(source=source, **given)

    return with_source  # type: ignore[return-value]
