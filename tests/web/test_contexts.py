"""Contexts over the API and on the page."""

import pytest

SPACE = {
    "study": "film",
    "objective": {"name": "strength", "direction": "maximize"},
    "parameters": {
        "humidity": {"low": 20, "high": 80, "context": True},
        "batch": {"choices": ["a", "b"], "context": True},
        "time": {"low": 1, "high": 10},
    },
    "settings": {"seed": 0, "initial": 2},
}
STUDY = "/api/studies/film"


@pytest.fixture(autouse=True)
def film(api):
    assert api.post("/api/studies", json={"space": SPACE}).status_code == 201


def test_a_request_says_the_context_as_a_number_or_as_people_type_it(api):
    typed = {"humidity": "40,5", "batch": "b"}
    for context in (typed, {"humidity": 40.5, "batch": "b"}, typed):
        (trial,) = api.post(f"{STUDY}/ask", json={"context": context}).json()["trials"]
        assert {k: trial["params"][k] for k in typed} == {"humidity": 40.5, "batch": "b"}
        told = api.post(f"{STUDY}/trials/{trial['number']}/tell", json={"value": 1 + len(context)})
        assert told.status_code == 200
    other = {"context": ["humidity=70", "batch=a"]}
    for path in ("recommendation", "ranking?paths=8"):
        found = api.get(f"{STUDY}/{path}", params=other if "?" not in path else None).json()
        points = found.get("points") or found["contenders"]
        wanted = 70.0 if path == "recommendation" else 40.5
        assert {point["params"]["humidity"] for point in points} == {wanted}
    assert api.get(f"{STUDY}/regret?paths=8&context=humidity=70&context=batch=a").status_code == 200


def test_a_missing_context_is_refused_with_a_sentence(api):
    refused = api.post(f"{STUDY}/ask", json={"context": {"humidity": 40}})
    assert refused.status_code in (400, 409, 422)
    assert "batch: given and not chosen" in refused.text


def test_the_page_asks_for_the_context(api):
    page = api.get("/studies/film").text
    assert 'name="humidity" data-into="context."' in page
    assert '<select name="batch" data-into="context." required>' in page
    assert "given and not chosen" in api.get("/space/film").text
