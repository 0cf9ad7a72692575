"""The pages of one study, as HTML."""

import re

import pytest

import pathmax
from pathmax.storage import open_storage
from tests.web.conftest import SPACE


@pytest.fixture
def kept(api, study) -> None:
    for i, attributes in enumerate([{"batch": 7, "by": "Ada"}, {"batch": 12}, {"peaks": [1, 2]}]):
        body = {
            "params": {"temperature": 30 + i, "solvent": "THF"},
            "value": i,
            "attributes": attributes,
        }
        assert api.post(f"{study}/trials", json=body).status_code == 201


def column(page: str, name: str) -> list[str]:
    return re.findall(rf'<td data-label="{name}"[^>]*>([^<]*)</td>', page)


def test_attributes_are_columns_of_the_table_by_which_it_is_sorted_and_filtered(api, kept):
    page = api.get("/trials/suzuki", params={"sort": "attributes.batch", "order": "down"}).text
    assert column(page, "batch") == ["12", "7", ""]
    assert column(page, "by") == ["", "Ada", ""]
    assert column(page, "peaks") == ["", "", "[1, 2]"]
    found = api.get("/trials/suzuki", params={"text": "batch > 8"}).text
    assert column(found, "batch") == ["12"]
    found = api.get("/trials/suzuki", params={"text": "by == 'Ada'"}).text
    assert 'role="alert">not' not in found, re.findall("not filtered[^<]*", found)
    assert column(found, "by") == ["Ada"]


def test_the_api_sorts_by_attributes(api, study, kept):
    found = api.get(f"{study}/trials", params={"sort": "-attributes.batch"}).json()["trials"]
    assert [trial["number"] for trial in found] == [1, 0, 2]


def test_an_export_with_attributes_makes_the_same_study_again(api, study, kept):
    table = api.get(f"{study}/export.csv").text
    assert table.splitlines()[0].endswith("attributes.batch,attributes.by,attributes.peaks")
    api.post("/api/studies", json={"space": SPACE, "name": "again"})
    taken = api.post("/api/studies/again/import?ignore=trial", content=table)
    assert taken.status_code == 200, taken.text
    both = [api.get(f"/api/studies/{n}/trials").json()["trials"] for n in ("suzuki", "again")]
    assert [t["attributes"] for t in both[0]] == [t["attributes"] for t in both[1]]
    assert both[1][2]["attributes"] == {"peaks": [1, 2]}


@pytest.mark.parametrize(
    "path",
    [
        "/trials/suzuki",
        "/trial/suzuki?number=0",
        "/api/studies/suzuki/export.csv",
    ],
)
def test_half_a_character_that_is_stored_is_shown_as_a_question_mark(settings, api, kept, path):
    remarks = {"note": "note \udcff.", "attributes": {"name \udcff": "file \udcff."}}
    with open_storage(settings.storage) as storage:
        storage.annotate("suzuki", 0, **remarks)
    shown = api.get(path)
    assert shown.status_code == 200
    assert "note ?." in shown.text and "file ?." in shown.text


def test_programs_see_all_attributes_but_those_that_pathmax_keeps(api, study, kept):
    given = {"pathmax_batch": 3}
    api.post(f"{study}/trials/0/annotate", json={"attributes": given})
    api.post(f"{study}/trials/0/correct", json={"value": 5})
    assert api.get(f"{study}/trials/0").json()["attributes"] == {"batch": 7, "by": "Ada", **given}


@pytest.mark.parametrize("kind", ["pool", "grid"])
def test_a_list_with_a_fidelity_is_asked_told_and_shown(api, settings, kind):
    assay = pathmax.Fidelity(["quick", "full"], cost=[1, 20])
    rows = [{"name": f"m{i}", "x": i / 9, "y": (i * 3) % 7} for i in range(10)]
    space = pathmax.Candidates(rows, id="name").with_fidelity("assay", assay)
    if kind == "grid":
        space = pathmax.Grid({"x": [0, 0.5, 1], "y": [0, 1, 2], "assay": assay})
    study = pathmax.Study(space, name="hits", storage=settings.storage, seed=0, initial=3)
    for i in range(5):
        (trial,) = api.post("/api/studies/hits/ask", json={}).json()["trials"]
        told = api.post(f"/api/studies/hits/trials/{trial['number']}/tell", json={"value": i})
        assert told.status_code == 200
    best = max((t for t in study.trials if t.params["assay"] == "full"), key=lambda t: t.value)
    assert study.best_trial.number == best.number
    for page in ("/studies/hits", "/space/hits", "/"):
        assert api.get(page).status_code == 200
    assert "quick" in api.get("/studies/hits").text
    points = api.get("/api/studies/hits/recommendation").json()["points"]
    assert [point["params"]["assay"] for point in points] == ["full"]
    added = {"params": dict(best.params) | {"assay": "quick"}, "value": 3}
    assert api.post("/api/studies/hits/trials", json=added).status_code in (200, 201)
    assert study.trials[-1].params["assay"] == "quick"
