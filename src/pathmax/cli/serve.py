"""`pathmax serve`: studies in a browser, and for robots over HTTP."""

from __future__ import annotations

import json
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path

import click

from pathmax.cli.options import stored
from pathmax.cli.output import AS_JSON, say, wants_json
from pathmax.web.demo import demo_storage, laboratory
from pathmax.web.serving import Greeting
from pathmax.web.serving import serve as run_server
from pathmax.web.settings import ServerSettings, token_of_environment


@click.command()
@stored
@click.option("--host", default="127.0.0.1", help="Where to listen.  [default: this machine only]")
@click.option("--port", default=8080, type=click.IntRange(1, 65_535), help="[default: 8080]")
@click.option("--read-only", is_flag=True, help="Nobody can change anything.")
@click.option(
    "--files", type=Path, metavar="DIR", help="A folder whose files a space.toml may name."
)
@click.option(
    "--allow-host", multiple=True, metavar="NAME", help="A name by which browsers find it."
)
@click.option("--certfile", metavar="PEM", help="For TLS.")
@click.option("--keyfile", metavar="PEM", help="For TLS.")
@click.option("--behind-proxy", is_flag=True, help="A proxy in front speaks TLS.")
@click.option("--demo", is_flag=True, help="A simulated laboratory at work; nothing is written.")
@click.option("--json", "as_json", is_flag=True, help="Print the links as JSON, for programs.")
@click.pass_context
def serve(
    ctx: click.Context,
    storage: str,
    host: str,
    port: int,
    read_only: bool,
    files: Path | None,
    allow_host: tuple[str, ...],
    certfile: str | None,
    keyfile: str | None,
    behind_proxy: bool,
    demo: bool,
    as_json: bool,
) -> None:
    """Look at studies and enter results in a browser; robots use the same over HTTP.

    A link with a token is printed. The token can be given in PATHMAX_TOKEN.

    \b
    pathmax serve
    pathmax serve --storage lab.db --port 9000
    pathmax serve --read-only
    pathmax serve --demo
    """
    lab = demo_storage() if demo else None
    settings = ServerSettings(
        storage=storage if lab is None else lab,
        host=host,
        port=port,
        token=token_of_environment(),
        read_only=read_only,
        files=files,
        allowed_hosts=allow_host,
        certfile=certfile,
        keyfile=keyfile,
        proxied=behind_proxy,
    )
    ctx.meta[AS_JSON] = as_json
    with nullcontext() if lab is None else laboratory(lab):
        run_server(settings, _say_greeting)


def _say_greeting(greeting: Greeting) -> None:
    if wants_json():
        say(json.dumps(asdict(greeting)))  # on one line: the process goes on
        return
    for line in greeting.lines:
        say(line)
