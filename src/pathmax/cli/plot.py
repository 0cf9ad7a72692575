"""`pathmax plot`: a study as a figure."""

from __future__ import annotations

import click

from pathmax.cli.options import placed, sourced
from pathmax.cli.output import say, say_json, wants_json
from pathmax.plots import save
from pathmax.workspace.location import Location
from pathmax.workspace.study_figures import FIGURE_KINDS, draw
from pathmax.workspace.study_plan import Source
from pathmax.workspace.table_study import opened_for_looking


@click.command()
@click.option("-o", "--output", metavar="FILE", default="pathmax.png", help="png, svg, pdf, html.")
@click.option("--kind", type=click.Choice(FIGURE_KINDS), default="overview", help="What to draw.")
@click.option("--outcome", metavar="NAME", help="Whose importances or calibration.")
@sourced
@placed
def plot(location: Location, output: str, kind: str, outcome: str | None, source: Source) -> None:
    """Draw the progress, the model along each parameter, and how settings go with results.

    "importances" shows which parameters matter, "calibration" whether the model is any good.

    \b
    pathmax plot -o progress.png
    pathmax plot --kind slices -o slices.svg
    pathmax plot --kind importances -o importances.png
    pathmax plot --data results.csv -o results.png
    """
    opened = opened_for_looking(location, source)
    save(draw(opened, kind, outcome, output), output)
    if wants_json():
        say_json({"study": opened.study.name, "kind": kind, "output": output})
    else:
        say(f"Drew {output}.")
