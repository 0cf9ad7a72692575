"""Keys of cells and rows that are the same in every process, and a hash of rows in their order.

A row has two 64-bit keys, a mixture of the keys of its cells. The hash of N rows is

    h = sum_i key_i M^i  (modulo 2^64),      h(a then b) = h(a) + M^len(a) h(b)

so that parts of a library can be looked at by different machines and in any order, and the hash
does not depend on where one part ends and the next begins.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from pathmax.scalars import Scalar

__all__ = ["RowHash", "keys_of_bytes", "keys_of_cells", "keys_of_texts"]

Keys = NDArray[np.uint64]
MULTIPLIERS = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F))
BASES = (0xD6E8FEB86659FD93, 0xA0761D6478BD642F)  # odd
MODULUS = 1 << 64
LIBRARY_PREFIX = "rows-"  # of the fingerprint of a library


def mixed(columns: Iterable[Keys], multiplier: np.uint64) -> Keys:  # d of (m,) -> (m,)
    """A key for each row from the keys of its cells, which depends on their order."""
    keys = np.zeros(1, dtype=np.uint64)
    for column in columns:
        keys = (keys ^ column) * multiplier  # modulo 2^64
        keys ^= keys >> np.uint64(29)
    return keys


def keys_of_cells(values: NDArray[Any]) -> Keys:  # (m,) -> (m,)
    """A key for each number: its bits as a double, 0.0 and -0.0 being one."""
    return (values.astype(np.float64) + 0.0).view(np.uint64)


def keys_of_texts(texts: Sequence[Scalar]) -> Keys:  # m of them -> (m,)
    """A key for each text, or for whatever else an id is."""
    cells = [(c if isinstance(c, str) else repr(c)).encode("utf-8", "surrogatepass") for c in texts]
    offsets = np.zeros(len(cells) + 1, dtype=np.int64)
    np.cumsum([len(cell) for cell in cells], out=offsets[1:])
    return keys_of_bytes(np.frombuffer(b"".join(cells), dtype=np.uint8), offsets)


def keys_of_bytes(data: NDArray[np.uint8], offsets: NDArray[np.int64]) -> Keys:
    """A key for each piece of some bytes: (b,), (m + 1,) -> (m,); none of them is empty."""
    lengths = np.diff(offsets)
    place = np.arange(len(data)) - np.repeat(offsets[:-1], lengths)
    weighted = data.astype(np.uint64) + np.uint64(1)
    weighted *= powers(BASES[0], int(lengths.max(initial=0)))[place]
    keys = np.add.reduceat(weighted, offsets[:-1]) if len(lengths) else np.empty(0, np.uint64)
    keys ^= keys >> np.uint64(32)
    keys *= MULTIPLIERS[0]
    keys ^= keys >> np.uint64(29)
    return keys


@final
@dataclass(frozen=True)
class RowHash:
    """The hash of some rows in their order, and how many they are."""

    length: int = 0
    sums: tuple[int, int] = (0, 0)

    def then(self, other: RowHash) -> RowHash:
        """The hash of these rows followed by others."""
        first, second = (
            (mine + theirs * pow(base, self.length, MODULUS)) % MODULUS
            for mine, theirs, base in zip(self.sums, other.sums, BASES, strict=True)
        )
        return RowHash(self.length + other.length, (first, second))

    @staticmethod
    def of(columns: Sequence[Keys]) -> RowHash:
        """The hash of rows from the keys of their cells."""
        m = len(columns[0])
        first, second = (
            int((mixed(columns, multiplier) * powers(base, m)).sum(dtype=np.uint64))
            for multiplier, base in zip(MULTIPLIERS, BASES, strict=True)
        )
        return RowHash(m, (first, second))

    def fingerprint(self, header: object) -> str:
        """The hash with that of a header, as text."""
        digest = blake2b(repr((header, self.length, self.sums)).encode(), digest_size=16)
        return LIBRARY_PREFIX + digest.hexdigest()


@cache
def _powers(base: int, m: int) -> Keys:
    factors = np.full(m, base, dtype=np.uint64)
    factors[0] = 1
    return np.cumprod(factors, dtype=np.uint64)


def powers(base: int, m: int) -> Keys:  # -> (m,)
    """1, base, base^2, ... modulo 2^64."""
    size = 1 << max(10, (m - 1).bit_length()) if m else 1024
    return _powers(base, size)[:m]
