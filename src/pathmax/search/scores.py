"""What a search maximises: a score of points, larger is better, with its gradient."""

from __future__ import annotations

from typing import Protocol

from pathmax.arrays import Array


class RowScore(Protocol):
    """What can be maximised over rows that are all looked at. `approximate` may be left out."""

    def __call__(self, U: Array, /) -> Array:  # (m, d) -> (m,)
        """The score of each row, larger is better."""

    def approximate(self, U: Array, /) -> Array:  # (m, d) -> (m,)
        """The score as well as it takes to see where it is high; cheaper, if that is possible."""
        return self(U)


class Score(RowScore, Protocol):
    """What can be maximised over any domain."""

    def value_and_gradient(self, U: Array, /) -> tuple[Array, Array]:  # -> (m,), (m, d)
        """The score of each row and its gradient in the row."""
