"""How much better could it get? The regret of stopping now.

    regret = study.regret()                 draws of  max f - f(recommended)
    regret.probability(0.01)                that nothing is better by more than 0.01
    study.optimize(f, 200, stop=pathmax.StopWhen(regret=0.01, probability=0.95))

Each sample path is a function that the data allow; its maximum less its value at the recommended
point is a draw of the regret. The probability is that of the model: it is right when the model is,
and too small or too large when the length scales, the noise or the smoothness are wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf

import numpy as np

from pathmax.analysis.path_maxima import Maxima, Scene, maxima, rows_in
from pathmax.arguments import real_number, whole_number
from pathmax.arrays import Array
from pathmax.gp.blas_threads import small_blas
from pathmax.scalars import Scalar
from pathmax.session.session import Session
from pathmax.suggestion.available_points import params_at
from pathmax.trials import html
from pathmax.trials.value_transform import LARGEST_NUMBER
from pathmax.trials.wording import caution, plural

ROUND = 64  # paths that are drawn before it is asked whether they are enough: some of each belief
QUANTILES = (0.5, 0.8, 0.95)  # that a notebook shows
TIMES = "times the extent of the front"
FAR_FRONT = (
    "The front may be farther from the results than its ends are from each other: too little is "
    "known of it yet."
)


@dataclass(frozen=True, eq=False)
class Regret:
    """What may be lost by stopping now, in your units.

    draws   (n,) max f - f(recommended) of each sample path, zero or more
    params  the recommended point; with bounds the best measured one, with several objectives none
    exact   whether the paths were drawn without approximation
    unit    what the draws are in where it is not your unit: a share of the front
    n       from how many results; `caution` says so when they are few
    rough   whether it is from a look under the most probable parameters alone
    rows    how many points there are to choose from; None in a space
    joint   whether several outcomes are drawn together
    """

    draws: Array
    params: dict[str, Scalar]
    exact: bool
    unit: str = ""
    n: int | None = None
    rough: bool = False
    rows: int | None = None
    joint: bool = False

    @property
    def caution(self) -> str:
        """How far to trust it, when there are few results; else nothing."""
        return "" if self.n is None else caution(self.n)

    @property
    def mean(self) -> float:
        """The expected regret."""
        largest = float(self.draws.max(initial=0.0))
        # relative to the largest: a sum of numbers near 1e308 is not finite
        return float((self.draws / largest).mean()) * largest if 0.0 < largest < inf else largest

    @property
    def beyond(self) -> bool:
        """Whether results may fall short of a front by more than its whole extent."""
        return bool(self.unit) and 1.0 < self.quantile(0.95) < inf

    @property
    def shown(self) -> tuple[float, str]:
        """What to multiply draws with to show them, and the words that follow.

        Of a front a share is shown in percent and, where it may be more than all of it, in extents.
        """
        if not self.unit or self.beyond:
            return 1.0, TIMES if self.beyond else ""
        return 100.0, f"% {self.unit}"

    def quantile(self, probability: float) -> float:
        """The regret is at most this with the given probability."""
        between = real_number(
            "probability", probability, "a number from 0 to 1", lambda p: 0.0 <= p <= 1.0
        )
        return float(np.quantile(self.draws, between, method="higher"))

    def probability(self, regret: float) -> float:
        """That the regret is at most this."""
        return float(np.mean(self.draws <= regret))

    def _repr_html_(self) -> str:
        rows = [(f"{p:.0%}", self.quantile(p)) for p in QUANTILES]
        where = html.facts_table(self.params.items()) if self.params else ""
        unit = f" {TIMES if self.beyond else self.unit}".rstrip()
        title = f"Regret of stopping now: {self.mean:.3g}{unit} expected"
        return html.page(title, html.table(["with probability", "at most"], rows), where)

    def __repr__(self) -> str:
        unit = f" {TIMES if self.beyond else self.unit}".rstrip()
        times = " times" if self.beyond else ""
        few = f" and {plural(self.n or 0, 'result')} only: rough" if self.caution else ""
        return (
            f"<Regret: {self.mean:.3g}{unit} expected, at most {self.quantile(0.95):.3g}{times} "
            f"with probability 0.95, from {len(self.draws)} paths{few}>"
        )


def regret(
    session: Session, n_paths: int, enough: Callable[[Regret], bool] | None = None
) -> Regret:
    """`Study.regret`, where the arguments are described."""
    scene = Scene.of(session, quick=enough is not None)
    if enough is None:
        return regret_of(session, scene, maxima(scene, n_paths))
    n_paths, drawn = whole_number("n_paths", n_paths, least=1), 0
    draws: list[Array] = []
    while True:
        size = min(max(ROUND, drawn), n_paths - drawn)  # as many again each time
        found = regret_of(session, scene, maxima(scene, size))
        draws.append(found.draws)
        drawn += size
        found = replace(found, draws=np.concatenate(draws))
        if drawn == n_paths or enough(found):
            return found


def rough_regret(session: Session, n_paths: int) -> Regret:
    """At least so much is lost, in about the time of a suggestion.

    Paths come from the most probable parameters alone, and their tops from a look at each.
    """
    scene = Scene.of(session, rough=True)
    with small_blas(scene.surface.model.n):
        found = scene.surface.glances(n_paths)
        here = np.array([path.value(scene.recommended) for path, _ in found])
    top = np.maximum(here, [best.value for _, best in found])
    value, recommended = (scene.transform.outward(heights) for heights in (top, here))
    half = np.abs(0.5 * value - 0.5 * recommended)  # halves: no overflow
    params = params_at(session.problem.space, scene.recommended.u, scene.recommended.index)
    draws = 2.0 * np.minimum(half, 0.5 * LARGEST_NUMBER)
    told, rows = learnt_from(session), rows_in(scene.domain)
    return Regret(draws, params, scene.exact, n=told, rough=True, rows=rows)


def regret_of(session: Session, scene: Scene, tops: Maxima) -> Regret:
    """The regret that the tops of some paths tell of."""
    point = scene.recommended
    params = params_at(session.problem.space, point.u, point.index)
    half = np.abs(0.5 * tops.value - 0.5 * tops.recommended)  # halves: no overflow
    draws = 2.0 * np.minimum(half, 0.5 * LARGEST_NUMBER)
    told, rows = learnt_from(session), rows_in(scene.domain)
    return Regret(draws, params, scene.exact, n=told, rows=rows)


def learnt_from(session: Session) -> int | None:
    """How many results the model was learnt from; None if it was given and not learnt."""
    return None if session.problem.settings.fixed else session.history().n
