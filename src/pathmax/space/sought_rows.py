"""Which row of a pool params mean: by its id, by all of its features, or by its molecule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from pathmax.errors import ParamsError
from pathmax.scalars import Scalar, describe, plain, whole

__all__ = ["Sought", "no_such_features", "no_such_id", "number_of", "row_number", "sought"]


class Named(Protocol):
    """A column as far as params are about it."""

    @property
    def name(self) -> str: ...

    @property
    def categories(self) -> tuple[Scalar, ...] | None: ...

    @property
    def codes(self) -> dict[Scalar, int]: ...

    @property
    def molecules(self) -> object: ...


class Sought(NamedTuple):
    """What a row is looked for by: its id, or the numbers of its features, all or only `some`."""

    by_id: bool
    id: object = None
    point: tuple[float, ...] = ()
    some: tuple[str, ...] = ()


def sought(
    params: Mapping[str, object],
    columns: Mapping[str, Named],
    id: str | None,
    smiles: str | None = None,
) -> Sought:
    """What `params` say about a row of a pool with these columns, or a `ParamsError`.

    Who names the molecule may leave out other features.
    """
    names = ", ".join(columns)
    if not isinstance(params, Mapping):
        raise ParamsError(f"params must be a dict of {names}, got {describe(params)}")
    unknown = [name for name in params if name not in columns]
    if unknown:
        raise ParamsError(f"{unknown[0]}: no such column in this pool; it has {names}")
    if id is not None and id in params:
        return Sought(True, id=plain(params[id]))
    features = [column for name, column in columns.items() if name != id]
    missing = [column.name for column in features if column.name not in params]
    if missing and smiles not in params:
        needed = id or ", ".join(column.name for column in features)
        raise ParamsError(f"{missing[0]}: no value given; params need {needed}")
    told = [column for column in features if column.name in params]
    point = tuple(number_of(column, plain(params[column.name])) for column in told)
    return Sought(False, point=point, some=tuple(c.name for c in told) if missing else ())


def row_number(index: object, count: int, what: str = "pool") -> int:
    """The number of one of `count` rows, or a `ParamsError`."""
    number = whole(plain(index))
    if number is None or not 0 <= number < count:
        raise ParamsError(f"row {plain(index)!r}: the {what} has rows 0 to {count - 1}")
    return number


def no_such_id(name: str, id: object, example: object) -> ParamsError:
    """What to tell somebody who names a row that is not there."""
    kind = "text" if isinstance(example, str) else "numbers"
    return ParamsError(
        f"{name}: no candidate has the id {describe(id)}; ids are {kind} here, such as {example!r}"
    )


def no_such_features(params: Mapping[str, object]) -> ParamsError:
    """What to tell somebody who describes a row that is not there."""
    shown = {name: plain(value) for name, value in params.items()}
    return ParamsError(f"no candidate has the features {shown!r}; choose a row of the pool")


def number_of(column: Named, value: object) -> float:
    """A cell as a number, a category as its place, or a `ParamsError`."""
    if column.categories is None:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ParamsError(f"{column.name}: expected a number, got {describe(value)}")
        return float(value)
    code = column.codes.get(value) if isinstance(value, str | bool) else None
    if code is not None and type(column.categories[code]) is type(value):
        return float(code)
    others = len(column.categories) - 8
    raise ParamsError(
        f"{column.name}: no candidate has {describe(value)}; the pool has "
        + ", ".join(map(repr, column.categories[:8]))
        + (f" and {others} others" if others > 0 else "")
        + ("" if column.molecules is None else "; write a SMILES as the pool does")
    )
