"""Known constraints of a space or a grid, for a search: limits in coordinates, or allowed cells."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from pathmax.arrays import Array, Index, Mask
from pathmax.scalars import Scalar
from pathmax.space.constraint_parts import Limits
from pathmax.space.coordinates import Coordinates
from pathmax.space.known_constraints import Known, nothing_left
from pathmax.space.limits import limits_of
from pathmax.space.mixtures import Mixture
from pathmax.space.sentence_columns import ColumnTable, ListedColumn
from pathmax.space.sentence_parts import meaning_names

__all__ = ["allowed_cells", "known_limits"]


def known_limits(
    where: Known,
    coordinates: Coordinates,
    decode: Callable[[Array], dict[str, Scalar]],
    mixtures: Sequence[Mixture] = (),
) -> Limits:
    """What is known, in coordinates; params as the user receives them have the last word."""

    def holds(U: Array) -> Mask:  # (m, d) -> (m,)
        return where.mask(coordinates.exact(U, mentioned), lambda row: decode(U[row]))

    about = [meaning_names(sentence.meaning) for sentence in (*where.sentences, *where.sums)]
    stated = set[str]().union(*about, *(mixture.components for mixture in mixtures))
    mentioned = [name for name in coordinates.parameters if name in stated]

    sparse = [
        (tuple(coordinates.column(name) for name in few[0]), few[1])
        for mixture in mixtures
        if (few := mixture.occasional) is not None
    ]
    sentences = (*where.sentences, *where.sums)
    names = [function.name for function in where.functions]
    return limits_of(sentences, coordinates, holds, opaque=bool(names), words=names, sparse=sparse)


def allowed_cells(
    where: Known,
    axes: Mapping[str, Sequence[Scalar]],
    params: Callable[[int], dict[str, Scalar]],
) -> Index:
    """The numbers of the cells of a grid that obey. Goes through all.

    A sentence is read for the combinations of the axes that it mentions, and no others.
    """
    sizes = [len(values) for values in axes.values()]
    allowed = np.ones(sizes, dtype=bool)
    for sentence in where.sentences:
        used = [name in sentence.names for name in axes]
        shape = [n if mentioned else 1 for n, mentioned in zip(sizes, used, strict=True)]
        places = np.unravel_index(np.arange(math.prod(shape)), shape)
        columns: dict[str, Array | ListedColumn] = {
            name: ListedColumn(values, place)
            for (name, values), place in zip(axes.items(), places, strict=True)
        }
        allowed &= sentence.mask(ColumnTable(math.prod(shape), columns)).reshape(shape)
    flat = allowed.reshape(-1)
    for row in np.flatnonzero(flat).tolist() if where.functions else ():
        flat[row] = where.hold(params(row))
    if not flat.any():
        raise nothing_left(where, "points of the grid")
    return np.flatnonzero(flat)
