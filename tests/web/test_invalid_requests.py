"""Whatever is wrong with a request: one shape, a code, and a sentence in plain words."""

from collections.abc import Iterator

import httpx
import pytest

from tests.web.conftest import SPACE, client, running

DIGITS = "9" * 5000
FRAMEWORK = ("input should", "unable to parse", "extra inputs", "field required", "detail", "union")


@pytest.fixture(scope="module")
def api() -> Iterator[httpx.Client]:
    """One server for all: nothing of what is sent here changes anything."""
    with running(storage="memory") as settings, client(settings) as made:
        made.post("/api/studies", json={"space": SPACE})
        made.post("/api/studies/suzuki/ask", json={})
        yield made


@pytest.fixture
def study(api) -> str:
    return "/api/studies/suzuki"


def refused(answer) -> str:
    """The sentence of an error that has the shape of all errors."""
    content = answer.json()
    assert set(content) == {"error", "message", "status"}
    assert content["status"] == answer.status_code >= 400
    assert content["error"] and content["error"] != "Refused"
    assert not any(words in content["message"].lower() for words in FRAMEWORK), content
    return content["message"]


BODIES = {
    '{"value": NaN}': "value: expected a number, text",
    '{"value": -Infinity}': "got -Infinity",
    '{"value": 1e999}': "value: expected a number",
    '{"value": "inf"}': "'inf' is not a number",
    '{"value": null}': "got null",
    '{"value": true}': "got true",
    '{"value": [1]}': "got [1]",
    '{"value": {"value": false}}': "got false",
    f'{{"value": {DIGITS}}}': "thousands of digits",
    f'{{"value": "{DIGITS}"}}': "too large",
    '{"value": 1, "std": -1}': "std: expected",
    '{"value": 1, "std": NaN}': "std: expected a number",
    '{"value": 1, "cost": "x"}': 'cost: expected a number, got "x"',
    '{"value": 1, "cost": -1}': "cost: expected 0.0 or more, got -1",
    '{"value": 1, "attributes": {"a": NaN}}': "attributes: expected what JSON can hold",
    '{"value": 1, "attributes": [1]}': "attributes: expected an object",
    '{"value": 1, "note": 5}': "note: expected text, got 5",
    '{"value": 1, "vale": 5}': "vale: there is no such entry",
    '{"value": 1, "path": 5}': "path: there is no such entry",
    "{}": "value: is missing",
    "5": "the body must be a JSON object, got 5",
    "": "there is no body",
    "{": "the body is not JSON",
    "[" * 3000: "nested too deeply",
}


@pytest.mark.parametrize("body", BODIES, ids=lambda body: body[:30])
def test_bodies(api, study, body):
    headers = {"Content-Type": "application/json"}
    answer = api.post(f"{study}/trials/0/tell", content=body, headers=headers)
    assert answer.status_code in (400, 422)
    assert BODIES[body] in refused(answer)
    assert api.get(study).json()["counts"]["running"] == 1


@pytest.mark.parametrize("path", ["turn", "release", "finish"])
@pytest.mark.parametrize("body", ["[]", "{", ""])
def test_what_no_pathmax_program_sends_to_the_storage(api, path, body):
    answer = api.post(f"/api/storage/v1/{path}", content=body)
    assert answer.status_code == 400
    assert "not what pathmax sends" in refused(answer)


def test_text_that_is_no_json_is_told_what_to_send(api, study):
    answer = api.post(f"{study}/ask", content='{"n": 1}', headers={"Content-Type": "text/plain"})
    assert "Content-Type: application/json, got text/plain" in refused(answer)


REQUESTS = {
    ("GET", "/api/nowhere"): (404, "there is nothing at /api/nowhere"),
    ("PUT", "/api/studies"): (405, "PUT does not go with /api/studies"),
    ("GET", "/api/studies/suzuki/trials/abc"): (422, 'number: expected a whole number, got "abc"'),
    ("GET", f"/api/studies/suzuki/trials/{DIGITS}"): (422, "of fewer digits"),
    ("GET", "/api/studies/suzuki/trials/7"): (404, "has no trial 7"),
    ("GET", "/api/studies/suzuki/trials?limit=0"): (422, 'limit: expected 1 or more, got "0"'),
    ("GET", "/api/studies/suzuki/trials?offset=-1"): (422, "offset: expected 0 or more"),
    ("GET", "/api/studies/suzuki/trials?sort=nothing"): (422, "cannot be sorted by 'nothing'"),
    ("GET", "/api/studies/nobody"): (404, "there is no study 'nobody'"),
    ("GET", "/api/studies/suzuki/regret"): (409, "no trial has a value yet"),
    ("GET", "/data/nothing/suzuki"): (422, "there is no chart 'nothing'"),
    ("GET", "/static/nothing.js"): (404, "there is nothing at"),
    ("GET", "/api/storage/v1/nothing"): (404, "there is nothing at"),
}


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda one: " ".join(one)[:60])
def test_paths(api, study, request_):
    status, words = REQUESTS[request_]
    answer = api.request(*request_, headers={"Accept": "text/html"})  # the API is JSON all the same
    assert answer.status_code == status
    assert words in refused(answer)


@pytest.mark.parametrize(
    ("method", "path", "status", "words"),
    [
        ("GET", "/nowhere", 404, "there is nothing at /nowhere"),
        ("POST", "/studies/suzuki", 405, "POST does not go with /studies/suzuki"),
        ("GET", "/studies/nobody", 404, "there is no study"),
        ("GET", "/trial/suzuki?number=9", 409, "there is no trial 9"),
    ],
)
def test_browsers_get_a_page_and_programs_json(api, study, method, path, status, words):
    page = api.request(method, path, headers={"Accept": "text/html,*/*"})
    assert page.status_code == status and page.headers["content-type"].startswith("text/html")
    assert words in page.text.replace("&#39;", "'") and "All studies" in page.text
    if path == "/nowhere":
        assert "there is nothing at" in refused(api.get(path))


def test_a_browser_that_is_refused_at_the_door_gets_a_page(api):
    headers = {"Host": "<script>.example", "Accept": "text/html"}
    page = api.get("/", headers=headers)
    assert page.status_code == 421 and page.headers["content-type"].startswith("text/html")
    assert "--allow-host" in page.text and "<script>" not in page.text
