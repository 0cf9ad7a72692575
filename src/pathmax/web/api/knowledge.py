"""What a study knows: the model along each parameter, predictions, the best, and why."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Annotated, Any

from anyio import to_thread
from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from pathmax.errors import SettingsError
from pathmax.web.answers import answer
from pathmax.web.api.bodies import PlacesBody, PointsBody
from pathmax.web.api.described import described
from pathmax.web.server import serving
from pathmax.web.trial_series import series, slices
from pathmax.workspace import contexts
from pathmax.workspace.contexts import context_to_look_at
from pathmax.workspace.opened_study import Opened
from pathmax.workspace.ranking import likeliest_best
from pathmax.workspace.rounding import rounded

CONTEXT = Annotated[
    tuple[str, ...],
    Query(description="NAME=VALUE of each parameter that is given; else those of the last trial."),
]
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
    holds, present = serving(request).studies.look(name)
    return answer(series(holds.board, most, present))


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
async def show_slices(
    request: Request,
    name: str,
    outcome: str | None = None,
    trial: int | None = None,
    steps: Annotated[int, Query(ge=2, le=201)] = 51,
) -> Response:
    """Expected values, with bands of 95 %, through the best trial or the one that is named."""
    wanted = ("slices", outcome, trial, steps)
    return await _known(request, name, wanted, lambda opened: slices(opened, outcome, trial, steps))


@router.post(
    "/predict",
    summary="Expected values of points",
    responses=described({"outcome": "value", "mean": [69.8], "std": [3.1]}, 404, 409),
)
async def predict(request: Request, name: str, body: PointsBody) -> Response:
    """Mean and standard deviation of an outcome for each of the points."""
    _check_points(request, body.params)

    def compute(opened: Opened) -> dict[str, Any]:
        mean, std = opened.study.predict(body.params, body.outcome)
        outcome = body.outcome or opened.study.goals.first.name
        return {"outcome": outcome, "mean": mean.tolist(), "std": std.tolist()}

    return await _known(request, name, ("predict", body.model_dump_json()), compute)


@router.post(
    "/feasibility",
    summary="How likely points keep to every bound",
    responses=described({"probability": [0.93]}, 404, 409),
)
async def show_feasibility(request: Request, name: str, body: PlacesBody) -> Response:
    """The probability of each point to meet all constraints; 1 where there are none."""
    _check_points(request, body.params)

    def compute(opened: Opened) -> dict[str, Any]:
        return {"probability": opened.study.feasibility(body.params).tolist()}

    return await _known(request, name, ("feasibility", body.model_dump_json()), compute)


@router.get(
    "/advice",
    summary="Measure again, or somewhere new",
    responses=described(
        {
            "replicate": False,
            "params": {"temperature": 83.2},
            "trials": [],
            "gain": 0.8,
            "other_gain": 0.1,
            "sentence": "measure a new point: ...",
        },
        404,
        409,
    ),
)
async def show_advice(
    request: Request,
    name: str,
    paths: Annotated[int | None, Query(ge=1, le=2000)] = None,
    context: CONTEXT = (),
) -> Response:
    """Whether measuring a point again is worth more than measuring a new one, and which."""

    def compute(opened: Opened) -> dict[str, Any]:
        here = _context(opened, context)
        found = opened.study.replicate_or_explore(paths, context=here)
        told = {"replicate": found.replicate, "params": found.params, "trials": list(found.trials)}
        gains = {"gain": found.gain, "other_gain": found.other_gain, "unit": found.unit or None}
        return told | gains | {"sentence": str(found)}

    return await _known(request, name, ("advice", paths, *context), compute)


@router.get(
    "/trials/{number}/replay",
    summary="A suggestion derived again",
    responses=described({"trial": 3, "params": {"temperature": 83.2}, "same": True}, 404, 409),
)
async def replay(request: Request, name: str, number: int) -> Response:
    """The params of a trial from what was known when it was suggested."""

    def compute(opened: Opened) -> dict[str, Any]:
        study = opened.study
        stored = study.storage.trial(study.name, number)
        params = study.replay(stored)
        return {"trial": number, "params": params, "same": params == stored.params}

    return await _known(request, name, ("replay", number), compute)


@router.get(
    "/trials/{number}/explanation",
    summary="Why a trial was suggested",
    responses=described({"trial": 3, "card": "Trial 3 of suzuki: suggested by pims ..."}, 404, 409),
)
async def explain(request: Request, name: str, number: int) -> Response:
    """A short card: why this point, what was expected there, what other methods would try."""

    def compute(opened: Opened) -> dict[str, Any]:
        card = str(opened.study.explain(number))
        title, _, rest = card.partition("\n")
        lines = [line.strip() for line in rest.splitlines()]
        return {"trial": number, "card": card, "title": title, "lines": lines}

    return await _known(request, name, ("explanation", number), compute)


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
async def show_ranking(
    request: Request,
    name: str,
    count: Annotated[int, Query(ge=1, le=100)] = 10,
    paths: Annotated[int, Query(ge=1, le=2000)] = 500,
    context: CONTEXT = (),
) -> Response:
    """The likeliest best, and the expected regret of stopping now. One objective only."""

    def compute(opened: Opened) -> dict[str, Any]:
        here = contexts.typed(opened.study.space, context)
        found = likeliest_best(opened, count, paths, context=here).to_json()
        for each in found["contenders"]:
            each["bench"] = rounded(opened.study.space, each["params"])
        return found

    return await _known(request, name, ("ranking", count, paths, *context), compute)


@router.get(
    "/regret",
    summary="What stopping now may cost",
    responses=described({"mean": 0.4, "median": 0.2, "quantile_95": 1.3}, 404, 409),
)
async def show_regret(request: Request, name: str, context: CONTEXT = ()) -> Response:
    """By how much the best may exceed what is recommended now, in your units."""

    def compute(opened: Opened) -> dict[str, Any]:
        regret = opened.study.regret(context=_context(opened, context))
        quantiles = {"median": regret.quantile(0.5), "quantile_95": regret.quantile(0.95)}
        return {"mean": regret.mean, **quantiles}

    return await _known(request, name, ("regret", *context), compute)


@router.get(
    "/importances",
    summary="Which parameters matter",
    responses=described({"outcome": "value", "sentence": "temperature matters most"}, 404, 409),
)
async def show_importances(
    request: Request,
    name: str,
    outcome: str | None = None,
    paths: Annotated[int, Query(ge=2, le=500)] = 100,
) -> Response:
    """The share of the variance that each parameter explains, with intervals."""

    def compute(opened: Opened) -> dict[str, Any]:
        found = opened.study.importances(outcome, paths)
        return found.to_json() | {"sentence": str(found.sentence)}

    return await _known(request, name, ("importances", outcome, paths), compute)


@router.get(
    "/cross-validation",
    summary="Whether the model is any good",
    responses=described({"outcome": "value", "sentence": "..."}, 404, 409),
)
async def show_cross_validation(
    request: Request, name: str, outcome: str | None = None
) -> Response:
    """Each result beside what a model of all the others expects."""

    def compute(opened: Opened) -> dict[str, Any]:
        found = opened.study.cross_validate(outcome)
        columns = ("measured", "mean", "std", "low", "high", "z")
        listed = {each: getattr(found, each).tolist() for each in columns}
        said = {"outcome": found.outcome, "sentence": str(found), "explained": found.explained}
        return said | {"inside": found.inside(), "trials": list(found.trials), **listed}

    return await _known(request, name, ("cross-validation", outcome), compute)


@router.get(
    "/recommendation",
    summary="The best expected point, or the front of several objectives",
    responses=described({"points": [{"params": {"temperature": 83.2}, "bench": {}}]}, 404, 409),
)
async def show_recommendation(request: Request, name: str, context: CONTEXT = ()) -> Response:
    """One point with one objective; at most twenty that stand for the front with several."""
    wanted = ("recommendation", *context)
    return await _known(request, name, wanted, lambda opened: _recommended(opened, context))


def _recommended(opened: Opened, context: Sequence[str]) -> dict[str, Any]:
    study, trials, here = opened.study, opened.study.trials, _context(opened, context)
    several = len(study.goals.objectives) > 1
    points = study.recommend_front(context=here) if several else [study.recommend(context=here)]
    measured = {name for trial in trials for name in trial.outcomes}
    known = [goal.name for goal in study.goals if goal.name in measured]
    expected = {name: study.predict(points, name) for name in known}
    listed = [
        {
            "params": params,
            "bench": rounded(study.space, params),
            "expected": {
                name: {"mean": float(mean[i]), "std": float(std[i])}
                for name, (mean, std) in expected.items()
            },
        }
        for i, params in enumerate(points)
    ]
    return {"points": listed}


def _context(opened: Opened, texts: Sequence[str]) -> Mapping[str, Any] | None:
    return context_to_look_at(opened.study, contexts.typed(opened.study.space, texts))


def _check_points(request: Request, params: Sequence[Any]) -> None:
    most = serving(request).settings.limits.points
    if len(params) > most:
        raise SettingsError(f"at most {most} points at once, got {len(params)}")


async def _known(
    request: Request, name: str, what: Hashable, compute: Callable[[Opened], dict[str, Any]]
) -> Response:
    """Answer with what the model says, computed once for all who ask the same.

    In few threads: those who wait for a model leave the others to whoever asks or tells.
    """
    here = serving(request)

    def look_and_compute() -> Response:
        holds, present = here.studies.look(name)
        return answer(holds.known(what, compute, present))

    return await to_thread.run_sync(look_and_compute, limiter=here.thinking)
