"""Numbers as they stand on a page: with as many digits as a bench can set or a model knows."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pathmax.scalars import Scalar
from pathmax.trials.wording import number
from pathmax.workspace.layout import Layout
from pathmax.workspace.rounding import rounded

MISSING = "–"  # noqa: RUF001
RESULT_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Words:
    """How the numbers of one study are written."""

    layout: Layout

    def unit(self, name: str) -> str:
        """The unit of a parameter or of a column of results; empty when there is none."""
        return self.layout.units.get(name, "")

    def label(self, name: str) -> str:
        return self.layout.labelled(name)

    def setting(self, name: str, value: Scalar) -> str:
        """The value of a parameter, without its unit."""
        near = rounded(self.layout.domain, {name: value})[name]
        if isinstance(near, bool):
            return str(near).lower()
        if isinstance(near, float):
            return f"{near:.10g}"
        return MISSING if near is None else str(near)

    def result(self, value: float | None) -> str:
        """A measured number, without its unit."""
        return MISSING if value is None else number(value, RESULT_DIGITS)


def expected(mean: float, std: float) -> str:
    """A number that is known to within a standard deviation: 71.9 ± 4.1."""
    if not math.isfinite(std) or std <= 0.0:
        return number(mean)
    decimals = 1 - math.floor(math.log10(std))
    if not -6 < decimals < 12 or abs(mean) >= 1e7:
        return f"{mean:.4g} ± {std:.2g}"
    shown = max(decimals, 0)
    return f"{round(mean, decimals):.{shown}f} ± {round(std, decimals):.{shown}f}"


def lasting(seconds: float) -> str:
    """How long something has taken: 48 s, 12 min, 3 h 5 min, 2 d 4 h."""
    whole = max(0, round(seconds))
    for size, name, smaller, rest in ((86400, "d", 3600, "h"), (3600, "h", 60, "min")):
        if whole >= size:
            more = whole % size // smaller
            return f"{whole // size} {name}" + (f" {more} {rest}" if more else "")
    return f"{whole // 60} min" if whole >= 60 else f"{whole} s"
