"""No request makes the server open a file, but in the folder that it was given."""

from pathlib import Path

import pytest

from tests.web.conftest import client

SPACE = {"study": "s", "objective": {"direction": "maximize"}}


def described(file: str) -> dict[str, object]:
    parameters = {"solvent": {"choices": ["a", "b"], "descriptors": file}}
    return {"space": {**SPACE, "parameters": parameters}}


@pytest.mark.parametrize("name", ["/etc/passwd", "solvents.csv", "../solvents.csv"])
def test_a_table_of_descriptors_is_not_opened(api, name):
    for answer in (
        api.post("/api/studies", json=described(name)),
        api.post(
            "/api/studies",
            json={
                "toml": f'study = "s"\n[objective]\ndirection = "maximize"\n[parameters]\n'
                f'solvent = {{ choices = ["a", "b"], descriptors = "{name}" }}\n'
            },
        ),
    ):
        assert answer.status_code == 422
        assert (
            "opens no files unless it is started with --files FOLDER, the folder"
            in answer.json()["message"]
        )


def test_but_in_the_folder_that_the_server_was_given(serve, tmp_path: Path):
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "solvents.csv").write_text("solvent,polarity\na,0.1\nb,0.7\n")
    (tmp_path / "secret.csv").write_text("solvent,polarity\na,0.1\nb,0.7\n")
    with client(serve(files=folder)) as api:
        assert api.post("/api/studies", json=described("solvents.csv")).status_code == 201
        refused = api.post("/api/studies", json=described("../secret.csv"))
        assert refused.status_code == 422 and "must lie in the folder" in refused.json()["message"]
