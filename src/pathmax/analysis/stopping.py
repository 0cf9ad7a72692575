"""When to stop: a rule that reads the regret off sample paths, and what a check may cost.

A check after every trial should cost no more than the suggestion did. Far from the goal a look at
16 paths under the most probable parameters settles it, with several outcomes at fewer. Near it,
paths are drawn under all plausible parameters, 64 and then as many again, until it is clear what
all `n_paths` of them would say:

    P(share of all >= probability | share so far) >= SURE, or <= 1 - SURE         (beta-binomial)

That is dear beside a suggestion of a few milliseconds, and so each result pays for one suggestion:
a look or a check that is not paid for yet has to wait, and a check draws what is paid for. Where
trials take longer than a check, nothing waits.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol
from weakref import WeakKeyDictionary

import numpy as np

from pathmax.analysis.joint_regret import JOINT_ROUND
from pathmax.analysis.regret import ROUND, Regret
from pathmax.arguments import real_number, whole_number
from pathmax.errors import SettingsError, TrialError
from pathmax.trials.trial import Trial, TrialState

LOOK_PATHS = 16
LOOK_MARGIN = 0.1  # how far below the wanted probability their share may be for more to be asked
SURE = 0.95  # that all paths would say the same: then no more are drawn
LIKELY = 0.75  # that all would say to stop: enough to stop when those that are paid for are drawn
ALL_PATHS, ALL_JOINT_PATHS = 400, 100

SAVED = 5  # results before the first check that pay for one: a first design costs next to nothing
FIRST_CHECK = 80.0  # suggestions that the first check of a run may cost: all paths in a space
LONG = 1.0  # seconds: a trial that takes longer is dearer than any check


class Prices(NamedTuple):
    """What each part of a check costs, in suggestions (python -m benchmarks.stopping checks)."""

    look: float  # a path of a look
    parameters: float  # drawing those that the results leave open, and what paths of each need
    path: float

    @staticmethod
    def of(found: Regret) -> Prices:
        """As far as what was found tells where it comes from."""
        if found.joint:
            prices = OF_A_FRONT if found.unit and found.rows is None else JOINT
        else:
            prices = IN_A_SPACE if found.rows is None else IN_A_POOL
        if found.n is not None:
            return prices
        if found.exact:  # of a given model on few rows: milliseconds, which nobody counts
            return Prices(0.0, 0.0, 0.0)
        return prices._replace(parameters=0.0)


IN_A_SPACE = Prices(0.075, 5.5, 0.18)
IN_A_POOL = Prices(0.14, 17.0, 0.09)
JOINT = Prices(0.6, 6.0, 0.6)  # under bounds, and of fronts among rows
OF_A_FRONT = Prices(1.2, 4.0, 1.2)  # 1.9 at 12 results, 0.9 at 40: suggestions take longer there


class Stoppable(Protocol):
    """What a stopping rule asks of a study."""

    @property
    def trials(self) -> list[Trial]: ...
    def regret(
        self,
        n_paths: int | None = ...,
        *,
        context: Mapping[str, Any] | None = ...,
        rough: bool = ...,
        enough: Callable[[Regret], bool] | None = ...,
    ) -> Regret: ...


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a stopping rule says after a trial: true to stop, and a few words either way."""

    stop: bool
    words: str

    def __bool__(self) -> bool:
        return self.stop

    def __str__(self) -> str:
        return self.words


@dataclass(slots=True)
class Account:
    """What the checks of a study have cost, in suggestions, and what the last one said."""

    spent: float
    near: bool = False  # whether the last look let paths be drawn
    prices: Prices = IN_A_SPACE
    look: float = 0.0  # what the last one cost
    most: int = ALL_PATHS  # paths that a check may draw
    round: int = ROUND  # paths that it draws at first
    results: list[tuple[float, ...]] | None = None  # of which the verdict is
    verdict: Verdict = Verdict(False, "")

    def pay(self, found: Regret) -> None:
        """For a look, or for paths under all plausible parameters."""
        self.prices = Prices.of(found)
        look, parameters, path = self.prices
        if found.rough:
            self.look = look * len(found.draws)
        self.spent += self.look if found.rough else parameters + path * len(found.draws)

    def paths(self, left: float) -> float:
        """How many paths of a check so much pays for."""
        _, parameters, path = self.prices
        return math.inf if not path else (left - self.look - parameters) / path


_accounts: WeakKeyDictionary[Stoppable, dict[str, Account]] = WeakKeyDictionary()  # by rule


@dataclass(frozen=True, slots=True)
class StopWhen:
    """Stop when nothing is better than the recommendation by more than `regret`, most probably.

    All checks of a run cost about as much as its suggestions. Where trials take less than a
    second some therefore wait for later ones, and a run may go on for some trials more than it
    would if each check were carried out: for some twenty in a space or a pool, for up to fifty
    with several outcomes, where each path takes a search of its front.

    Args:
        regret: in your units; `max f - f(recommended)` is to be at most this. With several
            objectives a share: by how much results may fall short of the front (`Study.regret`).
        probability: how sure to be.
        after: never before this many results; learnt models are often too sure of themselves when
            they have seen little.
        n_paths: the most sample paths of a check, 400 by default and 100 with several outcomes;
            fewer are drawn where it is clear what all of them would say.
        context: in a study with contexts, the one that counts.
    """

    regret: float = math.nan
    probability: float = 0.95
    after: int = 10
    n_paths: int | None = None
    context: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        if isinstance(self.regret, float) and math.isnan(self.regret):
            raise SettingsError(
                "StopWhen needs to know what you could do without, in your units (with several "
                "objectives as a share): StopWhen(regret=0.5), say, stops when most probably "
                "nothing is better than the recommendation by more than 0.5"
            )
        real_number("regret", self.regret, "above 0, in your units", lambda r: r > 0.0)
        real_number(
            "probability", self.probability, "at least 0.5 and below 1", lambda p: 0.5 <= p < 1.0
        )
        if self.n_paths is not None:
            whole_number("n_paths", self.n_paths, least=LOOK_PATHS)
        whole_number("after", self.after, least=0)

    def __call__(self, study: Stoppable) -> Verdict:
        trials = [trial for trial in study.trials if trial.state is TrialState.COMPLETE]
        told = len(trials)
        if told < max(self.after, 1):
            return Verdict(False, "")
        accounts = _accounts.setdefault(study, {})
        account = accounts.setdefault(repr(self), Account(spent=max(told - SAVED, 0)))
        results = [(trial.number, *trial.outcomes.values()) for trial in trials]
        if account.results != results:
            left = told - account.spent
            if account.results is None:  # the first: of a study from before it is all there is
                left = math.inf if told > max(self.after, 1) else FIRST_CHECK
            if are_long(trials):
                left = math.inf
            try:
                account.verdict = self._check(study, told, left, account)
            except TrialError as error:  # no value of an objective is there yet: go on
                account.verdict = Verdict(False, str(error))
            account.results = results
        return account.verdict

    def _check(self, study: Stoppable, told: int, left: float, account: Account) -> Verdict:
        fewest = self.fewest(account.most, account.round)
        if left < account.look or (account.near and account.paths(left) < fewest):
            return Verdict(False, str(account.verdict))
        found = study.regret(
            n_paths=LOOK_PATHS, context=self.context, rough=True, enough=self.settled
        )
        account.pay(found)
        most = self.n_paths or (ALL_JOINT_PATHS if found.joint else ALL_PATHS)
        account.most, account.round = most, JOINT_ROUND if found.joint else ROUND
        account.near = found.probability(self.regret) >= self.probability - LOOK_MARGIN
        paid, fewest = int(min(most, account.paths(left))), self.fewest(most, account.round)
        if account.near and paid >= fewest:
            found = study.regret(
                n_paths=paid, context=self.context, enough=lambda some: self.clear(some, most)
            )
            account.pay(found)
        account.spent = min(account.spent, told + SAVED)  # what was free leaves no large debt
        whole = not found.rough and len(found.draws) >= fewest
        stop = whole and self.foregone(found, most) >= LIKELY
        return Verdict(stop, self._words(found))

    def settled(self, look: Regret) -> bool:
        """Whether some paths of a look tell as much as all of them would."""
        missed = int(np.sum(~(look.draws <= self.regret)))
        if not missed:
            return len(look.draws) >= LOOK_PATHS // 2
        return 1.0 - missed / LOOK_PATHS < self.probability - LOOK_MARGIN

    def clear(self, found: Regret, of: int) -> bool:
        """Whether it is clear from some paths what so many would say."""
        chance = self.foregone(found, of)
        return chance >= SURE or chance <= 1.0 - SURE

    def foregone(self, found: Regret, of: int) -> float:
        """The probability that of so many paths the wanted share reaches the goal, given some."""
        drawn = len(found.draws)
        reached = round(found.probability(self.regret) * drawn)
        return self._chance(reached, drawn, of)

    def _chance(self, reached: int, drawn: int, of: int) -> float:
        wanted = math.ceil(self.probability * of - 1e-9)
        return chance_of_more(reached, drawn, max(of - drawn, 0), wanted - reached)

    def fewest(self, of: int, first: int = ROUND) -> int:
        """How many paths that all reach the goal make it clear that so many would."""
        drawn = first
        while drawn < of and self._chance(drawn, drawn, of) < LIKELY:
            drawn *= 2
        return min(drawn, of)

    def _words(self, found: Regret) -> str:
        share = found.probability(self.regret)
        unit = f" {found.unit}" if found.unit else ""
        few = "" if found.rough else f", by {len(found.draws)} paths"
        return f"regret at most {self.regret:g}{unit} with probability {share:.2g}{few}"


def are_long(trials: Sequence[Trial]) -> bool:
    """Whether a trial takes longer than a check, as far as the last few tell."""
    took = [trial.duration for trial in trials if trial.duration][-5:]  # those added have none
    return bool(took) and statistics.median(took) > LONG


def chance_of_more(reached: int, drawn: int, further: int, wanted: int) -> float:
    """That of some further draws at least `wanted` reach what `reached` of those drawn did.

    The beta-binomial distribution after Jeffreys' prior of a share.
    """
    if wanted <= 0 or wanted > further:
        return float(wanted <= 0)
    a, b = reached + 0.5, drawn - reached + 0.5

    def log_beta(x: float, y: float) -> float:
        return math.lgamma(x) + math.lgamma(y) - math.lgamma(x + y)

    def log_ways(k: int) -> float:  # of choosing k of the further ones
        return -math.log(further + 1) - log_beta(k + 1, further - k + 1)

    return math.fsum(
        math.exp(log_ways(k) + log_beta(k + a, further - k + b) - log_beta(a, b))
        for k in range(wanted, further + 1)
    )
