"""What a search maximises: a score of points, larger is better, with its gradient."""

from __future__ import annotations

from typing import Protocol

from pathmax.arrays import Array


class Score(Protocol):
    """Anything that can be maximised over a domain. Subclasses need not have an `approximate`."""

    def __call__(self, U: Array, /) -> Array:  # (m, d) -> (m,)
        """The score of each row, larger is better."""

    def value_and_gradient(self, U: Array, /) -> tuple[Array, Array]:  # -> (m,), (m, d)
        """The score of each row and its gradient in the row."""

    def approximate(self, U: Array, /) -> Array:  # (m, d) -> (m,)
        """The score as well as it takes to see where it is high; cheaper, if that is possible."""
        return self(U)
