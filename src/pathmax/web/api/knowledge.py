"""What a study knows: the model along each parameter, predictions, the best, and why."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from pathmax.errors import SettingsError
from pathmax.web.answers import answer
from pathmax.web.api.bodies import Points
from pathmax.web.api.described import described
from pathmax.web.charts import series, slices
from pathmax.web.server import serving
from pathmax.workspace.ranking import likeliest_best
from pathmax.workspace.rounding import rounded

router = APIRouter(prefix="/studies/{name:study}", tags=["knowledge"])


@router.get(
    "/series",
    summary="Columns for charts",
    responses=described(
        {
            "total": 3,
            "shown": 3,
            "number": [0, 1, 2],
            "state": ["complete", "complete", "failed"],
            "params": {"temperature": [20.0, 83.2, 120.0]},
            "outcomes": {"value": [41.0, 71.3, None]},
            "best": [41.0, 71.3, 71.3],
            "feasible": [True, True, False],
            "front": [1],
        },
        404,
    ),
)
def show_series(
    request: Request, name: str, most: Annotated[int, Query(ge=2, le=20_000)] = 2000
) -> Response:
    """Trials that ended, by number, as columns. With more than `most` of them some are left out.

    Every improvement, the extremes of each stretch, the front and the latest trials are always
    there, so that a chart of them has the outline of all. `best` is the best so far, over all
    trials; null with several objectives.
    """
    return answer(series(serving(request).studies.hold(name).board, most))


@router.get(
    "/slices",
    summary="The model along each parameter",
    responses=described(
        {
            "outcome": "value",
            "through": {"trial": 3, "params": {"temperature": 83.2}},
            "slices": [
                {
                    "parameter": "temperature",
                    "x": [20, 70, 120],
                    "mean": [40, 70, 55],
                    "std": [5, 2, 6],
                    "low": [30.2, 66.1, 43.2],
                    "high": [49.8, 73.9, 66.8],
                }
            ],
        },
        404,
        409,
    ),
)
def show_slices(
    request: Request,
    name: str,
    outcome: str | None = None,
    trial: int | None = None,
    steps: Annotated[int, Query(ge=2, le=201)] = 51,
) -> Response:
    """Expected values, with bands of 95 %, through the best trial or the one that is named."""
    holds = serving(request).studies.hold(name)
    with holds.lock:
        return answer(slices(holds.model, outcome, trial, steps))


@router.post(
    "/predict",
    summary="Expected values of points",
    responses=described({"outcome": "value", "mean": [69.8], "std": [3.1]}, 404, 409),
)
def predict(request: Request, name: str, body: Points) -> Response:
    """Mean and standard deviation of an outcome for each of the points."""
    here = serving(request)
    if len(body.params) > here.settings.limits.points:
        raise SettingsError(
            f"at most {here.settings.limits.points} points at once, got {len(body.params)}"
        )
    holds = here.studies.hold(name)
    with holds.lock:
        study = holds.model.study
        mean, std = study.predict(body.params, body.outcome)
        outcome = body.outcome or study.goals.first.name
    return answer({"outcome": outcome, "mean": mean.tolist(), "std": std.tolist()})


@router.get(
    "/trials/{number}/explanation",
    summary="Why a trial was suggested",
    responses=described({"trial": 3, "card": "Trial 3 of suzuki: suggested by pims ..."}, 404, 409),
)
def explain(request: Request, name: str, number: int) -> Response:
    """A short card: why this point, what was expected there, what other methods would try."""
    holds = serving(request).studies.hold(name)
    with holds.lock:
        card = holds.model.study.explain(number)
    title, _, rest = str(card).partition("\n")
    facts = [line.strip() for line in rest.splitlines()]
    return answer({"trial": number, "card": str(card), "title": title, "lines": facts})


@router.get(
    "/ranking",
    summary="How likely each candidate, or region, is the best",
    responses=described(
        {
            "study": "suzuki",
            "n_paths": 500,
            "exact": False,
            "regret": {"mean": 0.4, "quantile_95": 1.3},
            "contenders": [
                {
                    "params": {"temperature": 83.2},
                    "bench": {"temperature": 83.2},
                    "probability": 0.62,
                    "mean": 70.9,
                    "std": 1.2,
                    "tried": True,
                    "extent": {"temperature": [79.0, 88.5]},
                }
            ],
        },
        404,
        409,
    ),
)
def show_ranking(
    request: Request,
    name: str,
    count: Annotated[int, Query(ge=1, le=100)] = 10,
    paths: Annotated[int, Query(ge=1, le=2000)] = 500,
) -> Response:
    """The likeliest best, and the expected regret of stopping now. One objective only."""
    holds = serving(request).studies.hold(name)
    with holds.lock:
        found = likeliest_best(holds.model, count, paths).to_json()
        domain = holds.model.study.space
    for each in found["contenders"]:
        each["bench"] = rounded(domain, each["params"])
    return answer(found)


@router.get(
    "/regret",
    summary="What stopping now may cost",
    responses=described({"mean": 0.4, "median": 0.2, "quantile_95": 1.3}, 404, 409),
)
def show_regret(request: Request, name: str) -> Response:
    """By how much the best may exceed what is recommended now, in your units."""
    holds = serving(request).studies.hold(name)
    with holds.lock:
        regret = holds.model.study.regret()
    return answer(
        {
            "mean": regret.mean,
            "median": regret.quantile(0.5),
            "quantile_95": regret.quantile(0.95),
        }
    )


@router.get(
    "/recommendation",
    summary="The best expected point, or the front of several objectives",
    responses=described({"points": [{"params": {"temperature": 83.2}, "bench": {}}]}, 404, 409),
)
def show_recommendation(request: Request, name: str) -> Response:
    """One point with one objective; at most twenty that stand for the front with several."""
    holds = serving(request).studies.hold(name)
    with holds.lock:
        study = holds.model.study
        several = len(study.goals.objectives) > 1
        points = study.recommend_front() if several else [study.recommend()]
        expected = {
            goal.name: study.predict(points, goal.name)
            for goal in study.goals
            if any(goal.name in trial.outcomes for trial in study.trials)
        }
        domain = study.space
    listed = [
        {
            "params": params,
            "bench": rounded(domain, params),
            "expected": {
                name: {"mean": float(mean[i]), "std": float(std[i])}
                for name, (mean, std) in expected.items()
            },
        }
        for i, params in enumerate(points)
    ]
    return answer({"points": listed})
