"""`pathmax reproduce`: the experiments of the paper from the command line."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])


@click.group(
    help="""Run the experiments of the paper again, and report what came out.

\b
    pathmax reproduce all --quick      the picture, in three minutes
    pathmax reproduce synthetic        functions drawn from the prior; Table 2
    pathmax reproduce benchmarks       Ackley and Shekel
    pathmax reproduce emulators        alkox and fullerenes
    pathmax reproduce jes              both published forms of JES, on alkox
    pathmax reproduce parameters       when the length scale is not known

\b
Figures, tables and report.md go to the folder `reproduction`. Every finished run
is kept there at once: stop at any time, and the same command goes on from there.
The same seed gives the same numbers, whatever the number of jobs.
"""
)
def reproduce() -> None:
    pass


def wished(command: Command) -> Command:
    """The options that all the commands share."""
    for option in reversed(
        [
            click.option("--trials", type=click.IntRange(1), help="Trials per method.  [20]"),
            click.option(
                "--iterations", type=click.IntRange(1),
                help="Evaluations after the first five.  [200, emulators 150]",
            ),
            click.option("--methods", metavar="A,B,...", help="Only these, e.g. pims,ts."),
            click.option(
                "--sampler", type=click.Choice(["exact", "pathwise", "rff"]), default="exact",
                show_default=True,
                help="How paths are drawn. Where there is no grid, exact means pathwise.",
            ),
            click.option(
                "--model", type=click.Choice(["both", "paper", "pathmax"]), default="both",
                show_default=True,
                help="How benchmarks and emulators are modelled: plain likelihood as in the paper, "
                "with pathmax's priors, or both.",
            ),
            click.option("--jobs", type=click.IntRange(1), help="Processes.  [one per core]"),
            click.option(
                "--out", type=click.Path(file_okay=False), default="reproduction",
                show_default=True, help="The folder for runs, figures and report.md.",
            ),
            click.option("--seed", type=click.IntRange(0), default=0, show_default=True),
            click.option("--quick", is_flag=True, help="Fewer and shorter runs."),
            click.option(
                "--dask", metavar="ADDRESS", help="Run on a Dask cluster: tcp://host:8786."
            ),
        ]
    ):  # fmt: skip
        command = option(command)
    return command


def reproduce_sections(
    sections: tuple[str, ...],
    *,
    methods: str | None,
    jobs: int | None,
    out: str,
    dask: str | None,
    **options: Any,
) -> None:
    """Do what is missing, then write the report."""
    from pathmax.experiments import runner
    from pathmax.experiments.reproduction import Reproduction

    names = tuple(name.strip() for name in methods.split(",")) if methods else None
    whole = Reproduction(sections, methods=names, **options)
    folder, total, missing = Path(out), len(whole.runs()), len(whole.missing(Path(out)))
    if missing < total:
        click.echo(f"{total - missing} of {total} runs are there already", err=True)
    if missing:
        cluster = runner.dask_cluster(dask) if dask else runner.processes(jobs or cores())
        try:
            with cluster as (executor, workers):
                whole.perform(folder, executor, workers)
        except KeyboardInterrupt:
            kept = total - len(whole.missing(folder))
            click.echo(f"\nstopped; {kept} of {total} runs are kept: the same command goes on")
            raise click.exceptions.Exit(130) from None
    click.echo(str(whole.report(folder, command_line(click.get_current_context()))))


def add_command(name: str, sections: tuple[str, ...], words: str) -> None:
    @reproduce.command(name=name, help=words)
    @wished
    def run(**options: Any) -> None:
        reproduce_sections(sections, **options)


SECTION_WORDS = {
    "synthetic": "Functions drawn from the prior, on grids of 10^4 and 20^4 points.",
    "benchmarks": "Ackley in four dimensions and Shekel with ten holes.",
    "emulators": "The Olympus emulators, alkox and fullerenes.",
    "jes": "Both published forms of JES on alkox.",
    "parameters": "PIMS and TS when the kernel's length scale is not known.",
}
for section, words in SECTION_WORDS.items():
    add_command(section, (section,), words)
add_command("all", tuple(SECTION_WORDS), "Everything.")


def command_line(context: click.Context) -> str:
    """The command as it would be typed, without what changes no number and with no default."""
    words = context.command_path.split()
    for option in context.command.params:
        if option.name in ("jobs", "out", "dask"):
            continue
        value = context.params.get(option.name or "")
        if isinstance(value, bool):
            words += [option.opts[0]] if value else []
        elif value is not None and value != option.default:
            words += [option.opts[0], str(value)]
    return " ".join(["pathmax", *words[1:]])


def cores() -> int:
    return os.cpu_count() or 1
