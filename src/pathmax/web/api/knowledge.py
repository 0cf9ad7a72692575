"""What the model of a study says: along each parameter, at points, and how good it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from pathmax.web.api.bodies import PlacesBody, PointsBody
from pathmax.web.api.descriptions import described
from pathmax.web.api.shared_answers import known, known_later
from pathmax.web.json_responses import answer
from pathmax.web.server import serving
from pathmax.web.trial_series import series, slices
from pathmax.workspace.opened_study import Opened

router = APIRouter(prefix="/studies/{name:study}", tags=["knowledge"])

SECONDS_OF_INDICES = 0.02  # about, for the indices of a sample path


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
    return answer(series(holds.cache, most, present))


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
    return await known(request, name, wanted, lambda opened: slices(opened, outcome, trial, steps))


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

    return await known(request, name, ("predict", body.model_dump_json()), compute)


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

    return await known(request, name, ("feasibility", body.model_dump_json()), compute)


@router.get(
    "/importances",
    summary="Which parameters matter",
    responses=described(
        {"outcome": "value", "sentence": "temperature matters most"}, 404, 409, later=True
    ),
)
async def show_importances(
    request: Request,
    name: str,
    outcome: str | None = None,
    paths: Annotated[int, Query(ge=2)] = 100,
) -> Response:
    """The share of the variance that each parameter explains, with intervals."""
    serving(request).settings.limits.check("paths", paths)

    def compute(opened: Opened) -> dict[str, Any]:
        found = opened.study.importances(outcome, paths)
        return found.to_json() | {"sentence": str(found.sentence)}

    wanted = ("importances", outcome, paths)
    return await known_later(request, name, wanted, compute, paths * SECONDS_OF_INDICES)


@router.get(
    "/cross-validation",
    summary="Whether the model is any good",
    responses=described({"outcome": "value", "sentence": "..."}, 404, 409, later=True),
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

    return await known_later(request, name, ("cross-validation", outcome), compute, 1.0)


@router.get(
    "/borrowed",
    summary="How much is borrowed from older studies",
    responses=described({"borrowed": [], "sentences": []}, 404, 409),
)
async def show_borrowed(request: Request, name: str) -> Response:
    """The relation to each older study that this one learns from."""

    def compute(opened: Opened) -> dict[str, Any]:
        found = opened.study.borrowed()
        return {"borrowed": found.to_json(), "sentences": found.sentences}

    return await known(request, name, ("borrowed",), compute)


def _check_points(request: Request, params: Sequence[Any]) -> None:
    serving(request).settings.limits.check("points", len(params), "the number of points")
