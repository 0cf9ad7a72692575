"""Fingerprints of molecules: sets of which two have a similarity, and hashes that agree as often.

A fingerprint counts how often each piece of structure is in a molecule. Counts are a set: that a
piece is there twice is the pair of elements (piece, 1) and (piece, 2). Then

    min-max similarity of counts  =  |A and B| / |A or B|  =  P(hash of A = hash of B)

where the hash of a set is its least element in a random order (MinHash; Broder, 1997). A random
sign of the hash is a random feature of the similarity, as in Tripp et al. (arXiv 2306.14809), and
the sum of many with normal weights is a draw of a Gaussian process with that covariance.

Molecules are numbered, and a point of a model has the number. The tables are kept in the process
by a hash of their content, so that a stored kernel names its molecules without carrying them.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import NDArray

from pathmax.arrays import Array, Index
from pathmax.errors import ModelError

HASHES = 512  # random orders: as many as a path has features
HASHES_AT_ONCE = 16
MOLECULES_AT_ONCE = 4096
# Molecules whose overlaps with all others are kept, 200 kB each for 10^5. A model has 2,000 results
# and what failed or runs: with 2,000 kept, an ask with ten running took 8.3 s in place of 0.8 s.
MOST_COLUMNS = 4000

Codes = NDArray[np.uint16]


@final
@dataclass(frozen=True, eq=False)
class Fingerprints:
    """The elements of molecule i are `elements[ends[i]:ends[i+1]]`."""

    elements: NDArray[np.int32]  # (total,)
    ends: NDArray[np.int64]  # (K + 1,)
    _columns: dict[int, NDArray[np.uint16]] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.ends) - 1

    def __post_init__(self) -> None:
        if (np.diff(self.ends) == 0).any():
            raise ModelError("a molecule needs at least one element")

    @cached_property
    def sizes(self) -> Array:  # (K,)
        return np.diff(self.ends).astype(float)

    def column(self, molecule: int) -> NDArray[np.uint16]:  # -> (K,)
        """How many elements each molecule shares with one; kept, as it is asked about again."""
        found = self._columns.get(molecule)
        if found is None:
            marked = np.zeros(int(self.elements.max()) + 1, dtype=np.uint16)
            marked[self.elements[self.ends[molecule] : self.ends[molecule + 1]]] = 1
            found = np.add.reduceat(marked[self.elements], self.ends[:-1])
            if len(self._columns) < MOST_COLUMNS:
                self._columns[molecule] = found
        return found

    def _make_room(self, wanted: list[int]) -> None:
        """Forget columns that are not wanted now, where those that are would not fit."""
        needed = set(wanted)
        if len(self._columns.keys() | needed) > MOST_COLUMNS:
            for molecule in self._columns.keys() - needed:
                self._columns.pop(molecule, None)

    def similarity(self, some: Index, others: Index) -> Array:  # (m,), (n,) -> (m, n)
        """|A and B| / |A or B| for all pairs."""
        shared = np.empty((len(some), len(others)))
        wanted = others.tolist()
        self._make_room(wanted)
        for j, molecule in enumerate(wanted):
            shared[:, j] = self.column(molecule)[some]
        union = self.sizes[some][:, None] + self.sizes[others] - shared
        shared /= union
        return shared

    @cached_property
    def hashes(self) -> Codes:  # (K, HASHES)
        """The hash of each molecule in each of some random orders, in 16 bits."""
        rng = np.random.default_rng(len(self))
        size = int(self.elements.max()) + 1
        orders = [
            rng.permuted(np.tile(np.arange(size, dtype=np.uint32), (HASHES_AT_ONCE, 1)), axis=1).T
            for _ in range(HASHES // HASHES_AT_ONCE)
        ]
        factors = rng.integers(1 << 31, size=HASHES, dtype=np.uint32) * 2 + 1
        found = np.empty((len(self), HASHES), dtype=np.uint16)

        def fill(block: int) -> None:
            at = slice(block * HASHES_AT_ONCE, (block + 1) * HASHES_AT_ONCE)
            ranks = np.ascontiguousarray(orders[block])  # (elements, 16)
            for start in range(0, len(self), MOLECULES_AT_ONCE):
                ends = self.ends[start : start + MOLECULES_AT_ONCE + 1]
                here = ranks[self.elements[ends[0] : ends[-1]]]
                least = np.minimum.reduceat(here, ends[:-1] - ends[0], axis=0)
                found[start : start + len(least), at] = (least * factors[at]) >> np.uint32(16)

        with ThreadPoolExecutor(2) as threads:
            list(threads.map(fill, range(len(orders))))
        return found

    def signs(self, rng: np.random.Generator, n: int) -> NDArray[np.uint64]:  # -> (K, words)
        """n random signs of the hash of each molecule, as bits: 1 where negative.

        (a h + b) modulo 2^32, its highest bit, is fair and independent for any two hashes h.
        """
        columns = rng.permutation(HASHES) if n <= HASHES else rng.integers(HASHES, size=n)
        a, b = (rng.integers(1 << 32, size=n, dtype=np.uint64).astype(np.uint32) for _ in range(2))
        width = -(-n // 64) * 64
        packed = np.empty((len(self), width // 8), dtype=np.uint8)
        negative = np.zeros((MOLECULES_AT_ONCE, width), dtype=bool)
        for start in range(0, len(self), MOLECULES_AT_ONCE):
            some = self.hashes[start : start + MOLECULES_AT_ONCE][:, columns[:n]]
            turned = some.astype(np.uint32) * a + b
            negative[: len(some), :n] = turned >> np.uint32(31)
            packed[start : start + len(some)] = np.packbits(negative[: len(some)], axis=1)
        return packed.view(np.uint64)


TABLES: dict[str, Fingerprints] = {}


def keep_fingerprints(
    key: str, elements: NDArray[np.int32], ends: NDArray[np.int64]
) -> Fingerprints:
    """The table of these molecules, made once for a key, which stands for their content."""
    if key not in TABLES:
        TABLES[key] = Fingerprints(elements, ends)
    return TABLES[key]


def known_fingerprints(key: str) -> Fingerprints:
    """The fingerprints that a stored kernel names."""
    if key not in TABLES:
        raise ModelError(
            "the molecules of this model are not known in this process; open the study with its "
            "pool: Study.load(name, storage=..., space=pathmax.Candidates(..., smiles=...))"
        )
    return TABLES[key]
