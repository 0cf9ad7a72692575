"""`pathmax init`: the first file of a study."""

from __future__ import annotations

import os

import click

from pathmax.cli.options import DIRECTION, placed
from pathmax.cli.output import printable, say, say_json, wants_json
from pathmax.errors import DataFileError
from pathmax.trials.goals import USUAL_DIRECTION
from pathmax.workspace.location import Location
from pathmax.workspace.study_plan import SPACE_FILE


@click.command()
@click.argument("path", default=SPACE_FILE, metavar="[FILE]")
@click.option("--from", "table", metavar="CSV", help="Take parameters from the columns of a table.")
@click.option(
    "--objective",
    multiple=True,
    metavar="COLUMN",
    help="What should get better, such as yield; --objective cost=minimize for one more.",
)
@click.option("--constraint", multiple=True, metavar="LIMIT", help="Such as 'impurity <= 0.5'.")
@click.option("--direction", type=DIRECTION, default=USUAL_DIRECTION, help="What better means.")
@click.option("--force", is_flag=True, help="Replace a file that is there.")
@placed
def init(
    location: Location,
    path: str,
    table: str | None,
    objective: tuple[str, ...],
    constraint: tuple[str, ...],
    direction: str,
    force: bool,
) -> None:
    """Write a space file that explains itself, to be changed to fit your experiment.

    \b
    pathmax init
    pathmax init --from results.csv --objective yield
    pathmax init --objective yield --objective cost=minimize --constraint "impurity <= 0.5"
    """
    from pathmax.tables import replace_file
    from pathmax.workspace.space_template import draft_space, suggest_command

    if os.path.exists(path) and not force:
        raise DataFileError(
            f"{path} is there already; change it, give another name, or replace it with --force"
        )
    draft = draft_space(location.study, objective, constraint, direction, table)
    replace_file(path, draft.text)
    if wants_json():
        say_json({"file": path, "study": draft.study, "left_out": dict(draft.left_out)})
        return
    say(f"Wrote {path}. Open it, change it to fit your experiment, and then ask:")
    say("", f"    {suggest_command(table)}")
    if draft.left_out:
        say()
        say("These columns are ignored, for nobody sets them; if one is a parameter, say so there:")
        for name, why in draft.left_out.items():
            say(f"    {printable(name)} {why}")
