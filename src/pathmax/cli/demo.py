"""`pathmax demo`: a simulated reaction, so that there is something to see in the first minute."""

from __future__ import annotations

from typing import Any

import click

from pathmax.cli.output import cell, say, say_json, say_progress, settings, table
from pathmax.study import Study
from pathmax.trials.wording import number
from pathmax.workspace.rounding import rounded
from pathmax.workspace.simulated_reaction import REACTION_SPACE, reaction_yield


@click.command()
@click.option("--trials", default=20, type=click.IntRange(2, 200), help="How many experiments.")
@click.option("--seed", default=0, type=click.IntRange(0), help="Another seed, another run.")
@click.option("--front", is_flag=True, help="Yield against minutes: a front, not one best.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON, for programs.")
def demo(trials: int, seed: int, front: bool, as_json: bool) -> None:
    """Optimise a simulated reaction, to see what happens. Nothing is written.

    \b
    pathmax demo
    pathmax demo --front
    """
    if front:
        demo_front(trials, seed, as_json)
        return
    study = Study(REACTION_SPACE, direction="maximize", seed=seed)
    for _ in range(trials):
        trial = study.ask()
        study.tell(trial, round(reaction_yield(**trial.params), 1))  # type: ignore[arg-type]
    best, told = study.best_trial, study.trials
    if as_json:
        say_json({"best": best.to_json(), "trials": [trial.to_json() for trial in told]})
        return
    say("A simulated reaction: which temperature, time and solvent give most product?")
    say("Each experiment is chosen from the results before it.", "")
    rows = [[*map(cell, rounded(REACTION_SPACE, t.params).values()), number(t.value)] for t in told]
    say(table([*REACTION_SPACE.names, "yield (%)"], rows))
    goal = study.goals.first
    say_progress(goal, [trial.outcomes[goal.name] for trial in told])
    shown = settings(rounded(REACTION_SPACE, best.params))
    say("", f"Best: {number(best.value)} % with {shown}", "", "Now your own: pathmax init")


def demo_front(trials: int, seed: int, as_json: bool) -> None:
    """Much product in little time, and at most so hot: no single experiment is the best."""
    study = Study(
        REACTION_SPACE,
        objectives={"yield": "maximize", "hours": "minimize"},
        constraints={"heat": "<= 90"},
        seed=seed,
    )
    for _ in range(trials):
        trial = study.ask()
        params: dict[str, Any] = trial.params
        heat = params["temperature"] + {"DMF": 8.0, "THF": 12.0, "water": 0.0}[params["solvent"]]
        made = round(reaction_yield(**params), 1)
        hours = round(params["minutes"] / 60, 2)
        study.tell(trial, {"yield": made, "hours": hours, "heat": round(heat, 1)})
    best, told = sorted(study.front, key=lambda t: t.outcomes["hours"]), study.trials
    if as_json:
        numbers = [trial.number for trial in best]
        say_json({"front": numbers, "trials": [trial.to_json() for trial in told]})
        return
    say("A simulated reaction: much product in little time, the heat in the vessel at most 90 °C.")
    say(f"After {trials} experiments nothing tried is better in everything than these:", "")
    rows = [
        [*map(cell, rounded(REACTION_SPACE, t.params).values()),
         *(number(t.outcomes[name]) for name in ("yield", "hours", "heat"))]
        for t in best
    ]  # fmt: skip
    say(table([*REACTION_SPACE.names, "yield (%)", "hours", "heat (°C)"], rows), "")
    broken = sum(trial.outcomes["heat"] > 90 for trial in told)
    say(f"{broken} of {trials} experiments were too hot.")
    say("", "Now your own: pathmax init, with a section [outcomes] (docs/outcomes.md)")
