"""What the model says takes a while: nobody waits for the question of another."""

import threading

import pytest

from pathmax import Study
from pathmax.analysis import best, regret
from pathmax.web import model_answers
from pathmax.web.settings import RequestLimits
from tests.web.conftest import SPACE, client

POINT = {"temperature": 50.0, "solvent": "DMF"}


@pytest.fixture
def told(api, study) -> str:
    for value, temperature in ((41.0, 30), (60.0, 60), (55.0, 90)):
        params = {"temperature": temperature, "solvent": "THF"}
        assert api.post(f"{study}/trials", json={"params": params, "value": value}).is_success
    return study


def test_a_long_answer_is_said_to_come_and_keeps_nobody_waiting(api, told, monkeypatch):
    began, go, compute = threading.Event(), threading.Event(), Study.regret

    def slow(study, *args, **kwargs):
        began.set()
        go.wait()
        return compute(study, 4, **kwargs)

    monkeypatch.setattr(Study, "regret", slow)
    monkeypatch.setattr(model_answers, "PATIENCE_SECONDS", 0.0)
    stood = api.get(told).json()["revision"]
    waiting = api.get(f"{told}/regret")
    assert waiting.status_code == 202
    assert waiting.headers["retry-after"] == "12"
    assert waiting.json()["waiting"] and "ask again in 12 s" in waiting.json()["message"]
    began.wait()
    assert api.post(f"{told}/predict", json={"params": [POINT]}).status_code == 200
    assert api.post(f"{told}/ask", json={}).status_code == 200
    go.set()
    monkeypatch.setattr(model_answers, "PATIENCE_SECONDS", 60.0)
    found = api.get(f"{told}/regret")
    assert found.status_code == 200
    assert found.json()["mean"] >= 0.0
    assert found.json()["revision"] == stood < api.get(told).json()["revision"]


def test_a_ranking_has_its_regret_from_the_same_paths(api, told, monkeypatch):
    drawn = []

    def counted(scene, n):
        drawn.append(n)
        return search(scene, n)

    search = best.maxima
    monkeypatch.setattr(best, "maxima", counted)
    monkeypatch.setattr(regret, "maxima", counted)
    found = api.get(f"{told}/ranking", params={"paths": 6}).json()
    assert drawn == [6]
    assert found["n_paths"] == 6 and found["regret"]["mean"] >= 0.0


@pytest.mark.parametrize(
    "path", ["ranking?paths=5", "regret?paths=5", "advice?paths=5", "importances?paths=5"]
)
def test_limits_of_the_server_hold(serve, path):
    with client(serve(limits=RequestLimits(paths=4, page=2))) as api:
        api.post("/api/studies", json={"space": SPACE})
        refused = api.get(f"/api/studies/suzuki/{path}")
        assert refused.status_code == 422
        assert "paths may be 4 at most" in refused.json()["message"]
        page = api.get("/api/studies/suzuki/trials?limit=3")
        assert page.status_code == 422 and "limit may be 2 at most" in page.json()["message"]
