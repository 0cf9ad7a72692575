"""`pathmax rank`: how likely is each candidate, or each region, the best?"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import click

from pathmax.analysis.regret import FAR_FRONT, Regret
from pathmax.cli.options import in_context, placed, sourced
from pathmax.cli.output import cells, printable, say, say_json, settings, table, target, wants_json
from pathmax.tables import write_table
from pathmax.trials.wording import number, plural
from pathmax.workspace import contexts
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
    "--paths",
    type=click.IntRange(1),
    help="Sample paths.  [default: 1000, with several outcomes 100]",
)
@sourced
@click.option("--force", is_flag=True, help="Write over a table that is there.")
@in_context
@placed
def rank(
    location: Location,
    count: int,
    output: str | None,
    paths: int | None,
    source: Source,
    force: bool,
    context: tuple[str, ...],
) -> None:
    """Say how likely each candidate is the best.

    Which ten should you make? Those that most often come out best among the
    functions that your results allow. In a space of numbers it is regions that
    are ranked, each around a maximum of its own. With several objectives it is
    how likely each is on the front, with bounds the best that keeps them.

    \b
    pathmax rank -n 10
    pathmax rank -n 10 -o ranked.csv
    pathmax rank --data results.csv --pool library.csv --id name
    """
    opened = opened_for_looking(location, source)
    check_overwriting(output, opened.layout, force)
    here = contexts.typed_context(opened.study.space, context)
    ranked = likeliest_best(opened, count, paths, context=here)
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
    order = "those likeliest on the front" if ranking.front else "the likeliest best"
    here = f" where {printable(settings(ranked.context))}" if ranked.context else ""
    say(f"{plural(ranking.total or len(ranking), what)} of study {study}{here}, {order} first:", "")
    shown = [rounded(domain, c.params) for c in ranked.contenders]
    header = [layout.labelled(name) for name in domain.names]
    header += ["on the front with" if ranking.front else "best with"]
    header += [f"expected {layout.labelled(column)}" for column in layout.results]
    bounded = ranking.feasibility is not None
    header += [*(["keeps bounds with"] if bounded else []), "tried"]
    rows = []
    for params, c in zip(shown, ranked.contenders, strict=True):
        expected = [c.outcomes.get(outcome, ()) for outcome in layout.results.values()]
        pairs = expected if c.outcomes else [(c.mean, c.std)]
        rows.append(
            [
                *cells(params, domain.names),
                f"{100 * c.probability:.1f} %",
                *(f"{number(p[0])} ± {number(p[1], 2)}" if p else "" for p in pairs),
                *([f"{100 * (c.feasibility or 0.0):.1f} %"] if bounded else []),
                "yes" if c.tried else "",
            ]
        )
    if rows:
        say(table(header, rows), "")
    if bounded and not any(c.probability for c in ranked.contenders):
        bounds = ", ".join(goal.bound_words for goal in ranked.opened.study.goals.constraints)
        say(
            f"None of the sample paths keeps the bounds anywhere: {printable(bounds)}. If results "
            "cannot come so far, loosen a bound; pathmax show has the result that is nearest.",
            "",
        )
    say(
        f"From {ranking.n_paths} sample paths, so 50 % means 50 ± {100 * ranking.error(0.5):.1f} %."
        f" {_cost(regret)}"
    )
    if regret.caution:
        say(regret.caution)
    if output is not None:
        say(f"Also in {output}.")


def _cost(regret: Regret) -> str:
    """What stopping now may cost, in a sentence."""
    if not math.isfinite(regret.quantile(0.95)):
        return "No result keeps the bounds for sure yet, so stopping now may cost everything."
    scale, words = regret.shown
    unit = f" {words}".rstrip()
    short = unit.partition(" of ")[0].partition(" the ")[0]  # once it is known of what
    far = f" {FAR_FRONT}" if regret.beyond else ""
    return (
        f"Stopping now costs {number(scale * regret.mean, 2)}{unit} on average, and at most "
        f"{number(scale * regret.quantile(0.95), 2)}{short} with 95 %, if the model is right.{far}"
    )


def reached(opened: Opened, until: float | None, context: Mapping[str, Any] | None = None) -> bool:
    """Whether the regret is small enough, with 95 %; if so the recommendation is printed here."""
    if until is None:
        return False
    found, layout = verdict(opened, until, context), opened.layout
    best = found.recommended
    if best is None:
        if not wants_json() and found.reason:
            say(f"Not there yet: {found.reason}, 0.95 is asked for.", "")
        return False
    if wants_json():
        say_json(found.to_json())
    else:
        say(f"Nothing more to try: {found.reason}, if the model is right.")
        for one in found.front or (best,):
            named = settings(rounded(layout.domain, one.params), layout.labelled)
            expected = f"{number(one.mean)} ± {number(one.std, 2)}"
            if one.expected:
                expected = ", ".join(
                    f"{printable(layout.labelled(name))} {number(mean)} ± {number(std, 2)}"
                    for name, (mean, std) in one.expected.items()
                )
            say(f"{'On the front' if found.front else 'Best'}: {named}; expected {expected}")
    return True
