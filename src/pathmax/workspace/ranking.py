"""Which candidates are likely the best, and whether it is time to stop."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from pathmax.analysis.best import Contender, Ranking
from pathmax.analysis.regret import Regret
from pathmax.analysis.stopping import StopWhen
from pathmax.scalars import Scalar
from pathmax.tables import Cell
from pathmax.workspace.opened_study import Opened

COLUMNS = ("probability", "expected", "std", "tried")


@dataclass(frozen=True, slots=True)
class Ranked:
    """The likeliest best candidates (or regions) of a study, and what stopping now may cost."""

    opened: Opened
    ranking: Ranking
    contenders: tuple[Contender, ...]
    regret: Regret

    def to_json(self) -> dict[str, Any]:
        return {
            "study": self.opened.study.name,
            "n_paths": self.ranking.n_paths,
            "exact": self.ranking.exact,
            "regret": {"mean": self.regret.mean, "quantile_95": self.regret.quantile(0.95)},
            "contenders": [
                {
                    "params": c.params,
                    "probability": c.probability,
                    "mean": c.mean,
                    "std": c.std,
                    "tried": c.tried,
                    "extent": {name: list(ends) for name, ends in c.extent.items()},
                }
                for c in self.contenders
            ],
        }

    def table(self) -> tuple[list[str], list[list[Cell]]]:
        """Header and rows of a table with a line for each contender."""
        names = self.opened.layout.domain.names
        rows: list[list[Cell]] = [
            [*(c.params[name] for name in names), c.probability, c.mean, c.std, c.tried]
            for c in self.contenders
        ]
        return [*names, *COLUMNS], rows


def likeliest_best(opened: Opened, count: int = 10, n_paths: int = 1000) -> Ranked:
    """The `count` likeliest best, from that many sample paths."""
    ranking = opened.study.best_probabilities(n_paths=n_paths)
    return Ranked(opened, ranking, tuple(ranking.top(count)), opened.study.regret())


@dataclass(frozen=True, slots=True)
class Recommendation:
    """The params with the best expected value, and what is expected there."""

    params: dict[str, Scalar]
    mean: float
    std: float


@dataclass(frozen=True, slots=True)
class StopVerdict:
    """Why to stop or to go on; a recommendation if it is to stop, no reason before any result."""

    study: str
    reason: str
    recommended: Recommendation | None = None

    def to_json(self) -> dict[str, Any]:
        best = None if self.recommended is None else asdict(self.recommended)
        return {"study": self.study, "suggestions": [], "done": self.reason, "best": best}


def verdict(opened: Opened, until: float) -> StopVerdict:
    """Whether, with 95 %, nothing is better than the recommendation by more than `until`."""
    study = opened.study
    found = StopWhen(regret=until)(study)
    if not found:
        return StopVerdict(study.name, str(found))
    params = study.recommend()
    mean, std = study.predict([params])
    best = Recommendation(params, float(mean[0]), float(std[0]))
    return StopVerdict(study.name, str(found), best)
