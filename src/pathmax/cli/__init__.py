"""The command line. Each command is imported when it is called, so that help costs nothing.

A further group of commands is attached by a line in COMMANDS; its module needs no other change.
"""

from __future__ import annotations

import difflib
from importlib import import_module
from typing import NamedTuple

import click

from pathmax import __version__
from pathmax.cli.exit_codes import EXIT_CODES, sentences_for_errors
from pathmax.garbage_collection import collector_at_rest

__all__ = ["main"]


class LazyCommand(NamedTuple):
    """Where a command is found, and what the list of commands says of it."""

    home: str
    summary: str


COMMANDS: dict[str, dict[str, LazyCommand]] = {
    "Start": {
        "init": LazyCommand("pathmax.cli.start:init", "write space.toml: what may vary"),
        "demo": LazyCommand("pathmax.cli.demo:demo", "watch it work on a simulated reaction"),
    },
    "Experiment": {
        "suggest": LazyCommand("pathmax.cli.suggest:suggest", "what to try next"),
        "tell": LazyCommand("pathmax.cli.tell:tell", "the result of a trial"),
        "fail": LazyCommand("pathmax.cli.tell:fail", "a trial that gave no result"),
        "report": LazyCommand("pathmax.cli.report:report", "a value on the way; stop or go on"),
        "add": LazyCommand("pathmax.cli.tell:add", "a result from before"),
        "import": LazyCommand("pathmax.cli.transfer:import_", "results from a CSV file"),
        "export": LazyCommand("pathmax.cli.transfer:export", "all trials as a CSV file"),
    },
    "Look": {
        "show": LazyCommand("pathmax.cli.show:show", "the best, the progress, what is running"),
        "rank": LazyCommand("pathmax.cli.rank:rank", "how likely each candidate is the best"),
        "explain": LazyCommand("pathmax.cli.suggest:explain", "why a trial was suggested"),
        "plot": LazyCommand("pathmax.cli.plot:plot", "progress and the model, as a figure"),
        "serve": LazyCommand("pathmax.cli.serve:serve", "all of it in a browser, and for robots"),
    },
    "Studies": {
        "studies": LazyCommand("pathmax.cli.studies:studies", "which there are"),
        "delete": LazyCommand("pathmax.cli.studies:delete", "remove one, after asking"),
    },
    "Research": {
        "bound": LazyCommand("pathmax.cli.bound:bound", "how large the regret can be"),
        "reproduce": LazyCommand(
            "pathmax.experiments.command:reproduce", "the experiments of the paper"
        ),
    },
}

TUTORIAL = """Which experiment should you run next?

\b
Say what may vary, ask what to try, tell what came out:

\b
    pathmax init              writes space.toml; change it to fit your experiment
    pathmax suggest -n 4      four experiments to run
    pathmax tell 0 71.3       trial 0 gave 71.3
    pathmax tell 1 64.0       trial 1 gave 64.0
    pathmax fail 2            trial 2 broke; the study goes on and avoids that corner
    pathmax suggest           the next one, now that more is known
    pathmax show              how far you are

\b
It is all kept in the file pathmax.db in this folder. Ask as often as you like:
trials that are still running are taken into account.

\b
Or keep your results in a table, as always, and have no database at all:

\b
    pathmax suggest --space space.toml --data results.csv -n 4 -o next.csv

\b
A row with a value is a result, a row without one is still running, and next.csv
has the columns of your table. To choose from a list of candidates instead of a
space, add --pool library.csv.
"""


IN_OTHER_COMMANDS = {  # what is a method in Python, and part of another command here
    "ask": "`pathmax suggest` says what to try next",
    "best": "`pathmax show` has the best result",
    "front": "`pathmax show` has the front, and `pathmax plot --kind front` draws it",
    "recommend": "`pathmax rank` says what is most likely the best",
}


class CommandList(click.Group):
    """A group whose commands are imported one by one, when they are needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for section in COMMANDS.values() for name in section]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        entry = next((section[name] for section in COMMANDS.values() if name in section), None)
        if entry is None:
            return None
        module, _, attribute = entry.home.partition(":")
        with collector_at_rest():
            command: click.Command = getattr(import_module(module), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in self.list_commands(ctx):
            near = difflib.get_close_matches(args[0], self.list_commands(ctx), n=1)
            remedy = f"did you mean {near[0]!r}?" if near else "`pathmax --help` lists them"
            remedy = IN_OTHER_COMMANDS.get(args[0], remedy)
            ctx.fail(f"there is no command {args[0]!r}; {remedy}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, self.list_commands(ctx)))
        for title, section in COMMANDS.items():
            with formatter.section(title):
                rows = [(name.ljust(width), entry.summary) for name, entry in section.items()]
                formatter.write_dl(rows)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Exit codes"):
            formatter.write_dl([(str(code), meaning) for code, meaning in EXIT_CODES.items()])
        formatter.write_paragraph()
        formatter.write_text("`pathmax COMMAND --help` explains a command with examples.")

    def invoke(self, ctx: click.Context) -> object:
        with sentences_for_errors(ctx):
            return super().invoke(ctx)


@click.group(
    cls=CommandList,
    help=TUTORIAL,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 88},
)
@click.version_option(__version__, prog_name="pathmax")
def main() -> None:
    pass
