"""`pathmax rank`: how likely is each candidate, or each region, the best?"""

from __future__ import annotations

import click

from pathmax.cli.options import placed, sourced
from pathmax.cli.output import cell, printable, say, say_json, settings, table, target, wants_json
from pathmax.tables import write_table
from pathmax.trials.wording import number, plural
from pathmax.workspace.location import Location
from pathmax.workspace.opened_study import Opened
from pathmax.workspace.ranking import Ranked, likeliest_best, verdict
from pathmax.workspace.rounding import rounded
from pathmax.workspace.study_plan import Source
from pathmax.workspace.table_study import check_overwriting, opened_for_looking


@click.command()
@click.option("-n", "count", default=10, type=click.IntRange(1), help="How many.  [default: 10]")
@click.option("-o", "--output", metavar="CSV", help="Write them to a table; - for the screen.")
@click.option(
    "--paths", default=1000, type=click.IntRange(1), help="Sample paths.  [default: 1000]"
)
@sourced
@click.option("--force", is_flag=True, help="Write over a table that is there.")
@placed
def rank(
    location: Location,
    count: int,
    output: str | None,
    paths: int,
    source: Source,
    force: bool,
) -> None:
    """Say how likely each candidate is the best.

    Which ten should you make? Those that most often come out best among the
    functions that your results allow. In a space of numbers it is regions that
    are ranked, each around a maximum of its own.

    \b
    pathmax rank -n 10
    pathmax rank -n 10 -o ranked.csv
    pathmax rank --data results.csv --pool library.csv --id name
    """
    opened = opened_for_looking(location, source)
    check_overwriting(output, opened.layout, force)
    ranked = likeliest_best(opened, count, paths)
    if output is not None:
        write_table(target(output), *ranked.table())
    if wants_json():
        say_json(ranked.to_json() | {"output": output})
    elif output != "-":
        say_ranking(ranked, output)


def say_ranking(ranked: Ranked, output: str | None) -> None:
    layout, ranking, regret = ranked.opened.layout, ranked.ranking, ranked.regret
    domain = layout.domain
    what = "region" if ranking.extents else "candidate"
    study = printable(ranked.opened.study.name)
    say(f"{plural(len(ranking), what)} of study {study}, the likeliest best first:")
    say()
    settings = [rounded(domain, c.params) for c in ranked.contenders]
    header = [layout.labelled(name) for name in domain.names]
    header += ["best with", f"expected {layout.labelled(layout.objective)}", "tried"]
    rows = [
        [
            *(cell(params[name]) for name in domain.names),
            f"{100 * c.probability:.1f} %",
            f"{number(c.mean)} ± {number(c.std, 2)}",
            "yes" if c.tried else "",
        ]
        for params, c in zip(settings, ranked.contenders, strict=True)
    ]
    say(table(header, rows))
    say()
    say(
        f"From {ranking.n_paths} sample paths, so 50 % means 50 ± {100 * ranking.error(0.5):.1f} %."
        f" Stopping now costs {number(regret.mean, 2)} on average, and at most "
        f"{number(regret.quantile(0.95), 2)} with 95 %, if the model is right."
    )
    if output is not None:
        say(f"Also in {output}.")


def reached(opened: Opened, until: float | None) -> bool:
    """Whether the regret is small enough, with 95 %; if so the answer is given here."""
    if until is None:
        return False
    found, layout = verdict(opened, until), opened.layout
    best = found.recommended
    if best is None:
        if not wants_json() and found.reason:
            say(f"Not there yet: {found.reason}, 0.95 is asked for.")
            say()
        return False
    if wants_json():
        say_json(found.to_json())
    else:
        named = settings(rounded(layout.domain, best.params), layout.labelled)
        say(f"Nothing more to try: {found.reason}, if the model is right.")
        say(f"Best: {named}; expected {number(best.mean)} ± {number(best.std, 2)}")
    return True
