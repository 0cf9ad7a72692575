"""What a request writes has tokens, counted as writes succeed, so that nothing is written twice."""

import pytest

from pathmax.errors import OutcomeError
from pathmax.storage import Ending, Entry, MemoryStorage
from pathmax.storage.write_tokens import token_of, tokens_of


@pytest.fixture
def storage(record):
    kept = MemoryStorage()
    kept.create(record)
    return kept


def receipts(storage, name, first, end):
    """How many trials each write of the request has stored."""
    found = (storage.receipt(name, token_of("key", i)) for i in range(first, end))
    return [None if trials is None else len(trials) for trials in found]


def test_a_repeated_request_writes_nothing(storage, record):
    for _ in range(2):
        with tokens_of("key"):
            storage.start(record.name, 0, {"x": 1})
            storage.insert_many(record.name, [Entry(params={"x": 3}, outcomes={"value": 1.0})] * 2)
            storage.annotate(record.name, 0, note="cloudy")
        assert len(storage.changes(record.name)[1]) == 3
        assert receipts(storage, record.name, 0, 4) == [1, 2, 1, None]


def test_what_comes_to_nothing_is_not_counted(storage, record):
    with tokens_of("key", done=4):
        storage.start(record.name, 0, {"x": 1})
        assert storage.start(record.name, 0, {"x": 2}) is None  # the number is taken
        with pytest.raises(OutcomeError):
            storage.finish(record.name, 0, Ending())
        storage.finish(record.name, 0, Ending(outcomes={"value": 2.0}))
    storage.annotate(record.name, 0, note="told", token="own")  # after the request
    assert receipts(storage, record.name, 4, 7) == [1, 1, None]
    assert storage.receipt(record.name, "own")[0].note == "told"
