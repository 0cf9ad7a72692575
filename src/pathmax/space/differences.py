"""What changed from one space to another, in sentences for a user who opens a study with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pathmax.space.fidelity import Fidelity
from pathmax.space.known_constraints import changed_rules

__all__ = ["changed_contexts", "changed_fidelity", "changed_names", "changed_pool"]


def changed_names(before: Sequence[str], after: Sequence[str], altered: list[str]) -> list[str]:
    """Which names went, came or moved, a sentence each, and the sentences on what was altered."""
    sentences = [f"{name} was removed" for name in before if name not in after]
    sentences += [f"{name} was added" for name in after if name not in before]
    sentences += altered
    if not sentences and before != after:
        sentences.append(f"the order was {before} and is now {after}")
    return sentences


def molecules_changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Whether another column holds the molecules of a pool."""
    was, now = before.get("smiles"), after.get("smiles")
    return [] if was == now else [f"the column of molecules was {was!r} and is {now!r} now"]


def changed_pool(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """What changed between two pools, as `to_json` describes them."""
    known = changed_rules(before.get("where", []), after.get("where", []))
    known += changed_contexts(before.get("context", []), after.get("context", []))
    known += changed_fidelity(_fidelity_of(before), _fidelity_of(after))
    if before["fingerprint"] == after["fingerprint"]:
        return known + molecules_changed(before, after)
    sentences = list(known)
    sentences += [f"column {n} was removed" for n in before["columns"] if n not in after["columns"]]
    sentences += molecules_changed(before, after)
    sentences += [f"column {n} was added" for n in after["columns"] if n not in before["columns"]]
    if before["length"] != after["length"]:
        sentences.append(f"the pool had {before['length']} rows and has {after['length']} now")
    if before["id"] != after["id"]:
        sentences.append(f"the id was {before['id']!r} and is {after['id']!r} now")
    if len(sentences) > len(known):
        return sentences
    return [*known, "the cells of the pool, or the order of its rows or columns, changed"]


def changed_fidelity(
    before: tuple[str, Fidelity] | None, after: tuple[str, Fidelity] | None
) -> list[str]:
    """What became of the fidelity of a pool or a grid."""
    if before == after:
        return []
    was, now = ("" if said is None else "{} = {}".format(*said) for said in (before, after))
    if not was or not now:
        return [f"the fidelity {now or was} was {'added' if now else 'removed'}"]
    return [f"the fidelity was {was} and is {now} now"]


def _fidelity_of(pool: Mapping[str, Any]) -> tuple[str, Fidelity] | None:
    said = pool.get("fidelity")
    return None if said is None else (said["name"], Fidelity.from_json(said))


def changed_contexts(before: Sequence[str], after: Sequence[str]) -> list[str]:
    """What became a context and what is none any more, a sentence each."""
    return [f"{name} was given and is now chosen" for name in before if name not in after] + [
        f"{name} was chosen and is now given, a context" for name in after if name not in before
    ]
