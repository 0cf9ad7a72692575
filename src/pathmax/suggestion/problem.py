"""The problem of a study: what stays the same from one trial of a study to the next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from pathmax import gp
from pathmax.space.any_space import AnySpace
from pathmax.space.likely import Likely
from pathmax.suggestion.available_points import everything
from pathmax.suggestion.default_kernel import default_kernel
from pathmax.suggestion.fitted import Surrogate
from pathmax.suggestion.settings import Settings
from pathmax.suggestion.surrogate import Modeller
from pathmax.trials.goals import Goals
from pathmax.trials.history import History

Surrogates = Mapping[str, Surrogate]  # by the name of the outcome


@dataclass(frozen=True, slots=True)
class StudyProblem:
    """What may be tried, what is wanted, and how to suggest."""

    space: AnySpace
    goals: Goals
    settings: Settings

    @property
    def direction(self) -> str:
        """Of the objective, or of the first of several."""
        return str(self.goals.first.direction)

    def surrogates(self, history: History, kept: Surrogates | None = None) -> Surrogates:
        """The model of every outcome that has a value. `kept`, of an earlier call, saves time."""
        found = {}
        for goal in self.goals:
            observed = history.of(goal.name)
            if observed.n or self.settings.fixed:
                earlier = None if kept is None else kept.get(goal.name)
                found[goal.name] = self.modeller(goal.sign).surrogate(observed, earlier)
        return found

    def modeller(self, sign: float) -> Modeller:
        """What makes the surrogate of an outcome; larger is better when the sign is 1."""
        kernel = self.settings.kernel
        space = self.space.unheld  # the model is the same whatever is given
        bowl_on = numbers_of(space) if self.chooses_model else ()
        axes = everything(space).held_axes
        if kernel is None:
            form = gp.RBF if self.settings.model == "paper" else gp.Matern52
            kernel = default_kernel(space.axes, form, separable=axes is not None)
        return Modeller(self.settings, sign, kernel, axes, bowl_on)

    @property
    def chooses_model(self) -> bool:
        """Whether the model is ours to choose: whoever brings a kernel has one in mind."""
        return self.settings.kernel is None and self.settings.model != "paper"

    @property
    def likely(self) -> Likely | None:
        """Where an expert expects the best; pools and grids have no guesses."""
        return self.space.likely

    def by(self, method: str) -> StudyProblem:
        """The same problem under another method, with that method's own defaults."""
        return replace(self, settings=replace(self.settings, method=method, options={}))


def numbers_of(space: AnySpace) -> tuple[int, ...]:
    """Where the middle is likelier to be good: the numbers of a space that has a real one.

    Pools, grids and spaces of lists are gone through point by point, exactly, and need no help.
    """
    axes = space.axes
    if space.is_numbered or all(axis.values is not None for axis in axes if axis.target is None):
        return ()
    others = {*space.blended_names}  # the middle is no blend
    others |= {*space.context_names}  # and no context is better for being in the middle
    return tuple(
        i
        for i, (name, axis) in enumerate(zip(space.searched_names, axes, strict=True))
        if axis.kind != "categorical"
        and not axis.conditional
        and axis.target is None
        and name not in others
    )
