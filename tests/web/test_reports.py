"""Curves over the API: reported, shown, and trials stopped."""


def test_a_trial_reports_is_judged_and_stopped(api, study):
    api.post(f"{study}/ask", json={})
    said = api.post(f"{study}/trials/0/reports", json={"step": 1, "value": 0.5})
    assert said.json() == {"number": 0, "step": 1, "stop": False, "why": said.json()["why"]}
    api.post(f"{study}/trials/0/reports", json={"step": 2, "value": "0,75"})
    again = api.post(f"{study}/trials/0/reports", json={"step": 2, "value": 0.75})
    assert again.status_code == 200
    curve = api.get(f"{study}/trials/0/reports").json()
    assert curve == {"number": 0, "curve": [[1, 0.5], [2, 0.75]]}
    stopped = api.post(f"{study}/trials/0/stop", json={"reason": "too slow"}).json()["trial"]
    assert (stopped["state"], stopped["error"]) == ("stopped", "too slow")
    assert stopped["attributes"] == {}
    refused = api.post(f"{study}/trials/0/reports", json={"step": 3, "value": 1.0})
    assert refused.status_code == 409 and "has ended (stopped)" in refused.text
    assert api.get(f"{study}/trials", params={"state": "stopped"}).json()["matching"] == 1
    assert api.get(study).json()["counts"]["stopped"] == 1


def test_what_is_not_there_or_no_report_is_refused(api, study):
    assert api.post(f"{study}/trials/7/reports", json={"step": 1, "value": 1}).status_code == 404
    assert api.get(f"{study}/trials/7/reports").status_code == 404
    assert api.post(f"{study}/trials/0/reports", json={"step": -1, "value": 1}).status_code == 422
