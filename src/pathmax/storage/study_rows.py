"""The records of studies as rows: what `pathmax.storage.trial_rows` is for trials."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from pathmax.errors import ForeignStorageError
from pathmax.storage.damage import REMEDY, UNREADABLE
from pathmax.storage.json_text import decode, encode, typed
from pathmax.storage.records import Goals, StudyRecord, check_direction, check_goals
from pathmax.storage.trial_rows import Row, Stored


def record_row(record: StudyRecord, *, now: float) -> Row:
    """The row of a new study, with an identity of its own."""
    return {
        "name": record.name,
        "direction": record.direction,
        "space": encode(dict(record.space), "space"),
        "settings": encode(dict(record.settings), "settings"),
        "attributes": encode(dict(record.attributes), "attributes"),
        "created_at": float(now if record.created_at is None else record.created_at),
        "goals": _goals_text(record.goals),
        "earlier_spaces": encode([dict(each) for each in record.earlier_spaces], "earlier_spaces"),
        "identity": uuid.uuid4().hex,
    }


def changed_row(parts: Mapping[str, Any]) -> Row:
    """What replaces parts of a study's row: its space, settings and so on; what is None stays."""
    changed: Row = {}
    for part, value in parts.items():
        if value is None:
            continue
        if part == "direction":
            check_direction(value)
            changed[part] = value
        else:
            changed[part] = _goals_text(value) if part == "goals" else encode(dict(value), part)
    return changed


def replaced_row(row: Stored, changed: Row, count: int) -> Row:
    """What `change` writes into a study with `count` trials; nothing when nothing differs."""
    if all(row[column] == value for column, value in changed.items()):
        return {}
    replaced = {
        "space": decode(row["space"]),
        "direction": row["direction"],
        "goals": None if row["goals"] is None else decode(row["goals"]),
        "until": count,
    }
    earlier = [*typed(decode(row["earlier_spaces"]), list), replaced]
    return changed | {"earlier_spaces": encode(earlier, "earlier_spaces")}


def record_of(row: Stored, place: str) -> StudyRecord:
    """The record in a row; a row that pathmax did not write is an error that names the place."""
    try:
        return StudyRecord(
            name=typed(row["name"], str),
            direction=row["direction"],
            space=typed(decode(row["space"]), dict),
            settings=typed(decode(row["settings"]), dict),
            attributes=typed(decode(row["attributes"]), dict),
            created_at=typed(row["created_at"], float),
            goals=None if row["goals"] is None else typed(decode(row["goals"]), list),
            earlier_spaces=_dicts(decode(row["earlier_spaces"])),
            identity=typed(row["identity"], str),
        )
    except UNREADABLE as cause:
        raise ForeignStorageError(
            f"{place}: study {row['name']!r:.250} is not one that pathmax wrote ({cause}); {REMEDY}"
        ) from cause


def _goals_text(goals: Goals | None) -> str | None:
    check_goals(goals)
    return None if goals is None else encode([dict(goal) for goal in goals], "goals")


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [typed(each, dict) for each in typed(value, list)]
