"""What many viewers want at the same moment is made once, and is never old."""

import asyncio
import threading

import httpx
import pytest

from pathmax import Float, Study
from pathmax.storage import MemoryStorage, StudyRecord
from pathmax.web.app import make_app
from pathmax.web.polling import Polls
from pathmax.web.settings import ServerSettings
from pathmax.web.tokens import Role
from tests.web.conftest import TOKEN, client


class Counted(MemoryStorage):
    """Counts the looks, and can hold one up."""

    def __init__(self):
        super().__init__()
        self.looks, self.free = 0, threading.Event()
        self.free.set()

    def revisions(self):
        self.looks += 1
        self.free.wait()
        return super().revisions()


@pytest.fixture
def storage():
    made = Counted()
    Study({"x": Float(0, 1)}, name="s", storage=made, seed=0).ask()
    made.looks = 0
    return made


def get_all(storage: Counted, *paths: str, **headers: str) -> list[httpx.Response]:
    """Requests that come at the same moment."""

    async def run() -> list[httpx.Response]:
        app = make_app(ServerSettings(storage=storage, token=TOKEN))
        transport = httpx.ASGITransport(app)
        sent = {"Authorization": f"Bearer {TOKEN}", **headers}
        base = "http://127.0.0.1:8080"
        async with httpx.AsyncClient(transport=transport, base_url=base, headers=sent) as made:
            return list(await asyncio.gather(*(made.get(path) for path in paths)))

    return asyncio.run(run())


@pytest.mark.parametrize("path", ["/studies/s", "/data/progress/s", "/api/studies/s", "/"])
def test_a_hundred_viewers_get_one_answer(storage, path):
    Study.load("s", storage=storage).tell(0, 1.0)
    storage.looks = 0
    answers = get_all(storage, *[path] * 100)
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.text for answer in answers}) == 1
    assert len({answer.headers["etag"] for answer in answers}) == 1
    assert (
        storage.looks <= 4
    )  # one look for all who came together, and those of the one who made it


def test_whoever_comes_while_somebody_looks_needs_another_look(storage):
    async def run() -> None:
        looks = Polls(storage)
        storage.free.clear()
        first = asyncio.create_task(looks.fresh())
        while storage.looks == 0:
            await asyncio.sleep(0)
        later = [asyncio.create_task(looks.fresh()) for _ in range(10)]
        await asyncio.sleep(0)
        storage.create(StudyRecord(name="new", space={}, direction="minimize"))
        storage.free.set()
        assert (await first).number == 1
        assert {(await each).number for each in later} == {2}
        assert all("new" in each.result().standings for each in later)

    asyncio.run(run())
    assert storage.looks == 2


def test_what_was_written_elsewhere_is_there_at_once(api, study, settings):
    before = api.get(study)
    assert api.get(study).headers["etag"] == before.headers["etag"]
    pages, other = api.get("/").text, Study.load("suzuki", storage=settings.storage)
    other.ask()
    assert api.get(study).json()["counts"]["running"] == 1
    assert api.get("/").text != pages
    other.storage.delete("suzuki")
    assert api.get(study).status_code == 404


def test_who_has_the_answer_is_not_sent_it_again(api, study):
    first = api.get(f"{study}/series")
    again = api.get(f"{study}/series", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    api.post(f"{study}/ask", json={})
    api.post(f"{study}/trials/0/tell", json={"value": 3})
    fresh = api.get(f"{study}/series", headers={"If-None-Match": first.headers["etag"]})
    assert (fresh.status_code, fresh.json()["total"]) == (200, 1)


def test_readers_and_writers_get_pages_of_their_own(api, study, settings):
    writing = api.get("/studies/suzuki").text
    with client(settings, Role.READ) as reader:
        reading = reader.get("/studies/suzuki").text
    assert "Suggest" in writing and writing != reading
    assert api.get("/studies/suzuki").text == writing
