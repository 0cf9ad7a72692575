"""One look at the database tells all viewers what changed."""

import asyncio
import json
from collections.abc import Awaitable, Callable

import pytest

from pathmax.errors import StorageUnavailableError
from pathmax.storage import MemoryStorage, StudyRecord
from pathmax.web import events as events_module
from pathmax.web.events import Events
from pathmax.web.polling import Polls

NEVER = 1e6  # seconds between two looks: only a nudge makes it look


class Watched(MemoryStorage):
    """Counts how often somebody looks, and can be out of order."""

    looks = 0
    broken = False

    def revisions(self):
        self.looks += 1
        if self.broken:
            raise StorageUnavailableError("the database is away; start again when it is back")
        return super().revisions()


def told(text: str) -> list[tuple[str, dict]]:
    """The events in a piece of a stream."""
    parts = [part.splitlines() for part in text.split("\n\n") if part.startswith("event: ")]
    return [(name.removeprefix("event: "), json.loads(data[6:])) for name, data in parts]


@pytest.fixture
def storage() -> Watched:
    made = Watched()
    made.create(StudyRecord(name="s", space={}, direction="minimize"))
    return made


def watch(storage: Watched, viewers: int, script: Callable[..., Awaitable[None]]) -> Events:
    async def run() -> Events:
        events = Events(Polls(storage), NEVER)
        streams = [events.stream() for _ in range(viewers)]
        first = [await anext(stream) for stream in streams]

        async def next_of_all() -> list[list[tuple[str, dict]]]:
            events.nudge()
            return [told(await anext(stream)) for stream in streams]

        assert all(told(text)[0][0] in ("studies", "trouble") for text in first)
        await script(next_of_all)
        for stream in streams:
            await stream.aclose()
        return events

    return asyncio.run(run())


def test_a_hundred_viewers_are_one_look(storage):
    async def script(next_of_all):
        storage.start("s", 0, {"x": 1})
        revision, _ = storage.changes("s")
        for heard in await next_of_all():
            ((name, data),) = heard
            assert (name, data["study"], data["revision"]) == ("changed", "s", revision)
            assert data["trials"] == 1
        storage.delete("s")
        for heard in await next_of_all():
            gone = {"study": "s", "revision": None, "viewers": 100}
            assert heard == [("changed", gone)]

    events = watch(storage, 100, script)
    assert storage.looks == 3
    assert events._task is None  # nobody watches, nobody looks


def test_viewers_who_come_together_are_one_watch_that_ends(storage):
    async def run() -> None:
        events = Events(Polls(storage), NEVER)
        streams = [events.stream() for _ in range(5)]
        await asyncio.gather(*(anext(stream) for stream in streams))
        tasks = asyncio.all_tasks()
        watching = [task for task in tasks if task.get_coro().__name__ == "_watch"]
        assert len(watching) == 1
        for stream in streams:
            await stream.aclose()
        await asyncio.wait(watching)

    asyncio.run(run())
    assert storage.looks == 1


def test_trouble_is_told_once_and_so_is_its_end(storage):
    async def script(next_of_all):
        storage.broken = True
        for heard in await next_of_all():
            ((name, data),) = heard
            assert name == "trouble" and data["error"] == "StorageUnavailableError"
            assert "start again when it is back" in data["message"]
        storage.broken = False
        for heard in await next_of_all():
            assert [name for name, _ in heard] == ["well", "studies"]
            assert heard[1][1]["studies"]["s"]["trials"] == 0

    watch(storage, 3, script)


def test_a_viewer_that_slept_is_told_everything_anew(storage):
    async def run() -> None:
        events = Events(Polls(storage), NEVER)
        asleep = events.stream()
        await anext(asleep)
        for number in range(300):
            storage.start("s", number, {})
            await events._look()
        heard = []
        while not heard or heard[-1][0] != "changed" or heard[-1][1]["trials"] < 300:
            heard += told(await anext(asleep))
        assert "studies" in [name for name, _ in heard] and len(heard) < 300
        await asleep.aclose()

    asyncio.run(run())


def test_a_viewer_hears_that_the_connection_lives(storage, monkeypatch):
    monkeypatch.setattr(events_module, "KEEP_ALIVE", 0.01)

    async def run() -> None:
        stream = Events(Polls(storage), NEVER).stream()
        await anext(stream)
        assert told(await anext(stream)) == [("alive", {})]  # no comment: pages do not hear those
        await stream.aclose()

    asyncio.run(run())


def test_events_arrive_over_http(api, study):
    with api.stream("GET", "/api/events") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        lines = stream.iter_lines()
        assert next(line for line in lines if line.startswith("event")) == "event: studies"
        api.post(f"{study}/ask", json={})
        assert next(line for line in lines if line.startswith("event")) == "event: changed"
        assert json.loads(next(lines)[6:])["study"] == "suzuki"
