"""`pathmax rank`: how likely is each candidate, or each region, the best?"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import click

from pathmax.analysis.best import Contender, Ranking
from pathmax.analysis.regret import Regret
from pathmax.analysis.stopping import StopWhen
from pathmax.cli.options import placed, sourced
from pathmax.cli.output import cell, printable, say, say_json, settings, table
from pathmax.tables import write_table
from pathmax.trials.wording import number, plural
from pathmax.workspace.opening import Opened
from pathmax.workspace.plan import Place, Source
from pathmax.workspace.rounding import rounded
from pathmax.workspace.table_study import check_overwriting, opened_for_looking

COLUMNS = ("probability", "expected", "std", "tried")


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
    place: Place,
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
    opened = opened_for_looking(place, source)
    check_overwriting(output, opened.layout, force)
    ranking = opened.study.best_probabilities(n_paths=paths)
    regret = opened.study.regret()
    contenders = ranking.top(count)
    if output is not None:
        write_ranking(opened, contenders, output)
    if place.as_json:
        say_json(ranking_json(opened, ranking, contenders, regret, output))
    elif output != "-":
        say_ranking(opened, ranking, contenders, regret, output)


def write_ranking(opened: Opened, contenders: Sequence[Contender], output: str) -> None:
    names = opened.layout.domain.names
    rows = [
        [*(c.params[name] for name in names), c.probability, c.mean, c.std, c.tried]
        for c in contenders
    ]
    write_table(sys.stdout if output == "-" else output, [*names, *COLUMNS], rows)


def say_ranking(
    opened: Opened,
    ranking: Ranking,
    contenders: Sequence[Contender],
    regret: Regret,
    output: str | None,
) -> None:
    layout, domain = opened.layout, opened.layout.domain
    what = "region" if ranking.extents else "candidate"
    study = printable(opened.study.name)
    say(f"{plural(len(ranking), what)} of study {study}, the likeliest best first:")
    say()
    settings = [rounded(domain, c.params) for c in contenders]
    header = [layout.labelled(name) for name in domain.names]
    header += ["best with", f"expected {layout.labelled(layout.objective)}", "tried"]
    rows = [
        [
            *(cell(params[name]) for name in domain.names),
            f"{100 * c.probability:.1f} %",
            f"{number(c.mean)} ± {number(c.std, 2)}",
            "yes" if c.tried else "",
        ]
        for params, c in zip(settings, contenders, strict=True)
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


def ranking_json(
    opened: Opened,
    ranking: Ranking,
    contenders: Sequence[Contender],
    regret: Regret,
    output: str | None,
) -> dict[str, Any]:
    return {
        "study": opened.study.name,
        "n_paths": ranking.n_paths,
        "exact": ranking.exact,
        "regret": {"mean": regret.mean, "quantile_95": regret.quantile(0.95)},
        "contenders": [
            {
                "params": c.params,
                "probability": c.probability,
                "mean": c.mean,
                "std": c.std,
                "tried": c.tried,
                "extent": {name: list(ends) for name, ends in c.extent.items()},
            }
            for c in contenders
        ],
        "output": output,
    }


def reached(place: Place, opened: Opened, until: float | None) -> bool:
    """Whether the regret is small enough, with 95 %; if so the answer is given here."""
    if until is None:
        return False
    study, layout = opened.study, opened.layout
    verdict = StopWhen(regret=until)(study)
    if not verdict:
        if not place.as_json and str(verdict):
            say(f"Not there yet: {verdict}, 0.95 is asked for.")
            say()
        return False
    params = study.recommend()
    mean, std = study.predict([params])
    if place.as_json:
        found = {"params": params, "mean": float(mean[0]), "std": float(std[0])}
        say_json({"study": study.name, "suggestions": [], "done": str(verdict), "best": found})
    else:
        named = settings(rounded(layout.domain, params), layout.labelled)
        say(f"Nothing more to try: {verdict}, if the model is right.")
        say(f"Best: {named}; expected {number(float(mean[0]))} ± {number(float(std[0]), 2)}")
    return True
