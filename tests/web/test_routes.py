"""The API does all that `Study` does: each of its names has a route, or a reason to have none."""

import pytest

from pathmax import Float, Study
from pathmax.web.app import make_app
from pathmax.web.settings import ServerSettings
from tests.web.conftest import SPACE, TOKEN
from tests.web.test_api import told

ONE = "/api/studies/{name}"
TRIAL = f"{ONE}/trials/{{number}}"
SUMMARY = ("GET", ONE)
ROUTES = {
    "add": ("POST", f"{ONE}/trials"),
    "annotate": ("POST", f"{TRIAL}/annotate"),
    "ask": ("POST", f"{ONE}/ask"),
    "best_params": SUMMARY,
    "best_probabilities": ("GET", f"{ONE}/ranking"),
    "best_trial": SUMMARY,
    "best_value": SUMMARY,
    "borrowed": ("GET", f"{ONE}/borrowed"),
    "change_space": ("POST", f"{ONE}/space"),
    "correct": ("POST", f"{TRIAL}/correct"),
    "cross_validate": ("GET", f"{ONE}/cross-validation"),
    "curve": ("GET", f"{TRIAL}/curve"),
    "direction": SUMMARY,
    "explain": ("GET", f"{TRIAL}/explanation"),
    "fail": ("POST", f"{TRIAL}/fail"),
    "feasibility": ("POST", f"{ONE}/feasibility"),
    "front": SUMMARY,
    "goals": SUMMARY,
    "importances": ("GET", f"{ONE}/importances"),
    "left_out": ("GET", f"{ONE}/trials"),  # `fits` is false
    "load": SUMMARY,
    "name": SUMMARY,
    "predict": ("POST", f"{ONE}/predict"),
    "recommend": ("GET", f"{ONE}/recommendation"),
    "recommend_front": ("GET", f"{ONE}/recommendation"),
    "regret": ("GET", f"{ONE}/regret"),
    "replay": ("GET", f"{TRIAL}/replay"),
    "replicate_or_explore": ("GET", f"{ONE}/advice"),
    "report": ("POST", f"{TRIAL}/report"),
    "settings": SUMMARY,
    "should_stop": ("GET", f"{TRIAL}/should-stop"),
    "space": SUMMARY,
    "spent": SUMMARY,
    "stop": ("POST", f"{TRIAL}/stop"),
    "tell": ("POST", f"{TRIAL}/tell"),
    "to_frame": ("GET", f"{ONE}/export.csv"),
    "trials": ("GET", f"{ONE}/trials"),
    "with_space": ("POST", f"{ONE}/branch"),
}
WITHOUT = {
    "optimize": "calls a function of the user: it runs where that is, with storage='http://...'",
    "plot": "a figure of matplotlib or plotly; /series and /slices have what it is drawn from",
    "posterior": "an object of the model; /predict has its mean and deviation",
    "storage": "the server is it: storage='http://host:8080'",
}


def test_every_name_of_a_study_has_a_route_or_a_reason():
    public = {name for name in dir(Study) if not name.startswith("_")}
    assert public == {*ROUTES, *WITHOUT}
    assert not ROUTES.keys() & WITHOUT.keys()


def test_the_routes_are_there(tmp_path):
    app = make_app(ServerSettings(storage=f"sqlite:///{tmp_path / 'lab.db'}", token=TOKEN))
    described = app.openapi()["paths"]
    for name, (method, path) in ROUTES.items():
        assert method.lower() in described.get(path, {}), (name, method, path)
    app.state.server.studies.close()


def test_what_keeps_to_the_bounds_and_what_to_measure_next(api):
    bounded = {
        **{key: value for key, value in SPACE.items() if key != "objective"},
        "outcomes": {
            "yield": {"direction": "maximize"},
            "impurity": {"high": 0.5},
        },
    }
    made = api.post("/api/studies", json={"space": bounded, "name": "bounded"})
    assert made.status_code == 201, made.text
    study = "/api/studies/bounded"
    told(api, study, [{"yield": 50.0 + i, "impurity": 0.1 * i} for i in range(5)])
    points = [{"temperature": 60.0, "solvent": "DMF"}, {"temperature": 90.0, "solvent": "THF"}]
    answer = api.post(f"{study}/feasibility", json={"params": points})
    assert answer.status_code == 200, answer.text
    assert all(0 <= share <= 1 for share in answer.json()["probability"])
    assert len(answer.json()["probability"]) == 2


def test_advice_and_replay(api, study):
    told(api, study, [50.0, 60.0, 55.0, 62.0, 58.0])
    advice = api.get(f"{study}/advice", params={"paths": 10}).json()
    assert isinstance(advice["replicate"], bool) and advice["sentence"].startswith("measure")
    again = api.get(f"{study}/trials/4/replay").json()
    assert again["same"] and again["params"] == api.get(f"{study}/trials/4").json()["params"]
    assert api.get(f"{study}/trials/9/replay").status_code in (404, 409)


def test_a_branch_begins_with_the_results_that_fit(api, study):
    for value, temperature in ((1.0, 30), (2.0, 110)):
        sent = {"params": {"temperature": temperature, "solvent": "DMF"}, "value": value}
        assert api.post(f"{study}/trials", json=sent).status_code == 201
    narrow = {**SPACE, "study": "narrow"}
    narrow["parameters"] = {**SPACE["parameters"], "temperature": {"low": 20, "high": 60}}
    made = api.post(f"{study}/branch", json={"space": narrow})
    assert made.status_code == 201, made.text
    assert (made.json()["name"], made.json()["counts"]["complete"]) == ("narrow", 1)
    assert made.json()["goals"][0]["label"] == "yield (%)"
    assert api.get(study).json()["counts"]["complete"] == 2
    unnamed = api.post(f"{study}/branch", json={"space": {**narrow, "study": "suzuki"}})
    assert unnamed.status_code == 201 and unnamed.json()["name"] != "suzuki"
    other = {**narrow, "outcomes": {"cost": {"direction": "minimize"}}}
    del other["objective"]
    assert api.post(f"{study}/branch", json={"space": other}).status_code == 422


def test_a_study_that_learns_from_another_says_so_without_its_rows(api, settings):
    rows = [{"x": x / 5, "value": x} for x in range(6)]
    space = {"x": Float(0, 1)}
    Study(space, name="s", storage=settings.storage, seed=0, learn_from={"older": rows})
    found = api.get("/api/studies/s").json()["settings"]["learn_from"]
    assert found == [{"name": "older", "results": 6}]
    (borrowed,) = api.get("/api/studies/s/borrowed").json()["borrowed"]
    assert borrowed["name"] == "older" and 0.0 < borrowed["relation"] < 1.0
    assert "older (6 results)" in api.get("/space/s").text
    wanted = '[objective]\ndirection = "maximize"\n[parameters]\nx = [1, 2]'
    refused = api.post("/api/studies", json={"toml": f'learn_from = ["a.csv"]\n{wanted}'})
    assert refused.status_code == 422 and "made where these are" in refused.text


def test_a_trial_reports_and_is_stopped(api, settings):
    Study({"x": Float(0, 1)}, name="s", storage=settings.storage, seed=0).ask(2)
    path = "/api/studies/s/trials/0"
    for step in (1, 2):
        answer = api.post(f"{path}/report", json={"step": step, "value": 1.0 / step})
        assert answer.status_code == 200, answer.text
        assert answer.json()["stop"] is False and answer.json()["words"]
    assert api.get(f"{path}/curve").json() == {
        "trial": 0,
        "steps": [1, 2],
        "values": {"value": [1.0, 0.5]},
    }
    assert api.get(f"{path}/should-stop").json()["stop"] is False
    ended = api.post(f"{path}/stop", json={"reason": "too slow"})
    assert ended.status_code == 200, ended.text
    assert ended.json()["trial"]["state"] != "running"
    assert api.post(f"{path}/stop", json={}).status_code == 409


@pytest.mark.parametrize("what", ["curve", "should-stop", "replay", "explanation"])
def test_a_trial_that_is_not_there_is_said(api, study, what):
    assert api.get(f"{study}/trials/7/{what}").status_code in (404, 409)
