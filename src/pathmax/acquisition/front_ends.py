"""Where a front ends: its spans and its nadir, without points that are not worth their price.

A draw of paths has a front, but models leave a little open everywhere: at a point that is worthless
in one objective some path is a thousandth better in another. The front of that draw then ends many
spans too far, and every gap of it looks small. So points count for the ends of a front only if they
gain at least GAIN of what another point is better by in another objective, both in spans.
(Geoffrion's proper efficiency, with a number; what it is worth: benchmarks/choices.md.) Where a
front reaches a hundred spans too far, its own middle is what looks worthless, and its ends stay.
"""

from __future__ import annotations

import numpy as np

from pathmax.arrays import Array, Mask
from pathmax.gp.linalg import blocks

GAIN = 0.01  # of the price
JUDGED_AGAIN = 4  # all points are judged again by the spans of those that were worth it
MOST_COMPARED_WITH = 256  # points of a front that each is compared with, at most


def worth_their_price(front: Array) -> Array:  # (P, K) -> (p, K)
    """The front without points that gain next to nothing in one objective for much in another."""
    worth = front
    for _ in range(JUDGED_AGAIN):
        q = front / extent(worth)
        others = q[:: -(-len(q) // MOST_COMPARED_WITH)]
        some = [are_worth_it(q[rows], others) for rows in blocks(len(q), len(others))]
        kept = front[np.concatenate(some)]
        if len(kept) in (0, len(worth)):
            break
        worth = kept
    return worth


def are_worth_it(q: Array, others: Array) -> Mask:  # (m, K), (o, K) -> (m,)
    """Which points gain enough for their price over each of the others; all in spans."""
    gain = np.full((len(q), len(others)), -np.inf)
    price = gain.copy()
    for k in range(q.shape[1]):
        better = q[:, k, None] - others[:, k]
        np.maximum(gain, better, out=gain)
        np.maximum(price, -better, out=price)
    return np.asarray((gain >= GAIN * price).all(axis=1))


def spans_of(front: Array) -> Array:  # (P, K) -> (K,)
    """How far a front reaches in every objective; 1 where it has one value."""
    return extent(worth_their_price(front))


def reference_beyond(front: Array, margin: float) -> Array:  # (P, K) -> (K,)
    """So many spans beyond the nadir, the worst values of a front."""
    worth = worth_their_price(front)
    return np.asarray(worth.min(axis=0) - margin * extent(worth))


def extent(points: Array) -> Array:  # (P, K) -> (K,)
    """The range of some points in every objective; 1 where they have one value."""
    spans = np.ptp(points, axis=0)
    return np.where(spans > 0.0, spans, 1.0)
