"""The problem of a study: what stays the same from one trial of a study to the next."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from pathmax.suggestion.older_results import OlderResults
from pathmax.trials.value_transform import constant

if TYPE_CHECKING:  # a study that is only read needs no model
    from pathmax.space.any_space import AnySpace
    from pathmax.space.expert_prior import Likely
    from pathmax.suggestion.fitted_models import Surrogate
    from pathmax.suggestion.settings import Settings
    from pathmax.suggestion.source_models import NamedLender
    from pathmax.suggestion.surrogate import Modeller
    from pathmax.trials.goals import Goal, Goals
    from pathmax.trials.history import History

FEWEST_LENT = 2  # results: of a single one nothing is learnt

Surrogates: TypeAlias = "Mapping[str, Surrogate]"  # by the name of the outcome


@dataclass(frozen=True, slots=True)
class StudyProblem:
    """What may be tried, what is wanted, and how to suggest."""

    space: AnySpace
    goals: Goals
    settings: Settings
    older: tuple[OlderResults, ...] = ()  # what it learns from besides its trials
    _modellers: dict[str, Modeller] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )  # by outcome, where they depend on nothing but this

    @property
    def direction(self) -> str:
        """Of the objective, or of the first of several."""
        return str(self.goals.first.direction)

    def surrogates(self, history: History, kept: Surrogates | None = None) -> Surrogates:
        """The model of every outcome that has a value. `kept`, of an earlier call, saves time."""
        found = {}
        for goal in self.goals:
            observed = history.of(goal.name)
            modeller = self._modellers.get(goal.name) or self.modeller(goal)
            if not self.older:
                self._modellers[goal.name] = modeller
            if observed.n or self.settings.fixed or modeller.lenders:
                earlier = None if kept is None else kept.get(goal.name)
                found[goal.name] = modeller.surrogate(observed, earlier)
        return found

    def modeller(self, goal: Goal) -> Modeller:
        """What makes the surrogate of an outcome."""
        from pathmax import gp
        from pathmax.suggestion.available_points import everything
        from pathmax.suggestion.default_kernel import default_kernel
        from pathmax.suggestion.surrogate import Modeller

        kernel = self.settings.kernel
        space = self.space.unheld  # the model is the same whatever is given
        bowl_on = numbers_of(space) if self.chooses_model else ()
        axes = None if self.older else everything(space).held_axes
        if kernel is None:
            form = gp.RBF if self.settings.model == "paper" else gp.Matern52
            kernel = default_kernel(space.axes, form, separable=axes is not None)
        front = len(self.goals.objectives) > 1
        alone = Modeller(
            self.settings.of_outcome(goal.name),
            goal.sign,
            kernel,
            axes,
            bowl_on,
            goal.only_bound,
            front=front,
            beside_others=front and goal.is_objective,
            single=self.goals.is_single,
        )
        return replace(alone, lenders=self._lenders(goal, alone)) if self.older else alone

    def _lenders(self, goal: Goal, modeller: Modeller) -> tuple[NamedLender, ...]:
        """The models of the older results of an outcome: those that have any in this space."""
        from pathmax.gp.borrowed import Lender
        from pathmax.suggestion.source_models import NamedLender

        space, settings = self.space.unheld, modeller.settings
        chosen = (settings.kernel and settings.kernel.to_json(), settings.noise, settings.warp)
        key = (space, goal.name, goal.sign, json.dumps(chosen))

        def made(older: OlderResults) -> NamedLender | None:
            observed = older.observed(goal.name, space)
            if observed.n < FEWEST_LENT or constant(observed.values):
                return None
            surrogate = modeller.surrogate(observed)
            return NamedLender(older.name, Lender(surrogate.model), surrogate.transform)

        found = (older.remembered(key, lambda one=older: made(one)) for older in self.older)  # type: ignore[misc]
        return tuple(one for one in found if one is not None)

    @property
    def knows_beforehand(self) -> bool:
        """Whether every outcome has a model before the first result, thanks to older ones."""
        return bool(self.older) and all(self.modeller(goal).lenders for goal in self.goals)

    @property
    def chooses_model(self) -> bool:
        """Whether the model is ours to choose: neither a kernel nor the paper's model is given."""
        return self.settings.kernel is None and self.settings.model != "paper"

    @property
    def likely(self) -> Likely | None:
        """Where an expert expects the best; pools and grids have no guesses."""
        return self.space.likely

    def by(self, method: str) -> StudyProblem:
        """The same problem under another method, with that method's own defaults."""
        return replace(self, settings=replace(self.settings, method=method, options={}))


def numbers_of(space: AnySpace) -> tuple[int, ...]:
    """The coordinates along which the prior mean may fall off from the middle (`gp.Bowl`).

    They are the numbers of a space that has a real one: pools, grids and spaces of lists are gone
    through point by point, exactly, and need no help.
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
