"""Fewer points that look the same: a chart of a thousand pixels cannot show fifty thousand dots."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from pathmax.arrays import Array, Index
from pathmax.trials.wording import plural

MOST_SCATTERED = 1200  # of a scatter; SVG stays quick, and neighbours are a pixel apart
MOST_CANDIDATES = 400  # in each of many small charts


def extremes(values: Array, most: int = MOST_SCATTERED) -> Index:  # (n,) -> (m,), ascending
    """The lowest and the highest of each of `most` / 2 stretches: no peak and no dip is lost."""
    n = len(values)
    if n <= most:
        return np.arange(n)
    ends = np.linspace(0, n, most // 2 + 1).astype(int)
    kept = set[int]()
    for begin, end in itertools.pairwise(ends.tolist()):
        stretch = values[begin:end]
        kept |= {begin + int(np.argmin(stretch)), begin + int(np.argmax(stretch))}
    return np.array(sorted(kept))


def evenly(n: int, most: int, keep: Sequence[int] = ()) -> Index:  # -> (m,), ascending
    """`most` of n positions from first to last, and those to keep."""
    if n <= most:
        return np.arange(n)
    spread = np.linspace(0, n - 1, most).astype(int)
    return np.union1d(spread, np.array(keep, dtype=int))


def shown_of(shown: int, of: int, how: str) -> str:
    """What a chart says below itself when it does not show everything; empty when it does."""
    return "" if shown >= of else f"{shown:,} of {plural(of, 'result')} drawn: {how}"
