"""What the model says is made in the background: nobody who has an answer waits for another."""

import asyncio
import threading

import pytest

from pathmax.errors import StorageUnavailableError, TrialError
from pathmax.web import model_answers
from pathmax.web.background import Background, Lane
from pathmax.web.model_answers import ModelAnswers


class Held:
    stands = 0

    def revision(self, seen: int) -> int:
        return max(seen, self.stands)

    def deep(self, thread: object) -> str:
        return "the study"


def one(opened: str, revision: int) -> bytes:
    assert opened == "the study"
    return b"one"


def test_an_answer_is_made_once_for_a_revision():
    models, holds, made = ModelAnswers(), Held(), []

    def counted(opened, revision):
        made.append(opened)
        return b"%d" % len(made)

    async def ask(revision):
        return await models.get(holds, revision, "regret", counted, 1.0)

    async def scene():
        answers = await asyncio.gather(*(ask(3) for _ in range(20)))
        assert {answer.body for answer, _ in answers} == {b"1"}
        assert {delay for _, delay in answers} == {0}
        assert (await ask(2))[0].body == b"1"  # looked before the others, and came after them
        other, _ = await models.get(Held(), 3, "regret", one, 1.0)
        assert other.body == b"one"

    asyncio.run(scene())
    assert len(made) == 1
    models.close()


def test_whoever_has_an_answer_gets_it_while_a_newer_one_is_made():
    models, holds = ModelAnswers(), Held()
    began, go = threading.Event(), threading.Event()

    def slow(opened, revision):
        assert not began.is_set()  # one at a time
        began.set()
        go.wait()
        return b"two"

    async def ask(revision, make):
        return await models.get(holds, revision, "ranking", make, 1.0)

    async def scene():
        assert (await ask(1, one))[1] == 0
        while not began.is_set():  # it rests ten times as long as the first one took
            older, delay = await ask(2, slow)
            assert older.body == b"one" and delay >= 1
        assert (await ask(5, slow))[0].body == b"one"
        go.set()
        while (await ask(2, slow))[1]:
            await asyncio.sleep(0)
        assert (await ask(2, slow))[0].body == b"two"

    asyncio.run(scene())
    models.close()


def test_whoever_waits_long_is_told_to_come_back(monkeypatch):
    monkeypatch.setattr(model_answers, "PATIENCE_SECONDS", 0.0)
    models, holds, go = ModelAnswers(), Held(), threading.Event()

    def slow(opened, revision):
        go.wait()
        return b"at last"

    async def scene():
        assert await models.get(holds, 1, "slices", slow, 1.0) == (None, 1)
        go.set()
        while (found := await models.get(holds, 1, "slices", slow, 1.0))[0] is None:
            pass
        assert found[0].body == b"at last"

    asyncio.run(scene())
    models.close()


class TestPresent:
    """What robots get: about the study as it is, or when to come back."""

    def test_an_older_answer_is_not_given(self):
        models, holds = ModelAnswers(), Held()

        async def scene():
            assert (await models.present(holds, 1, "regret", one, 1.0))[0].body == b"one"
            newer, delay = await models.present(holds, 2, "regret", lambda *_: b"two", 1.0)
            assert (newer.body, newer.revision, delay) == (b"two", 2, 0)

        asyncio.run(scene())
        models.close()

    def test_an_answer_that_waited_for_its_turn_is_about_the_study_as_it_was_then(self):
        models, holds, made = ModelAnswers(), Held(), []

        def say(opened, revision):
            made.append(revision)
            return b"%d" % revision

        async def scene():
            holds.stands = 5
            for seen in (3, 5):
                found, _ = await models.present(holds, seen, "regret", say, 1.0)
                assert (found.revision, found.body) == (5, b"5")

        asyncio.run(scene())
        assert made == [5]
        models.close()

    def test_what_was_promised_is_given_also_if_the_study_went_on(self, monkeypatch):
        monkeypatch.setattr(model_answers, "PATIENCE_SECONDS", 0.0)
        models, holds, go = ModelAnswers(), Held(), threading.Event()

        def slow(opened, revision):
            go.wait()
            return b"of the first"

        async def ask(revision, make=slow):
            return await models.present(holds, revision, "ranking", make, 7.0)

        async def scene():
            made, delay = await ask(1)
            assert made is None and delay == 7
            assert (await ask(2))[0] is None
            go.set()
            while (found := await ask(3))[0] is None:
                pass
            assert (found[0].body, found[0].revision) == (b"of the first", 1)
            monkeypatch.setattr(model_answers, "HANDED_OUT_SECONDS", 0.0)
            monkeypatch.setattr(model_answers, "PATIENCE_SECONDS", 60.0)
            assert (await ask(4, one))[0].body == b"one"

        asyncio.run(scene())
        models.close()


def test_what_is_being_made_is_not_forgotten_for_other_questions(monkeypatch):
    models, holds, go, made = ModelAnswers(), Held(), threading.Event(), []

    def slow(opened, revision):
        made.append(revision)
        go.wait()
        return b"at last"

    async def scene():
        monkeypatch.setattr(model_answers, "PATIENCE_SECONDS", 0.0)
        assert (await models.present(holds, 1, "ranking", slow, 60.0))[0] is None
        monkeypatch.setattr(model_answers, "PATIENCE_SECONDS", 60.0)
        for other in range(2 * model_answers.MOST_REMEMBERED):
            await models.present(holds, 1, other, one, 0.1)
        go.set()
        assert (await models.present(holds, 1, "ranking", slow, 60.0))[0].body == b"at last"
        assert len(models._kinds[holds]) <= model_answers.MOST_REMEMBERED

    asyncio.run(scene())
    assert made == [1]
    models.close()


def test_a_storage_that_is_away_is_no_answer():
    models, holds = ModelAnswers(), Held()

    def unavailable(opened, revision):
        raise StorageUnavailableError("the database is away")

    async def scene():
        with pytest.raises(StorageUnavailableError):
            await models.present(holds, 1, "regret", unavailable, 1.0)
        assert (await models.present(holds, 1, "regret", one, 1.0))[0].body == b"one"

    asyncio.run(scene())
    models.close()


def test_a_refusal_is_an_answer_and_a_bug_is_not():
    models, holds = ModelAnswers(), Held()

    def refuse(opened, revision):
        raise TrialError("there are 2 results")

    def break_down(opened, revision):
        raise KeyError("a bug")

    async def scene():
        made, _ = await models.get(holds, 1, "validation", refuse, 1.0)
        assert str(made.refused) == "there are 2 results" and made.refused.__traceback__ is None
        with pytest.raises(KeyError):
            await models.get(holds, 1, "slices", break_down, 1.0)
        made, _ = await models.get(holds, 1, "slices", one, 1.0)
        assert made.body == b"one"

    asyncio.run(scene())
    models.close()


def test_what_is_quickest_comes_first():
    lane, go, order = Lane(), threading.Event(), []
    done = [lane.do(go.wait, 9.0)]
    for seconds in (5.0, 1.0, 3.0):
        done.append(lane.do(lambda seconds=seconds: order.append(seconds), seconds))
    go.set()
    for each in done:
        each.result()
    assert order == [1.0, 3.0, 5.0]
    lane.close()


def test_what_takes_long_keeps_nobody_from_the_rest():
    background, go = Background(), threading.Event()
    long = background.lane(60.0).do(go.wait, 60.0)
    assert background.lane(0.1).do(lambda: "a slice", 0.1).result() == "a slice"
    go.set()
    long.result()
    background.close()
