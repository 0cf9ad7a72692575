"""What users may give as the space of a study: a Space, a pool of Candidates, or a Grid.

All have `names`, `axes`, `dimension`, `cardinality`, `where`, `validate`, `encode`, `encode_many`,
`to_json`, `difference` and `knowing`; the finite ones number their rows, with `params(index)`,
`index(params)` and `encode_rows(indices)`. What a search goes through is a `Domain` of
`pathmax.search` instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from pathmax import space
from pathmax.errors import SpaceError
from pathmax.space.differences import changed_pool

if TYPE_CHECKING:
    from pathmax.space.candidates import Candidates
    from pathmax.space.grid import Grid
    from pathmax.space.space import Space

__all__ = ["AnySpace", "difference", "from_json", "is_stored_whole"]

AnySpace: TypeAlias = "Space | Candidates | Grid"
SPACE_KINDS = {"space": "Space", "candidates": "Candidates", "grid": "Grid"}


def from_json(data: Mapping[str, Any]) -> AnySpace:
    """The space, pool or grid that `to_json` wrote."""
    return _kind(data).from_json(data)


def is_stored_whole(stored: Mapping[str, Any]) -> bool:
    """Whether `from_json` can read it: of a large pool the rows are not stored."""
    return stored.get("kind") != "candidates" or stored.get("rows") is not None


def difference(stored: Mapping[str, Any], domain: AnySpace) -> list[str]:
    """What changed from a stored domain to this one, a sentence each; empty when nothing did.

    Unlike `from_json(stored).difference(domain)` it needs no rows of a large stored pool.
    """
    kind = _kind(stored)
    if stored["kind"] == "candidates" and isinstance(domain, space.Candidates):
        return changed_pool(stored, domain.to_json_like(stored))
    if not isinstance(domain, kind):
        return [f"a {kind.__name__} became a {type(domain).__name__}"]
    return from_json(stored).difference(domain)


def _kind(data: Mapping[str, Any]) -> type[Space] | type[Candidates] | type[Grid]:
    kind = data.get("kind", "")
    if kind not in SPACE_KINDS:
        raise SpaceError(
            f"cannot read a domain of the kind {data.get('kind')!r}; "
            "it was written by a newer version"
        )
    found: type[Space] | type[Candidates] | type[Grid] = getattr(space, SPACE_KINDS[kind])
    return found
