"""How much better could it get? The regret of stopping now, and a rule that stops when it is small.

    regret = study.regret()                 draws of  max f - f(recommended)
    regret.probability(0.01)                that nothing is better by more than 0.01
    study.optimize(f, 200, stop=pathmax.StopWhen(regret=0.01, probability=0.95))

Each sample path is a function that the data allow; its maximum less its value at the recommended
point is a draw of the regret. The probability is that of the model: it is right when the model is,
and too small or too large when the length scales, the noise or the smoothness are wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pathmax.choices import params_at
from pathmax.maxima import Scene, maxima
from pathmax.outcomes import Array
from pathmax.scalars import Scalar
from pathmax.session import Session
from pathmax.settings import real_number, whole_number

if TYPE_CHECKING:
    from pathmax.study import Study

FIRST = 16  # paths that settle most checks: far from the goal, more would not change the answer


@dataclass(frozen=True, eq=False)
class Regret:
    """What may be lost by stopping now, in your units.

    draws   (n,) max f - f(recommended) of each sample path, zero or more
    params  the recommended point
    exact   whether the paths were drawn without approximation
    """

    draws: Array
    params: dict[str, Scalar]
    exact: bool

    @property
    def mean(self) -> float:
        """The expected regret."""
        return float(self.draws.mean())

    def quantile(self, probability: float) -> float:
        """The regret is at most this with the given probability."""
        between = real_number(
            "probability", probability, "a number from 0 to 1", lambda p: 0.0 <= p <= 1.0
        )
        return float(np.quantile(self.draws, between, method="higher"))

    def probability(self, regret: float) -> float:
        """That the regret is at most this."""
        return float(np.mean(self.draws <= regret))

    def __repr__(self) -> str:
        return (
            f"<Regret: {self.mean:.3g} expected, at most {self.quantile(0.95):.3g} with "
            f"probability 0.95, from {len(self.draws)} paths>"
        )


def regret(session: Session, n_paths: int) -> Regret:
    """`Study.regret`, where the arguments are described."""
    scene = Scene.of(session)
    tops = maxima(scene, n_paths)
    best, here = scene.outcomes.outward(tops.value), scene.outcomes.outward(tops.recommended)
    point = scene.recommended
    params = params_at(session.problem.space, point.u, point.index)
    return Regret(np.abs(best - here), params, scene.exact)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a stopping rule says after a trial: true to stop, and a few words either way."""

    stop: bool
    words: str

    def __bool__(self) -> bool:
        return self.stop

    def __str__(self) -> str:
        return self.words


@dataclass(frozen=True, slots=True)
class StopWhen:
    """Stop when nothing is better than the recommendation by more than `regret`, most probably.

    Args:
        regret: in your units; `max f - f(recommended)` is to be at most this.
        probability: how sure to be.
        after: never before this many results; learnt models are often too sure of themselves when
            they have seen little.
        n_paths: sample paths per check. Far from the goal a few of them settle it.
    """

    regret: float
    probability: float = 0.95
    after: int = 10
    n_paths: int = 400

    def __post_init__(self) -> None:
        real_number("regret", self.regret, "above 0, in your units", lambda r: r > 0.0)
        real_number(
            "probability", self.probability, "at least 0.5 and below 1", lambda p: 0.5 <= p < 1.0
        )
        whole_number("n_paths", self.n_paths, least=FIRST)
        whole_number("after", self.after, least=0)

    def __call__(self, study: Study) -> Verdict:
        told = sum(trial.value is not None for trial in study.trials)
        if told < max(self.after, 1):
            return Verdict(False, "")
        first = study.regret(n_paths=FIRST)
        if first.probability(self.regret) < self.probability - 0.25:
            return Verdict(False, self._words(first))
        found = study.regret(n_paths=self.n_paths)
        stop = found.probability(self.regret) >= self.probability
        return Verdict(stop, self._words(found))

    def _words(self, found: Regret) -> str:
        share = found.probability(self.regret)
        return f"regret at most {self.regret:g} with probability {share:.2g}"
