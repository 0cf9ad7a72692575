"""The requests with curl in docs/server.md are run as they stand there."""

import os
import re
import subprocess
from pathlib import Path

from pathmax import Study
from pathmax.web.app import make_app
from pathmax.web.settings import ServerSettings
from tests.web.conftest import TOKEN

PAGE = Path(__file__).parents[2] / "docs" / "server.md"
BLOCK = re.compile(r"^```console\n(?P<body>.*?)^```", re.M | re.S)


def commands() -> list[str]:
    """Each command of the page that begins with curl, on however many lines it stands."""
    found: list[str] = []
    for block in BLOCK.finditer(PAGE.read_text(encoding="utf-8")):
        if block["body"].startswith("$ curl"):
            found += [part.strip() for part in re.split(r"^\$ ", block["body"], flags=re.M)[1:]]
    return found


def test_every_request_of_the_page_is_answered(settings, tmp_path):
    environment = {**os.environ, "URL": settings.origin, "PATHMAX_TOKEN": settings.token}
    assert len(commands()) >= 10
    for command in commands():
        done = subprocess.run(
            ["bash", "-c", command.replace("curl -sS", "curl -sS --fail-with-body", 1)],
            env=environment,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    trials = Study.load("suzuki", storage=settings.storage).trials
    assert [trial.value for trial in trials] == [73.1, None, 64.0, None]
    assert (trials[3].state, trials[3].error) == ("stopped", "nothing happens")
    assert trials[1].error == "the stirrer stopped" and len(trials[0].earlier) == 1
    assert (tmp_path / "suzuki.csv").read_text(encoding="utf-8").count("\n") == 4


def test_the_page_names_every_address_and_no_other(tmp_path):
    app = make_app(ServerSettings(storage=f"sqlite:///{tmp_path / 'lab.db'}", token=TOKEN))
    paths = {
        path.replace("{name}", "NAME").replace("{number}", "N") for path in app.openapi()["paths"]
    }
    app.state.server.studies.close()
    text = PAGE.read_text(encoding="utf-8")
    listed = text[text.index("| in Python | over HTTP |") : text.index("An error is a sentence")]
    named = {found.partition("?")[0] for found in re.findall(r"`(/[^`]+)`", listed)}
    named = {path if path.startswith("/api/") else f"/api/studies/NAME{path}" for path in named}
    assert named == paths
