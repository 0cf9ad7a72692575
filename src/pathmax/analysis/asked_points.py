"""Points that a study is asked about, as people give them, checked and put into the unit cube."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pathmax.arrays import Array
from pathmax.errors import ParamsError
from pathmax.scalars import describe
from pathmax.session.session import Session
from pathmax.space.context import Context, at_context


def in_context(
    session: Session, params: Sequence[Mapping[str, object]], context: Context | None
) -> Sequence[Mapping[str, object]]:
    """Params with the contexts that they lack."""
    if context is None:
        return params
    _check_list(params)
    at_context(session.problem.space, context)
    return [{**context, **point} for point in params]


def encoded(session: Session, params: Sequence[Mapping[str, object]]) -> Array:  # -> (m, d)
    """Params in the unit cube, at the target of a fidelity unless they name another."""
    _check_list(params)
    space = session.problem.space
    return space.encode_many([space.aimed(each) for each in params])


def _check_list(params: object) -> None:
    if isinstance(params, Mapping | str) or not isinstance(params, Iterable):
        raise ParamsError(
            f"params must be a list of dicts, got {describe(params)}; for one point write [params]"
        )
