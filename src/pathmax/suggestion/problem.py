"""Problem: what stays the same from one trial of a study to the next."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pathmax.space.domains import Domain
from pathmax.space.space import Space
from pathmax.suggestion.available_points import is_held
from pathmax.suggestion.settings import Settings
from pathmax.suggestion.surrogate import Modeller, default_kernel


@dataclass(frozen=True, slots=True)
class Problem:
    """What stays the same from one trial to the next."""

    space: Domain
    direction: str
    settings: Settings

    @property
    def modeller(self) -> Modeller:
        """What makes the surrogate of a history."""
        kernel = self.settings.kernel
        bowl_on = numbers_of(self.space) if self.chooses_model else ()
        if kernel is None:
            kernel = default_kernel(self.space.axes, separable=is_held(self.space))
        axes = tuple(self.space.axis_values) if is_held(self.space) else None
        return Modeller(self.settings, self.direction, kernel, axes, bowl_on)

    @property
    def chooses_model(self) -> bool:
        """Whether the model is ours to choose: whoever brings a kernel has one in mind."""
        return self.settings.kernel is None

    def by(self, method: str) -> Problem:
        """The same problem under another method, with that method's own defaults."""
        return replace(self, settings=replace(self.settings, method=method, options={}))


def numbers_of(space: Domain) -> tuple[int, ...]:
    """Where the middle is likelier to be good: the numbers of a space that has a real one.

    Pools, grids and spaces of lists are gone through point by point, exactly, and need no help.
    """
    axes = space.axes
    if not isinstance(space, Space) or all(axis.values is not None for axis in axes):
        return ()
    return tuple(i for i, axis in enumerate(axes) if axis.kind != "categorical")
