"""A request that is sent again after a lost answer does nothing twice, also after a restart."""

from concurrent.futures import ThreadPoolExecutor

from tests.web.conftest import SPACE, client


def numbers(answer) -> list[int]:
    return [trial["number"] for trial in answer.json()["trials"]]


def test_a_repeated_ask_gives_the_same_trials(api, study):
    key = {"Idempotency-Key": "robot-1"}
    first = api.post(f"{study}/ask", json={"n": 3}, headers=key)
    assert numbers(first) == [0, 1, 2]
    assert api.post(f"{study}/ask", json={"n": 3}, headers=key).json() == first.json()
    assert numbers(api.post(f"{study}/ask", json={"n": 1}, headers=key)) == [3]  # another request
    assert numbers(api.post(f"{study}/ask", json={"n": 1})) == [4]
    assert api.get(study).json()["counts"]["total"] == 5


def test_a_repeated_tell_is_no_error_and_a_later_correction_stays(api, study):
    api.post(f"{study}/ask", json={})
    key = {"Idempotency-Key": "k"}
    tell = {"value": 41.0, "note": "clear"}
    for _ in range(2):
        told = api.post(f"{study}/trials/0/tell", json=tell, headers=key)
        assert told.status_code == 200 and told.json()["trial"]["outcomes"] == {"value": 41.0}
    corrected = api.post(f"{study}/trials/0/correct", json={"value": 14.0}, headers=key)
    assert corrected.json()["trial"]["outcomes"] == {"value": 14.0}
    again = api.post(f"{study}/trials/0/tell", json=tell, headers=key)
    assert again.status_code == 200 and again.json()["trial"]["outcomes"] == {"value": 14.0}
    assert again.json()["trial"]["corrected"] == 1
    assert api.post(f"{study}/trials/0/tell", json=tell).status_code == 409


def test_a_repeated_addition_is_one_result(api, study):
    body = {"params": {"temperature": 50, "solvent": "DMF"}, "value": 12}
    for _ in range(2):
        added = api.post(f"{study}/trials", json=body, headers={"Idempotency-Key": "k"})
        assert added.status_code == 201 and added.json()["trial"]["number"] == 0
    assert api.post(f"{study}/trials", json=body).json()["trial"]["number"] == 1


def test_a_key_holds_after_a_restart(serve):
    key = {"Idempotency-Key": "before the lights went out"}
    with client(serve()) as api:
        api.post("/api/studies", json={"space": SPACE})
        first = api.post("/api/studies/suzuki/ask", json={"n": 2}, headers=key).json()["trials"]
    with client(serve()) as api:
        again = api.post("/api/studies/suzuki/ask", json={"n": 2}, headers=key).json()["trials"]
        assert [t["params"] for t in again] == [t["params"] for t in first]
        assert api.get("/api/studies/suzuki").json()["counts"]["total"] == 2


def test_the_same_request_many_times_at_once_is_done_once(api, study, settings):
    def ask(_: int) -> list[int]:
        with client(settings) as other:
            key = {"Idempotency-Key": "impatient"}
            return numbers(other.post(f"{study}/ask", json={"n": 2}, headers=key))

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(ask, range(8)))
    assert answers == [[0, 1]] * 8
    assert api.get(study).json()["counts"]["total"] == 2
