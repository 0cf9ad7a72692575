"""What the figures have in common: colours that everybody can tell apart, scales and labels."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from pathmax.arrays import Array
from pathmax.errors import MissingExtraError
from pathmax.scalars import Scalar
from pathmax.space.any_space import AnySpace
from pathmax.space.ranges import NumberRange
from pathmax.trials.trial import Trial

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

# Okabe and Ito's palette: told apart with every kind of colour vision, and in grey.
BLUE, ORANGE, RED, GREY = "#0072B2", "#E69F00", "#D55E00", "#8c8c8c"
COLOUR_MAP = "cividis"
MOST_NAMES = 12  # ticks with names on one axis
LONGEST_TICK = 16  # letters of a tick
MOST_LETTERS = 28  # of ticks side by side along a slice, at the narrowest that it is drawn
MOST_DOTS = 500  # of a pool
FEW_DECADES = 1e3
PER_ROW = 4  # panels
LEGEND_MARK, LEGEND_LETTER = 0.55, 0.065  # inches that a mark and a letter of a legend take
LEVELS = np.linspace(0.0, 1.0, 101)  # of probability, in figures of calibration

Label = Callable[[str], str]


def new_figure(width: float, height: float) -> Figure:
    """An empty figure that belongs to nobody: no window, no global state."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError(
            'figures need matplotlib, which is not installed; run: pip install "pathmax[plot]"'
        ) from error
    figure = Figure(figsize=(width, height), layout="constrained")
    # A notebook draws figures of pyplot alone, unless they say how they look.
    setattr(figure, "_repr_png_", partial(as_png, figure))  # noqa: B010
    return figure


def as_png(figure: Figure) -> bytes:
    """The figure as a notebook shows it."""
    page = io.BytesIO()
    figure.savefig(page, format="png", dpi=100)
    return page.getvalue()


def literal(text: str) -> str:
    """Text of which matplotlib makes no formula: a parameter may be called $x."""
    return text.replace("$", r"\$")


def tidy(axes: Axes) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.25, linewidth=0.6)
    axes.set_axisbelow(True)


def legend_below(axes: Axes, lines: int = 1) -> None:
    """A legend under the axis and its ticks of so many lines, where it covers nothing."""
    below = -0.07 - 0.05 * lines
    axes.legend(
        loc="upper center", bbox_to_anchor=(0.5, below), ncols=4, frameon=False, fontsize="small"
    )


def legend_outside(figure: Figure | SubFigure, axes: Axes, n: int = 4) -> None:
    """One legend for all axes of a figure, below them: that of one of the axes, if it has any.

    It has at most n columns, and as few as fit into the width of the figure.
    """
    handles, names = axes.get_legend_handles_labels()
    if names:
        inches = [LEGEND_MARK + LEGEND_LETTER * len(name) for name in names]
        width = figure.bbox.width / figure.dpi
        while n > 1 and sum(part.max(initial=0.0) for part in np.array_split(inches, n)) > width:
            n -= 1
        figure.legend(
            handles, names, loc="outside lower center", ncols=n, frameon=False, fontsize="small"
        )


@dataclass(frozen=True, slots=True)
class ParameterScale:
    """The range of one parameter: where values lie on it, and how it is labelled."""

    name: str
    low: float
    high: float
    choices: tuple[Scalar, ...] | None = None  # None for numbers
    lattice: tuple[Scalar, ...] | None = None  # the only numbers there are
    log: bool = False
    whole: bool = False

    def positions(self, values: Sequence[Scalar]) -> Array:
        """Where values are drawn: numbers as they are, choices at 0, 1, 2, ..."""
        if self.choices is None:
            return np.array(values, dtype=float)
        return np.array([self.choices.index(v) for v in values], dtype=float)

    def fractions(self, values: Sequence[Scalar]) -> Array:
        """Where values lie between 0 (low) and 1 (high)."""
        x, low, high = self.positions(values), self.low, self.high
        if self.log:
            x, low, high = np.log(x), math.log(low), math.log(high)
        return (x - low) / (high - low) if high > low else np.full(len(x), 0.5)

    def steps(self, n: int) -> list[Scalar]:
        """Up to n values from low to high, or every choice."""
        if self.choices is not None or self.lattice is not None:
            return list(self.choices or self.lattice or ())
        spaced = (np.geomspace if self.log else np.linspace)(self.low, self.high, n)
        spaced[[0, -1]] = self.low, self.high  # rounding must not step over a bound
        return sorted({round(x) for x in spaced.tolist()}) if self.whole else spaced.tolist()

    def dress(self, axis: Any, label: str) -> None:
        """Label an axis of a plot (axes.xaxis or axes.yaxis) for this scale."""
        axis.set_label_text(literal(label))
        if self.choices is not None:
            positions, names = self.named_ticks()
            axis.set_ticks(positions, names, **slant(names))
        elif self.log and self.high / self.low < FEW_DECADES:
            from matplotlib.ticker import LogLocator, NullLocator, StrMethodFormatter

            axis.set_major_locator(LogLocator(subs=(1, 2, 5)))  # 10, 20, 50 for 10^1
            axis.set_major_formatter(StrMethodFormatter("{x:g}"))
            axis.set_minor_locator(NullLocator())
        elif self.whole and not self.log:
            axis.get_major_locator().set_params(integer=True)

    def named_ticks(self) -> tuple[list[int], list[str]]:
        """Positions and names of choices, not more than can be read."""
        choices = self.choices or ()
        shown = range(0, len(choices), math.ceil(len(choices) / MOST_NAMES) or 1)
        return list(shown), [literal(name) for name in short_names([choices[i] for i in shown])]


def scales(domain: AnySpace, trials: Sequence[Trial]) -> list[ParameterScale]:
    """The scale of each parameter that varies, in order."""
    sample = [*(domain.sampled(MOST_DOTS) or ()), *(trial.params for trial in trials)]
    found = []
    for name, axis in zip(domain.searched_names, domain.axes, strict=True):
        numbers = domain.range_of(name)
        if numbers is not None:
            found.append(_of_range(name, numbers))
            continue
        values = domain.choices(name)
        if values is None:  # a column of a pool
            values = tuple(dict.fromkeys(params[name] for params in sample))
        found.append(_of_values(name, values, ordered=axis.kind != "categorical"))
    return found


def short_names(values: Sequence[Scalar]) -> list[str]:
    """The values as text of at most `LONGEST_TICK` letters, their ends too if they begin alike."""
    texts = [str(value) for value in values]
    begun = [t if len(t) <= LONGEST_TICK else t[: LONGEST_TICK - 1] + "…" for t in texts]
    if len(set(begun)) == len(set(texts)):
        return begun
    half = LONGEST_TICK // 2
    return [t if len(t) <= LONGEST_TICK else t[: half - 1] + "…" + t[-half:] for t in texts]


def slant(names: Sequence[str]) -> dict[str, Any]:
    """How names are set along an axis: slanted when side by side they would touch.

    Each has an equal share of the axis; the more there are, the steeper.
    """
    if len(names) < 2 or len(names) * max(map(len, names)) <= MOST_LETTERS:
        return {}
    angle = 35 if len(names) <= 8 else 60
    return {
        "rotation": angle, "rotation_mode": "anchor", "ha": "right", "va": "top", "size": "small"
    }  # fmt: skip


def _of_range(name: str, numbers: NumberRange) -> ParameterScale:
    low, high, log, whole = numbers.low, numbers.high, numbers.log, numbers.whole
    if not numbers.has_step and numbers.levels is None:
        return ParameterScale(name, low, high, log=log, whole=whole)
    places = numbers.axis.values  # of a list these are not evenly spaced
    places = np.linspace(0, 1, MOST_DOTS) if places is None else places
    shown = places[np.linspace(0, len(places) - 1, min(len(places), MOST_DOTS)).round().astype(int)]
    lattice = tuple(dict.fromkeys(map(numbers.decode, shown.tolist())))
    return ParameterScale(name, low, high, lattice=lattice, log=log, whole=whole)


def _of_values(name: str, values: Sequence[Any], *, ordered: bool) -> ParameterScale:
    if not ordered:
        return ParameterScale(name, 0, len(values) - 1, choices=tuple(values))
    return ParameterScale(name, min(values), max(values), lattice=tuple(sorted(values)))
