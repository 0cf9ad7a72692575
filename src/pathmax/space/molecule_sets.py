"""Molecules as sets of pieces of structure, which are compared by what they share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import final

import numpy as np
from numpy.typing import NDArray

from pathmax.arrays import Array

__all__ = ["Molecules"]


@final
@dataclass(frozen=True, eq=False)
class Molecules:
    """Sets of pieces: those of molecule i are `elements[ends[i]:ends[i+1]]`."""

    elements: NDArray[np.int32]
    ends: NDArray[np.int64]

    @staticmethod
    def of(sets: Sequence[NDArray[np.int64]]) -> Molecules:
        """With elements that are numbered anew, from 0."""
        ends = np.zeros(len(sets) + 1, dtype=np.int64)
        np.cumsum([len(one) for one in sets], out=ends[1:])
        _, numbers = np.unique(np.concatenate(sets), return_inverse=True)
        return Molecules(numbers.reshape(-1).astype(np.int32), ends)

    def unlike(self, one: int, others: Iterable[int]) -> Array:
        """1 - the Tanimoto similarity of one molecule to each of some others."""
        pieces = self._pieces(one)
        found = []
        for other in map(self._pieces, others):
            shared = len(np.intersect1d(pieces, other, assume_unique=True))
            found.append(1.0 - shared / (len(pieces) + len(other) - shared))
        return np.array(found)

    def _pieces(self, one: int) -> NDArray[np.int32]:
        return self.elements[self.ends[one] : self.ends[one + 1]]

    @cached_property
    def key(self) -> str:
        """A hash of the content."""
        digest = blake2b(self.elements.tobytes(), digest_size=12)
        digest.update(self.ends.tobytes())
        return digest.hexdigest()
