"""Random signs of categories: what a Hamming kernel puts into a random feature.

A sign is a bit, and the product of signs is the exclusive or of their bits. The signs of F features
for one category are F bits in F / 64 words, so that 64 coordinates are multiplied by reading 64
rows of a table: 20 times as fast as multiplying matrices of signs (benchmarks/choices.md).
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from pathmax.arrays import Array, Words

OF_BYTE = 1.0 - 2.0 * np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1)  # (256, 8)


@final
@dataclass(frozen=True, eq=False)
class Signs:
    """A random sign per category: E[sign(c) sign(c')] = rho + (1 - rho) 1{c = c'}.

    With probability rho a feature has one sign for all categories, otherwise one for each. The sign
    of a category is computed from its code, so categories never seen before have one too. Any two
    numbers that differ are two categories, as they are for the kernel.
    """

    coordinate: int
    common: Array  # (F,) the shared sign
    shared: np.ndarray  # (F,) bool
    key: int

    def of(self, code: float) -> Array:  # -> (F,)
        own = np.random.default_rng([self.key, seed_of(code)]).integers(0, 2, len(self.common))
        return np.where(self.shared, self.common, 2.0 * own - 1.0)


def seed_of(code: float) -> int:
    """A number from 0 for each code: 1, 2, ... for the codes 0, 1, ..., their bits for others."""
    if code >= 0 and code.is_integer():
        return int(code) + 1
    return int.from_bytes(struct.pack(">d", code), "big")


@final
@dataclass(frozen=True, eq=False)
class ListedSigns:
    """Signs of the categories 0, 1, ..., K - 1 that somebody else has drawn."""

    coordinate: int
    n_features: int
    words: Words  # (K, W)


class Drawn(NamedTuple):
    """The signs that have been asked for already."""

    codes: Array  # (K,) ascending, of all coordinates
    rows: NDArray[np.intp]  # (K, c): where the signs of a code of a coordinate are; -1: not drawn
    table: Words  # (r, W): a bit is 1 where the sign is -1

    def find(self, codes: Array) -> NDArray[np.intp] | None:  # (m, c) -> (m, c)
        """The rows of the table with the signs of these codes, or None if some are missing."""
        if not len(self.codes):
            return None
        at = np.searchsorted(self.codes, codes)
        np.minimum(at, len(self.codes) - 1, out=at)
        rows = self.rows[at, np.arange(codes.shape[1])]
        known = (self.codes[at] == codes) & (rows >= 0)
        return rows if known.all() else None


@final
class SignProduct:
    """X -> the product of the signs of all coordinates, for each feature."""

    def __init__(self, signs: tuple[Signs | ListedSigns, ...]) -> None:
        self.signs = [one for one in signs if isinstance(one, Signs)]
        self.listed = [one for one in signs if isinstance(one, ListedSigns)]
        self.columns = [one.coordinate for one in self.signs]
        first = signs[0]
        self.features = len(first.common) if isinstance(first, Signs) else first.n_features
        words = -(-self.features // 64)
        self._drawn = Drawn(
            np.empty(0),
            np.empty((0, len(self.signs)), dtype=np.intp),
            np.empty((0, words), dtype=np.uint64),
        )

    def __call__(self, X: Array) -> Array:  # (m, d) -> (m, F)
        if not len(X):
            return np.empty((0, self.features))
        words = self._words(X)
        for one in self.listed:
            listed = one.words.take(X[:, one.coordinate].astype(np.intp), axis=0)
            words = listed if words is None else words ^ listed
        assert words is not None, "there is a sign"
        signs = np.asarray(OF_BYTE.take(words.view(np.uint8), axis=0), dtype=float)
        signs = signs.reshape(len(X), -1)
        return signs[:, : self.features]

    def _words(self, X: Array) -> Words | None:  # (m, d) -> (m, W)
        """The products of the signs that are drawn when they are asked for."""
        if not self.signs:
            return None
        rows, table = self._rows(X[:, self.columns])
        return np.asarray(np.bitwise_xor.reduce(table.take(rows.T, axis=0), axis=0))

    def _rows(self, codes: Array) -> tuple[NDArray[np.intp], Words]:  # (m, c) -> (m, c), (r, W)
        """Where the signs of these codes are, and the table that they are in."""
        drawn = self._drawn  # read once: threads share it
        rows = drawn.find(codes)
        if rows is None:
            self._drawn = drawn = self._with(drawn, codes)
            rows = drawn.find(codes)
            assert rows is not None, "these codes have been drawn"
        return rows, drawn.table

    def _with(self, drawn: Drawn, codes: Array) -> Drawn:
        """Also the signs of these codes."""
        union = np.union1d(drawn.codes, codes)
        rows = np.full((len(union), len(self.signs)), -1, dtype=np.intp)
        rows[np.searchsorted(union, drawn.codes)] = drawn.rows
        table = list(drawn.table)
        for j, signs in enumerate(self.signs):
            for code in np.unique(codes[:, j]):
                k = int(np.searchsorted(union, code))
                if rows[k, j] < 0:
                    rows[k, j] = len(table)
                    table.append(packed(signs.of(float(code))))
        return Drawn(union, rows, np.stack(table))


def packed(signs: Array) -> Words:  # (F,) -> (W,)
    """The signs as bits: 1 where negative."""
    negative = np.zeros(-(-len(signs) // 64) * 64, dtype=bool)
    negative[: len(signs)] = signs < 0.0
    return np.packbits(negative).view(np.uint64)
