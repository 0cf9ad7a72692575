"""Which candidates are likely the best, and whether it is time to stop."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pathmax.analysis.best import Contender, Ranking
from pathmax.analysis.regret import Regret
from pathmax.analysis.stopping import StopWhen
from pathmax.scalars import Scalar
from pathmax.study import Study
from pathmax.tables import CellValue
from pathmax.workspace.contexts import context_to_look_at
from pathmax.workspace.opened_study import Opened

RANKED_COLUMNS = ("probability", "expected", "std", "tried")
WITHIN = "within bounds"  # the column with the probability that every bound is kept
FEW_PATHS = 100  # whoever asks for fewer wants a quick answer


@dataclass(frozen=True, slots=True)
class Ranked:
    """The likeliest best candidates (or regions) of a study, and what stopping now may cost."""

    opened: Opened
    ranking: Ranking
    contenders: tuple[Contender, ...]
    regret: Regret
    context: Mapping[str, Any] | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "study": self.opened.study.name,
            "n_paths": self.ranking.n_paths,
            "exact": self.ranking.exact,
            "regret": {
                "mean": finite(self.regret.mean),
                "quantile_95": finite(self.regret.quantile(0.95)),
                **({"unit": self.regret.unit} if self.regret.unit else {}),
            },
            "caution": self.regret.caution or None,
            **({"context": dict(self.context)} if self.context else {}),
            "contenders": [
                {
                    "params": c.params,
                    "probability": c.probability,
                    "mean": c.mean,
                    "std": c.std,
                    "tried": c.tried,
                    "extent": {name: list(ends) for name, ends in c.extent.items()},
                    **_of_outcomes(c),
                }
                for c in self.contenders
            ],
        }

    def table(self) -> tuple[list[str], list[list[CellValue]]]:
        """Header and rows of a table with a line for each contender."""
        names = self.opened.layout.domain.names
        if self.ranking.outcomes:
            return self._table_of_outcomes(names)
        rows: list[list[CellValue]] = [
            [*(c.params.get(name) for name in names), c.probability, c.mean, c.std, c.tried]
            for c in self.contenders
        ]
        return [*names, *RANKED_COLUMNS], rows

    def _table_of_outcomes(self, names: Sequence[str]) -> tuple[list[str], list[list[CellValue]]]:
        bounded = self.ranking.feasibility is not None
        header = [*names, RANKED_COLUMNS[0]]
        for outcome in self.ranking.outcomes:
            header += [f"expected {outcome}", f"std {outcome}"]
        header += [*([WITHIN] if bounded else []), RANKED_COLUMNS[-1]]
        rows: list[list[CellValue]] = []
        for c in self.contenders:
            pairs = [number for pair in c.outcomes.values() for number in pair]
            within = [c.feasibility] if bounded else []
            rows.append(
                [*(c.params.get(n) for n in names), c.probability, *pairs, *within, c.tried]
            )
        return header, rows


def _of_outcomes(contender: Contender) -> dict[str, Any]:
    """What is expected of each of several outcomes; nothing where there is one."""
    if not contender.outcomes:
        return {}
    expected = {n: {"mean": m, "std": s} for n, (m, s) in contender.outcomes.items()}
    return {"expected": expected, "within_bounds": contender.feasibility}


def finite(number: float) -> float | None:
    """None for infinity, which JSON lacks: a regret while no result is surely within the bounds."""
    return number if math.isfinite(number) else None


def likeliest_best(
    opened: Opened,
    count: int = 10,
    n_paths: int | None = None,
    regret_paths: int | None = None,
    context: Mapping[str, Any] | None = None,
) -> Ranked:
    """The `count` likeliest best from `n_paths` sample paths, and the regret from the same.

    With `regret_paths`, and with several outcomes, the regret has paths of its own: as many, so
    that it is what `study.regret(regret_paths)` says; with several outcomes, fewer than 100
    `n_paths` and no `regret_paths` as few, to be quick.
    In a study with contexts: in that context, or in that of the newest trial.
    """
    study = opened.study
    context = context_to_look_at(study, context)
    ranking = study.best_probabilities(n_paths=n_paths, context=context)
    regret = ranking.regret
    if regret is None or regret_paths is not None:
        if regret_paths is None and n_paths is not None and n_paths < FEW_PATHS:
            regret_paths = n_paths
        regret = study.regret(regret_paths, context=context)
    return Ranked(opened, ranking, tuple(ranking.top(count)), regret, context)


@dataclass(frozen=True, slots=True)
class Recommendation:
    """The params with the best expected value, and what is expected there.

    With several outcomes `expected` has mean and std of each, and `mean` and `std` those of the
    first objective.
    """

    params: dict[str, Scalar]
    mean: float
    std: float
    expected: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        pairs = {name: {"mean": m, "std": s} for name, (m, s) in self.expected.items()}
        answer = {"params": self.params, "mean": self.mean, "std": self.std}
        return answer | ({"expected": pairs} if pairs else {})


@dataclass(frozen=True, slots=True)
class StopVerdict:
    """Why to stop or to go on; a recommendation if it is to stop, no reason before any result."""

    study: str
    reason: str
    recommended: Recommendation | None = None
    front: tuple[Recommendation, ...] = ()  # with several objectives: what stands for the front

    def to_json(self) -> dict[str, Any]:
        best = None if self.recommended is None else self.recommended.to_json()
        answer: dict[str, Any] = {"study": self.study, "suggestions": [], "done": self.reason}
        answer["best"] = best
        return answer | ({"front": [one.to_json() for one in self.front]} if self.front else {})


def verdict(opened: Opened, until: float, context: Mapping[str, Any] | None = None) -> StopVerdict:
    """Whether, with 95 %, nothing is better than the recommendation by more than `until`."""
    study = opened.study
    found = StopWhen(regret=until, context=context)(study)
    if not found:
        return StopVerdict(study.name, str(found))
    several = len(study.goals.objectives) > 1
    best = study.recommend_front if several else study.recommend
    recommended = best(context=context)
    params = recommended if isinstance(recommended, list) else [recommended]
    found_there = expected_at(study, params)
    front = tuple(found_there) if several else ()
    return StopVerdict(study.name, str(found), found_there[0], front)


def expected_at(study: Study, params: Sequence[dict[str, Scalar]]) -> list[Recommendation]:
    """What is expected of every outcome at some points."""
    forecasts = {name: study.predict(params, name) for name in study.goals.names}
    answers = []
    for i, one in enumerate(params):
        pairs = {n: (float(f.mean[i]), float(f.std[i])) for n, f in forecasts.items()}
        mean, std = pairs[study.goals.first.name]
        answers.append(Recommendation(one, mean, std, {} if study.goals.is_single else pairs))
    return answers
