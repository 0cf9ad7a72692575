"""How a command ends when it cannot do its work: a sentence and an exit code, no traceback."""

from __future__ import annotations

import errno
import json
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, Any

import click

from pathmax.errors import (
    ExhaustedError,
    MissingExtraError,
    PathmaxError,
    SpaceChangedError,
    StorageError,
    StudyNotFoundError,
)

EXIT_CODES = {
    0: "done",
    1: "something you gave is wrong: a file, a value, the name of a study or trial",
    2: "the command was not understood",
    3: "the database cannot be used: locked, full, damaged or out of reach",
    4: "nothing is left to suggest: every candidate has been tried",
    5: "an optional part is not installed",
}


class TerminalError(click.ClickException):
    """An error on its way to the terminal."""

    def __init__(self, kind: str, message: str, code: int, as_json: bool) -> None:
        super().__init__(message)
        self.exit_code = code  # type: ignore[misc]  # click reads it from the instance
        self.kind, self.as_json = kind, as_json

    def show(self, file: IO[Any] | None = None) -> None:
        if self.as_json:
            told = {"error": self.kind, "message": self.message, "exit_code": self.exit_code}
            click.echo(json.dumps(told, ensure_ascii=False), err=True)
        else:
            shown = "".join(c if c.isprintable() or c == "\n" else " " for c in self.message)
            click.echo(f"{click.style('Error:', fg='red', bold=True)} {shown}", err=True)


def exit_code(error: PathmaxError) -> int:
    """The exit code that an error means."""
    if isinstance(error, StudyNotFoundError | SpaceChangedError):
        return 1
    kinds = {StorageError: 3, ExhaustedError: 4, MissingExtraError: 5}
    return next((code for kind, code in kinds.items() if isinstance(error, kind)), 1)


def _warning_sign() -> Callable[..., None]:
    """Shows each warning as its sentence, once; where it came from in the code helps nobody."""
    shown: set[str] = set()

    def show(message: Warning | str, *_: object, **__: object) -> None:
        if str(message) not in shown:
            shown.add(str(message))
            click.echo(f"{click.style('Warning:', fg='yellow', bold=True)} {message}", err=True)

    return show


@contextmanager
def sentences_for_errors(ctx: click.Context) -> Iterator[None]:
    """Turn every error that a user can cause into its sentence and exit code."""
    typed = list(ctx.args)
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _warning_sign()
            yield
    except PathmaxError as error:
        as_json = bool(ctx.meta.get("pathmax.json"))
        raise TerminalError(type(error).__name__, str(error), exit_code(error), as_json) from error
    except OSError as error:
        if error.errno == errno.EPIPE:  # `| head` has seen enough; click ends quietly
            raise
        as_json, file = bool(ctx.meta.get("pathmax.json")), error.filename
        message = f"{file}: {error.strerror}; give another name" if file else str(error)
        raise TerminalError(type(error).__name__, message, 1, as_json) from error
    except click.UsageError as error:  # before the command has read its options
        remedy = _forgotten_option(error)
        told = error.format_message() + remedy
        if "--json" in typed:
            raise TerminalError("UsageError", told, error.exit_code, True) from error
        if not remedy:
            raise
        raise click.UsageError(told, error.ctx) from error


def _forgotten_option(error: click.UsageError) -> str:
    """What to do about a file that was named without its option."""
    command = None if error.ctx is None else error.ctx.command
    options = {option for one in (command.params if command else ()) for option in one.opts}
    extra = re.search(r"unexpected extra arguments? \((\S+\.(csv|tsv|xlsx|toml))", error.message)
    if extra is None:
        return ""
    option = "--space" if extra[2] == "toml" else "--data"
    return f"; write {option} {extra[1]}" if option in options else ""
