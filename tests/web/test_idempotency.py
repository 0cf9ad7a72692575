"""A request that is sent again after a lost answer does nothing twice, also after a restart."""

from concurrent.futures import ThreadPoolExecutor

from pathmax.storage.study_records import StudyRecords
from pathmax.web.kept_answers import ANSWERED, MOST_ANSWERED, with_answer
from tests.web.conftest import SPACE, client

ADDED = {"params": {"temperature": 50, "solvent": "DMF"}, "value": 12}


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


class TestWholeStudies:
    """What is written is more than trials: the answer is kept with the study."""

    KEY = {"Idempotency-Key": "robot-1"}  # noqa: RUF012
    WIDER = {  # noqa: RUF012
        **SPACE,
        "parameters": {**SPACE["parameters"], "temperature": {"low": 20, "high": 140}},
    }

    def test_a_study_that_is_made_again_is_the_same(self, api):
        made = [api.post("/api/studies", json={"space": SPACE}, headers=self.KEY) for _ in range(2)]
        assert [each.status_code for each in made] == [201, 201]
        assert made[0].json()["identity"] == made[1].json()["identity"]

    def test_a_repeated_branch_is_one_study(self, api, study):
        api.post(f"{study}/trials", json=ADDED)
        body = {"space": self.WIDER}
        first = api.post(f"{study}/branch", json=body, headers=self.KEY)
        again = api.post(f"{study}/branch", json=body, headers=self.KEY)
        assert (first.status_code, again.status_code) == (201, 201), again.text
        assert first.json()["identity"] == again.json()["identity"]
        assert len(api.get("/api/studies").json()["studies"]) == 2
        assert api.post(f"{study}/branch", json=body).json()["name"] != first.json()["name"]

    def test_a_branch_is_written_with_its_key_at_once(self, api, study, monkeypatch):
        def killed(*args, **kwargs):
            raise AssertionError("a second write")

        monkeypatch.setattr(StudyRecords, "update", killed)
        body = {"space": self.WIDER}
        made = [api.post(f"{study}/branch", json=body, headers=self.KEY) for _ in range(2)]
        assert [each.status_code for each in made] == [201, 201]
        assert made[0].json()["identity"] == made[1].json()["identity"]

    def test_a_repeated_change_of_space_does_not_undo_a_later_one(self, api, study):
        body = {"space": self.WIDER}
        first = api.post(f"{study}/space", json=body, headers=self.KEY)
        assert first.json()["changed"]
        api.post(f"{study}/space", json={"space": SPACE})
        again = api.post(f"{study}/space", json=body, headers=self.KEY)
        assert again.status_code == 200 and again.json() == first.json()
        assert api.get(study).json()["space"]["parameters"][0]["high"] == 120

    def test_a_repeated_import_is_no_error_after_a_correction(self, api, study):
        api.post(f"{study}/ask", json={})
        (trial,) = api.get(study).json()["running"]
        settings = f"{trial['params']['temperature']!r},{trial['params']['solvent']}"
        table = f"trial,temperature,solvent,yield\n0,{settings},41\n,50,DMF,12\n"
        first = api.post(f"{study}/import", content=table, headers=self.KEY)
        assert first.status_code == 200, first.text
        assert (first.json()["told"], first.json()["added"]) == (1, 1)
        api.post(f"{study}/trials/0/correct", json={"value": 14})
        assert api.post(f"{study}/import", content=table).status_code == 422
        again = api.post(f"{study}/import", content=table, headers=self.KEY)
        assert again.status_code == 200 and again.json() == first.json()
        other = api.post(f"{study}/import?ignore=trial", content=table, headers=self.KEY)
        assert other.json() != first.json()  # another request

    def test_answers_hold_after_a_restart(self, serve):
        with client(serve()) as api:
            api.post("/api/studies", json={"space": SPACE})
            first = api.post(
                "/api/studies/suzuki/space", json={"space": self.WIDER}, headers=self.KEY
            )
        with client(serve()) as api:
            again = api.post(
                "/api/studies/suzuki/space", json={"space": self.WIDER}, headers=self.KEY
            )
            assert again.json() == first.json() and first.json()["changed"]


def test_the_latest_answers_are_kept():
    attributes: dict = {"sheet": {}}
    for i in range(MOST_ANSWERED + 3):
        attributes = with_answer(attributes, str(i), {"n": i})
    assert len(attributes[ANSWERED]) == MOST_ANSWERED
    assert attributes[ANSWERED][str(MOST_ANSWERED + 2)] == {"n": MOST_ANSWERED + 2}
    assert attributes["sheet"] == {}
