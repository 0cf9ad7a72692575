"""What a search brings back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from pathmax.gp.linalg import Array


@final
@dataclass(frozen=True, eq=False)
class Maximum:
    """Where a score is largest, its value there, and the number of the point in a finite domain."""

    u: Array  # (d,)
    value: float
    index: int | None = None
