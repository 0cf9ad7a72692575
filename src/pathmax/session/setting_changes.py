"""Other settings for a study that is stored: what they change, and that everybody has them.

What each trial was suggested with is stored with it, so that earlier ones are explained and derived
again as before.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pathmax.session.opening import goals_of, older_of, with_older
from pathmax.session.setting_checks import (
    check_borrowing,
    check_guess,
    check_method,
    check_variances,
)
from pathmax.space import any_space
from pathmax.storage import Storage
from pathmax.storage.records import Name
from pathmax.suggestion.settings import Settings


def take_over(storage: Storage, name: Name, given: Mapping[str, Any]) -> list[str]:
    """Store what is given on top of the settings of a study; says what changed, a phrase each."""
    if not given:
        return []
    record = storage.load(name)
    before = Settings.from_json(record.settings)
    after = before.updated(given)
    was, now = before.to_json(), after.to_json()
    changed = [
        f"{key} was {_shown(was[key])} and is now {_shown(now[key])}"
        for key in now
        if now[key] != was[key]
    ]
    if changed:
        older = older_of(record)
        check_method(goals_of(record), {"method": after.method, "options": after.options})
        check_variances(goals_of(record), given)
        check_borrowing(older, after)
        if record.space.get("kind") == "space":  # a pool has no guess, and may be large
            check_guess(any_space.from_json(record.space), after.method)
        storage.update(record.key, settings=with_older(after, older))
    return changed


def _shown(value: object) -> str:
    if isinstance(value, Mapping) and {*value} == {"rule"}:
        return str(value["rule"])
    return "left open" if value is None else str(value)
