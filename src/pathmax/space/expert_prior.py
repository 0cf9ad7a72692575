"""Likely: where an expert expects the best, as a weight of every point.

    Float(20, 120, likely=60)            about 60, give or take 15 % of the range
    Float(20, 120, likely=(60, 10))      give or take 10; with log=True (1e-3, 3): a factor of 3
    Categorical(["DMF", "THF"], likely="DMF"), likely={"DMF": 3, "THF": 1}, likely=[3, 1]

    w(u) = FLOOR + (1 - FLOOR) prod_j q_j(u_j)^(1 / sqrt m)       m parameters with something likely

with q_j = exp(-z^2 / 2) of a number and its weight, relative to the largest, of a choice. The root
keeps a guess about many parameters from counting as none: without it the product would be next to
nothing almost everywhere. A weight is never below FLOOR, so that no point is ruled out, and data
can overrule: see `acquisition.weighted_path`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, final

import numpy as np

from pathmax.arrays import Array
from pathmax.errors import SpaceError
from pathmax.scalars import Scalar, describe, plain

__all__ = ["FLOOR", "Bump", "ChoiceWeights", "Guess", "Likely"]

FLOOR = 0.1  # the least weight of a point: a wrong guess costs at most 1 / FLOOR as many trials
GUESSED_CONTEXT = (
    "{name}: a context is given and not chosen, so there is no best value to guess; leave out "
    "likely or context"
)
CHOICE_WEIGHT = 3.0  # of the choice that is likely, where any other has 1
LIKELY_SPREAD = 0.15  # of the range, where none is given


@final
@dataclass(frozen=True)
class Bump:
    """The best value of a number is likely to be near a coordinate."""

    centre: float
    spread: float

    def __call__(self, u: Array) -> Array:  # (m,) -> (m,)
        return np.asarray(np.exp(-0.5 * ((u - self.centre) / self.spread) ** 2))

    def draw(self, v: float) -> float:
        """The coordinate below which the share v of the weight lies."""
        from scipy.special import ndtr, ndtri  # not needed by those who guess nothing

        low, high = ndtr((np.array([0.0, 1.0]) - self.centre) / self.spread)
        u = self.centre + self.spread * float(ndtri(low + v * (high - low)))
        return min(max(u, 0.0), 1.0)


@final
@dataclass(frozen=True)
class ChoiceWeights:
    """Choices are likely by these weights, of which the largest is 1."""

    weights: tuple[float, ...]

    def __call__(self, u: Array) -> Array:  # (m,) -> (m,)
        return np.array(self.weights)[np.clip(u, 0, len(self.weights) - 1).astype(np.intp)]

    @property
    def centre(self) -> float:
        return float(np.argmax(self.weights))

    def draw(self, v: float) -> float:
        """The choice below which the share v of the weight lies."""
        ends = np.cumsum(self.weights)
        return float(min(int(np.searchsorted(ends / ends[-1], v)), len(ends) - 1))


Guess: TypeAlias = Bump | ChoiceWeights


@final
@dataclass(frozen=True)
class Likely:
    """The weight of every point, of coordinates with a guess each."""

    guesses: Mapping[int, Guess]

    def __call__(self, U: Array) -> Array:  # (m, d) -> (m,)
        """Weights from FLOOR to 1; a parameter that is absent says nothing."""
        logs = np.zeros(len(U))
        for column, guess in self.guesses.items():
            u = U[:, column]
            with np.errstate(divide="ignore", under="ignore"):
                logs += np.where(u < 0.0, 0.0, np.log(guess(np.maximum(u, 0.0))))
        root = 1.0 / math.sqrt(len(self.guesses))
        with np.errstate(under="ignore"):
            return np.asarray(FLOOR + (1.0 - FLOOR) * np.exp(root * logs))

    def placed(self, uniform: Array, U: Array) -> Array:  # (m, d), (m, d) -> (m, d)
        """Points U with likely coordinates in place of theirs, drawn by uniform numbers."""
        moved = U.copy()
        for column, guess in self.guesses.items():
            moved[:, column] = [guess.draw(float(v)) for v in uniform[:, column]]
        return moved

    def guessed(self, u: Array) -> Array:  # (d,) -> (d,)
        """A point with the likeliest value of each coordinate that has one."""
        moved = u.copy()
        for column, guess in self.guesses.items():
            moved[column] = guess.centre
        return moved


def refuse_guess(likely: object, replicates: object = None) -> None:
    """Refuse a guess about rows, of which there is a list, and what is said to a study."""
    if replicates is not None:
        raise SpaceError(
            "replicates: whether rows may be measured again is said to the study, "
            f"Study(pool, replicates=True), got {describe(replicates)} here"
        )
    if likely is not None:
        raise SpaceError(
            "likely: pools and grids have no guesses; look at the likely rows first, with "
            "where=['load <= 2'], say, or give a Space whose numbers are listed, "
            f"Float(values=[1, 2.5, 5], likely=2.5), got {describe(likely)}"
        )


def checked_number(
    name: str, likely: object, low: float, high: float, log: bool
) -> float | tuple[float, float] | None:
    """A guess about a number, or a `SpaceError`."""
    if likely is None:
        return None
    parts = [plain(p) for p in likely] if isinstance(likely, Sequence) else [plain(likely)]
    sound = 1 <= len(parts) <= 2 and all(
        isinstance(p, int | float) and not isinstance(p, bool) and math.isfinite(p) for p in parts
    )
    if not sound or isinstance(likely, str):
        raise SpaceError(
            f"{name}: likely is a number, or a number and how far off it may be, such as (60, 10), "
            f"got {describe(likely)}"
        )
    centre, *spread = (float(p) for p in parts)  # type: ignore[arg-type]
    if not low <= centre <= high:
        raise SpaceError(
            f"{name}: what is likely must be from low={low!r} to high={high!r}, got {centre!r}"
        )
    if spread and (spread[0] <= (1.0 if log else 0.0)):
        words = "a factor above 1, since log=True" if log else "above 0"
        raise SpaceError(f"{name}: how far off a guess may be is {words}, got {spread[0]!r}")
    return (centre, spread[0]) if spread else centre


def bump(likely: Any, low: float, high: float, log: bool) -> Bump | None:
    """A checked guess in coordinates."""
    if likely is None:
        return None
    centre, spread = likely if isinstance(likely, tuple) else (likely, None)
    if log:
        range_ = math.log(high / low)
        at, width = math.log(centre / low) / range_, None if spread is None else math.log(spread)
    else:
        range_ = high - low
        at, width = (centre - low) / range_, spread
    return Bump(at, LIKELY_SPREAD if width is None else width / range_)


def checked_weights(name: str, likely: Any, choices: Sequence[Scalar]) -> tuple[float, ...] | None:
    """The weight of each choice, or a `SpaceError`."""
    if likely is None:
        return None
    if isinstance(likely, set | frozenset):  # several that are likely
        likely = dict.fromkeys(likely, CHOICE_WEIGHT)
    if not isinstance(likely, Mapping | list | tuple):
        if not isinstance(plain(likely), str | int | float | bool):
            raise SpaceError(
                f"{name}: likely is a choice, some of them, or a weight for each, as in "
                f"{{{choices[0]!r}: 3}}, got {describe(likely)}"
            )
        likely = {plain(likely): CHOICE_WEIGHT}
    if isinstance(likely, Mapping):
        unknown = [choice for choice in likely if choice not in choices]
        if unknown:
            raise SpaceError(
                f"{name}: likely names {describe(unknown[0])}, which is no choice; those are "
                f"{', '.join(map(repr, choices[:8]))}"
            )
        likely = [likely.get(choice, 1.0) for choice in choices]
    weights = [plain(weight) for weight in likely]
    sound = len(weights) == len(choices) and all(
        isinstance(w, int | float) and not isinstance(w, bool) and 0 <= w < math.inf
        for w in weights
    )
    if not sound or not any(weights):
        raise SpaceError(
            f"{name}: likely is a choice, or a weight for each of the {len(choices)} choices, zero "
            f"or more, as in {{{choices[0]!r}: 3}}, got {likely!r}"
        )
    return tuple(float(w) for w in weights)  # type: ignore[arg-type]
