"""Many rows at once are read as one row is, whatever stands in them."""

import math

from hypothesis import example, given, settings
from hypothesis import strategies as st

from pathmax.storage.many_rows import OFTEN, STORED_COLUMNS, trials_of
from pathmax.storage.trial_rows import trial_of

SOUND = {
    "number": 3,
    "state": "complete",
    "params": '{"x":1.5,"solvent":"DMF"}',
    "outcomes": '{"value":71.3}',
    "noise": None,
    "cost": 3.5,
    "error": "null",
    "info": '{"method":"pims"}',
    "attributes": "{}",
    "note": '"clear"',
    "worker": '"bench-2"',
    "asked_at": 1.0,
    "told_at": 2.0,
    "heartbeat_at": None,
}
texts = st.sampled_from(
    [
        *("null", "{}", "[]", "true", "7", "7.5", '"text"', "", " {} ", "{", '{"a":1}', "NaN"),
        *('{"value":1}', '{"value":1.5}', '{"value":[1.5,0.2]}', '{"value":null}', '{"a":NaN}'),
        *('{"value":1e999}', '{"x":{"$float":"inf"}}', '{"value":{"$float":"inf"}}', "\ud800"),
        *("complete", "running", "failed", "lost", "[" * 2000),
    ]
)
cells = texts | st.none() | st.floats() | st.integers(-2, 3) | st.binary(max_size=3)


def both(*rows):
    """Rows read together, and each as it is stored: what most rows hold may be left out of it."""
    short = trials_of(
        [tuple(row[name] for name in STORED_COLUMNS) for row in rows], "lab.db", "suzuki"
    )
    stored = [
        row | {name: text for name, text in OFTEN.items() if row[name] is None} for row in rows
    ]
    return short, [trial_of(row, "lab.db", "suzuki") for row in stored]


def test_a_sound_row_is_the_same_trial():
    short, long = both(SOUND)
    assert short == long
    assert (short[0].params, short[0].note, short[0].value) == (
        {"x": 1.5, "solvent": "DMF"},
        "clear",
        71.3,
    )


def test_damaged_rows_that_make_sense_together_are_damaged():
    halves = ['{"a":[1', '2]},{"c":3}']  # as one list: two objects, as many as there are rows
    short, long = both(*(SOUND | {"params": text, "number": i} for i, text in enumerate(halves)))
    assert short == long
    assert all(trial.damage is not None and trial.params == {} for trial in short)


@settings(max_examples=600, deadline=None, derandomize=True)
@given(changed=st.dictionaries(st.sampled_from(STORED_COLUMNS[1:]), cells, min_size=1, max_size=3))
@example(changed={"params": " {} "})
@example(changed={"info": " {} "})
@example(changed={"info": ""})
def test_any_other_row_is_read_as_one_row_is(changed):
    short, long = both(SOUND, SOUND | changed, SOUND | {"number": 4})
    assert repr(short) == repr(long)
    for one, other in zip(short, long, strict=True):
        assert repr(one.to_json()) == repr(other.to_json())  # repr: NaN equals itself
        assert all(math.isfinite(value) for value in one.outcomes.values())
