"""Thompson sampling (Algorithm 1): the maximiser of a sample path.

g ~ posterior,   x_t = argmax g,   eta_t = (g(x_t) - mean(x_t)) / std(x_t)

The appendix's discretised variant is the option `discretization`. The paper there evaluates the
point of X_t that is nearest to argmax g; here g is maximised over X_t itself, as for PIMS. The
bound stands: E f([x*]_t) <= E max f over X_t = E g(x_t), where its proof has equality.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

from pathmax.acquisition.options import OnePathMethod
from pathmax.acquisition.step import Choice, Step
from pathmax.acquisition.weighted_path import choose_path


@final
@dataclass(frozen=True, kw_only=True)
class Ts(OnePathMethod):
    """Thompson sampling: the maximiser of a sample path."""

    name: ClassVar[str] = "ts"

    def choose(self, step: Step) -> Choice:
        step = step.discretised(self.discretization)
        surface = self.surface(step)
        path = choose_path(step, surface)
        best = path.top()
        choice = step.choice(surface, best, g_star=best.value)
        choice.info["eta"] = (best.value - choice.info["mean"]) / choice.info["std"]  # Lemma 3.2
        return choice
