"""The API does what a study does, and says why when it does not."""

import re
from urllib.parse import quote

import httpx
import pytest

from pathmax import Float, Study
from tests.web.conftest import SPACE


def told(api: httpx.Client, study: str, values: list[float]) -> list[int]:
    """Ask for trials and tell these values."""
    numbers = []
    for value in values:
        trial = api.post(f"{study}/ask", json={}).json()["trials"][0]
        answer = api.post(f"{study}/trials/{trial['number']}/tell", json={"value": value})
        assert answer.status_code == 200, answer.text
        numbers.append(trial["number"])
    return numbers


class TestStudies:
    def test_a_study_is_made_listed_and_shown(self, api, study):
        (line,) = api.get("/api/studies").json()["studies"]
        assert (line["name"], line["words"]) == ("suzuki", "maximize yield (%)")
        shown = api.get(study).json()
        assert [p["label"] for p in shown["space"]["parameters"]] == ["temperature (°C)", "solvent"]
        assert shown["goals"][0]["label"] == "yield (%)"
        assert shown["best"] is None and shown["front"] is None

    def test_the_same_study_is_not_made_twice_and_another_is_refused(self, api, study):
        assert api.post("/api/studies", json={"space": SPACE}).status_code == 200
        other = {**SPACE, "parameters": {"x": {"low": 0, "high": 1}}}
        refused = api.post("/api/studies", json={"space": other})
        assert refused.status_code == 409
        assert refused.json()["error"] == "SpaceChangedError"

    @pytest.mark.parametrize(
        "name",
        ["a/b", "50 % THF", "%2F", "<img src=x onerror=alert(1)>", "量子?#", "x" * 200, "../.."],
    )
    def test_any_name_can_be_asked_for(self, api, name):
        assert api.post("/api/studies", json={"space": SPACE, "name": name}).status_code == 201
        path = f"/api/studies/{quote(name, safe='')}"
        assert api.get(path).json()["name"] == name
        assert api.post(f"{path}/ask", json={}).status_code == 200
        assert api.delete(path).json() == {"deleted": name}
        assert api.get(path).status_code == 404

    @pytest.mark.parametrize("name", [".", ".."])
    def test_a_name_that_clients_take_for_a_folder_is_refused_and_one_that_is_there_opens(
        self, api, settings, name
    ):
        refused = api.post("/api/studies", json={"space": SPACE, "name": name})
        assert refused.status_code == 422 and "take that for a folder" in refused.json()["message"]
        (error,) = api.post("/api/check", json={"space": {**SPACE, "study": name}}).json()["errors"]
        assert "take that for a folder" in error["message"]
        Study({"x": Float(0, 1)}, name=name, storage=settings.storage)
        page = api.get("/").text
        (link,) = re.findall(r'href="(/studies/[^"]+)"', page)
        shown = api.get(link)
        assert shown.status_code == 200 and f"<h1>{name}</h1>" in shown.text
        (ask,) = re.findall(r'data-send="([^"]+/ask)"', shown.text)
        assert api.post(ask, json={}).status_code == 200
        assert api.get(f"/api/studies/%1E{name}").json()["counts"]["running"] == 1

    @pytest.mark.parametrize("preview", [True, False])
    def test_another_space_that_leaves_nothing_is_refused_before_and_when_it_is_changed(
        self, api, study, preview
    ):
        """A preview said what would change, and only the change itself that it could not be."""
        before = api.get(study).json()["space"]
        space = {**SPACE, "where": ["temperature >= 60", "temperature <= 50"]}
        refused = api.post(f"{study}/space", json={"space": space, "preview": preview})
        assert refused.status_code == 422 and "nothing can be tried" in refused.json()["message"]
        assert api.get(study).json()["space"] == before

    def test_a_form_is_checked_as_one_types(self, api):
        wrong = {
            **SPACE,
            "parameters": {"a": {"low": 2, "high": 1}, "b": {"lo": 3, "high": 4}, "c": [1, 2]},
        }
        errors = api.post("/api/check", json={"space": wrong}).json()["errors"]
        assert ["parameters", "a"] in [each["where"] for each in errors]
        assert ["parameters", "b", "lo"] in [each["where"] for each in errors]
        assert "low must be below high" in errors[0]["message"]
        assert api.post("/api/check", json={"space": SPACE}).json() == {"errors": []}
        assert api.get("/api/studies").json() == {"studies": []}


class TestTrials:
    def test_ask_tell_fail_correct_annotate_and_add(self, api, study, settings):
        told(api, study, [41.0, 60.0, 55.0])
        (trial,) = api.post(f"{study}/ask", json={"n": 1}).json()["trials"]
        assert trial["method"] == "pims" and trial["expected"]["value"]["std"] > 0
        failed = api.post(f"{study}/trials/3/fail", json={"reason": "spilt"}).json()
        assert failed["trial"]["error"] == "spilt"
        corrected = api.post(f"{study}/trials/3/correct", json={"value": "71,3"}).json()
        assert corrected["trial"]["outcomes"] == {"value": 71.3} and corrected["best"] == 3
        api.post(f"{study}/trials/3/annotate", json={"note": "clear", "attributes": {"by": "Ada"}})
        params = {"temperature": "80,5", "solvent": "THF"}
        added = api.post(f"{study}/trials", json={"params": params, "value": 12, "std": 0.5})
        assert added.status_code == 201 and added.json()["trial"]["noise"] == 0.25
        stored = Study.load("suzuki", storage=settings.storage).trials
        assert [t.value for t in stored] == [41.0, 60.0, 55.0, 71.3, 12.0]
        assert (stored[3].note, stored[3].attributes["by"]) == ("clear", "Ada")
        assert stored[4].params == {"temperature": 80.5, "solvent": "THF"}

    def test_errors_are_sentences_with_a_code(self, api, study):
        told(api, study, [41.0])
        again = api.post(f"{study}/trials/0/tell", json={"value": 1})
        assert again.status_code == 409
        assert again.json()["error"] == "TrialError" and "already told" in again.json()["message"]
        assert api.post(f"{study}/trials/7/tell", json={"value": 1}).status_code == 404
        typed = api.post(f"{study}/trials/0/correct", json={"value": "a lot"})
        assert typed.status_code == 422 and "a lot" in typed.json()["message"]
        unknown = api.post(f"{study}/ask", json={"count": 3})
        assert unknown.status_code == 422 and "count" in unknown.json()["message"]
        assert api.get("/api/studies/nobody").json()["error"] == "StudyNotFoundError"
        assert api.get("/nowhere").status_code == 404
