"""Several outcomes over the API: what was told later, and what regrets are counted in."""

import pytest

SPACE = {
    "study": "amide",
    "outcomes": {
        "yield": {"direction": "maximize"},
        "cost": {"direction": "minimize"},
        "impurity": {"high": 0.5},
    },
    "parameters": {"time": {"low": 1, "high": 10}},
    "settings": {"seed": 0, "initial": 2},
}
STUDY = "/api/studies/amide"


@pytest.fixture(autouse=True)
def amide(api):
    assert api.post("/api/studies", json={"space": SPACE}).status_code == 201
    for i in range(3):
        api.post(f"{STUDY}/ask", json={})
        told(api, i, {"yield": 10.0 * i, "cost": 1.0 + i})


def told(api, number, value):
    return api.post(f"{STUDY}/trials/{number}/tell", json={"value": value}).json()["trial"]


def test_an_outcome_that_comes_later_is_no_correction(api):
    assert told(api, 0, {"impurity": 0.2})["corrected"] == 0
    changed = api.post(f"{STUDY}/trials/0/correct", json={"value": {"cost": 2.0}}).json()["trial"]
    assert changed["corrected"] == 1
    assert changed["outcomes"] == {"yield": 0.0, "cost": 2.0, "impurity": 0.2}


def test_a_regret_says_what_it_is_counted_in_and_may_be_infinite(api):
    found = api.get(f"{STUDY}/regret?paths=2").json()
    assert found["mean"] is None and found["unit"] == "of the front"
    told(api, 1, {"impurity": 0.1})
    told(api, 2, {"impurity": 0.2})
    found = api.get(f"{STUDY}/regret?paths=2").json()
    assert found["mean"] >= 0.0 and found["unit"] == "of the front"


def test_nothing_is_recommended_before_a_bounded_outcome_is_known(api):
    refused = api.get(f"{STUDY}/recommendation")
    assert (
        refused.status_code == 409 and "nothing is known of impurity" in refused.json()["message"]
    )
    told(api, 1, {"impurity": 0.1})
    assert api.get(f"{STUDY}/recommendation").json()["points"]
