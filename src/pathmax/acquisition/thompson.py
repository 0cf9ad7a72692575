"""Thompson sampling (Algorithm 1): the maximiser of a sample path.

g ~ posterior,   x_t = argmax g,   eta_t = (g(x_t) - mean(x_t)) / std(x_t)

On a finite set X_t in a box, the option `discretization`, there are two ways:

    nearest=True    x_t = argmax g over the box, and [x_t]_t, the point of X_t that is nearest to
                    it, is evaluated: the appendix's TS as printed (Theorem B.1)
    nearest=False   g is maximised over X_t itself, as for PIMS. The bound stands:
                    E f([x*]_t) <= E max f over X_t = E g(x_t), where its proof has equality
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, final

from pathmax.acquisition.options import OnePathMethod
from pathmax.acquisition.step import Choice, Step
from pathmax.acquisition.surfaces.surface import Sample
from pathmax.acquisition.weighted_path import choose_path
from pathmax.arguments import yes_or_no
from pathmax.errors import SettingsError
from pathmax.search.domains import Maximum


@final
@dataclass(frozen=True, kw_only=True)
class Ts(OnePathMethod):
    """Thompson sampling: the maximiser of a sample path.

    nearest  the path is maximised everywhere, and the point of the discretization that is nearest
             to its maximiser is evaluated, as the paper's appendix has it
    """

    name: ClassVar[str] = "ts"
    nearest: bool | None = field(default=None, metadata={"check": yes_or_no})

    def choose(self, step: Step) -> Choice:
        if self.nearest and self.discretization is None:
            raise SettingsError("nearest=True needs discretization=, the set to move to")
        finite = step.discretised(self.discretization)
        step = step if self.nearest else finite
        surface = self.surface(step)
        path = choose_path(step, surface)
        best = path.top()
        peak = best.value
        if self.nearest:
            best = moved_to(finite, best, path)
        choice = step.choice(surface, best, g_star=peak)
        choice.info["eta"] = (best.value - choice.info["mean"]) / choice.info["std"]  # Lemma 3.2
        return choice


def moved_to(finite: Step, best: Maximum, path: Sample) -> Maximum:
    """[x]_t: the point of a finite set that is nearest to x, and the path there."""
    u = finite.domain.project(best.u[None])[0]
    return Maximum(u, path.value(Maximum(u, best.value)))
