"""The requests with curl in docs/server.md are run as they stand there."""

import os
import re
import subprocess
from pathlib import Path

from pathmax import Study

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
    assert [trial.value for trial in trials] == [73.1, None, 64.0]
    assert trials[1].error == "the stirrer stopped" and len(trials[0].earlier) == 1
    assert (tmp_path / "suzuki.csv").read_text(encoding="utf-8").count("\n") == 4
