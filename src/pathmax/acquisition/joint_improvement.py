"""What a point is expected to add to results with several outcomes, and when that decides.

    one objective    log EI over the best result within bounds
    several          log EHVI over their front, above the user's reference, or else the nadir of
                     what the paths promise less a tenth of its spans

times the probability of keeping every bound (`joint.Feasible`). `ei` maximises it. PIMS does so
once the front is known by and large, that is, once the largest gap that the paths see is below
KNOWN_GAP: a target is then one point of many that would help, and the expectation counts them all.
Before, what is expected hardly looks beyond the results, and the paths do; unless the user says
with a reference how far the front reaches (benchmarks/choices.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from pathmax.acquisition.expected_hypervolume import ExpectedHypervolume
from pathmax.acquisition.front_ends import reference_beyond
from pathmax.acquisition.hypervolume import MOST_OBJECTIVES
from pathmax.acquisition.improvement_rules import ExpectedImprovement
from pathmax.acquisition.joint import Feasible, JointRule, One
from pathmax.acquisition.objective_units import AS_MODELLED, ObjectiveUnits
from pathmax.acquisition.targets import SMALL_GAP, Targets
from pathmax.arrays import Array
from pathmax.errors import SettingsError
from pathmax.trials.pareto import pareto_mask

KNOWN_GAP = 0.3  # spans of the front: benchmarks/choices.md
MOST_EXPECTED = 4  # objectives, up to which PIMS was measured so; five have thousands of boxes


@final
@dataclass(frozen=True, eq=False)
class KnownResults:
    """What is expected of all outcomes where there are results; larger is better."""

    means: Array  # (n, K + J)
    bounds: Array  # (J,)
    reference: Array | None  # (K,) the user's
    units: ObjectiveUnits = AS_MODELLED

    @property
    def objectives(self) -> int:
        return int(self.means.shape[1]) - len(self.bounds)

    @cached_property
    def allowed(self) -> Array:  # (e, K)
        """The objectives where every bound is expected to hold."""
        k = self.objectives
        return np.asarray(self.means[(self.means[:, k:] >= self.bounds).all(axis=1), :k])

    def know_front(self, targets: Targets) -> bool:
        """Whether the front is known by and large, and improvements of it can be expected.

        With a reference of the user a gap is a volume, and it is known where the front counts.
        """
        if not 1 < self.objectives <= MOST_EXPECTED or not len(self.allowed):
            return False
        return self.reference is not None or targets.gap < KNOWN_GAP

    @property
    def kind_of_improvement(self) -> str:
        """What `improvement` is, in words."""
        if not len(self.allowed):
            return "probability of keeping the bounds"
        return "expected improvement" if self.objectives == 1 else "expected hypervolume"

    def improvement(self, targets: Targets) -> JointRule:
        """Expected improvement, of one objective or of the hypervolume, times feasibility."""
        k, allowed, reference = self.objectives, self.allowed, self.reference
        if not len(allowed):
            return Feasible(None, k, self.bounds)
        if k == 1:
            return Feasible(One(ExpectedImprovement(float(allowed.max()))), k, self.bounds)
        if k > MOST_OBJECTIVES:
            raise SettingsError(
                f"ei measures hypervolumes of 2 to {MOST_OBJECTIVES} objectives, got {k}; use pims"
            )
        front = allowed[pareto_mask(allowed)]
        if reference is None:
            # of the paths' front: the nadir of the observed one costs a tenth of the hypervolume
            promised = self.units.straighten(targets.front if targets.feasible else front)
            reference = self.units.bend(reference_beyond(promised, SMALL_GAP)[None])[0]
        top = targets.front.max(axis=0) if targets.feasible else front.max(axis=0)
        rule = ExpectedHypervolume(front, reference, units=self.units, top=top)
        return Feasible(rule, k, self.bounds)
