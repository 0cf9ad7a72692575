"""What is best as far as is known, whether to go on, and why a trial was suggested."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from pathmax.web.api.descriptions import described
from pathmax.web.api.shared_answers import ContextQuery, context_of_request, known, known_later
from pathmax.web.server import serving
from pathmax.workspace import contexts
from pathmax.workspace.opened_study import Opened
from pathmax.workspace.ranking import likeliest_best
from pathmax.workspace.rounding import rounded

router = APIRouter(prefix="/studies/{name:study}", tags=["knowledge"])

REGRET_PATHS, ADVICE_PATHS = 400, 100  # of a study, unless others are asked for
SECONDS_A_PATH = 0.03  # about, to find its maximum


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
        later=True,
    ),
)
async def show_ranking(
    request: Request,
    name: str,
    count: Annotated[int, Query(ge=1, le=100)] = 10,
    paths: Annotated[int, Query(ge=1)] = 500,
    context: ContextQuery = (),
) -> Response:
    """The likeliest best, and the expected regret of stopping now, from the same paths."""
    serving(request).settings.limits.check("paths", paths)

    def compute(opened: Opened) -> dict[str, Any]:
        here = contexts.typed_context(opened.study.space, context)
        found = likeliest_best(opened, count, paths, context=here).to_json()
        for each in found["contenders"]:
            each["bench"] = rounded(opened.study.space, each["params"])
        return found

    wanted = ("ranking", count, paths, *context)
    return await known_later(request, name, wanted, compute, paths * SECONDS_A_PATH)


@router.get(
    "/regret",
    summary="What stopping now may cost",
    responses=described({"mean": 0.4, "median": 0.2, "quantile_95": 1.3}, 404, 409, later=True),
)
async def show_regret(
    request: Request,
    name: str,
    paths: Annotated[int | None, Query(ge=1)] = None,
    context: ContextQuery = (),
) -> Response:
    """By how much the best may exceed what is recommended now, in your units.

    With several objectives by how much results may fall short of the front, in its `unit`. Null is
    infinite: no result surely keeps the bounds.
    """
    serving(request).settings.limits.check("paths", paths)

    def compute(opened: Opened) -> dict[str, Any]:
        regret = opened.study.regret(paths, context=context_of_request(opened, context))
        quantiles = {"median": regret.quantile(0.5), "quantile_95": regret.quantile(0.95)}
        return {"mean": regret.mean, **quantiles} | ({"unit": regret.unit} if regret.unit else {})

    wanted, seconds = ("regret", paths, *context), (paths or REGRET_PATHS) * SECONDS_A_PATH
    return await known_later(request, name, wanted, compute, seconds)


@router.get(
    "/recommendation",
    summary="The best expected point, or the front of several objectives",
    responses=described({"points": [{"params": {"temperature": 83.2}, "bench": {}}]}, 404, 409),
)
async def show_recommendation(request: Request, name: str, context: ContextQuery = ()) -> Response:
    """One point with one objective; at most twenty that stand for the front with several."""
    wanted = ("recommendation", *context)
    return await known(request, name, wanted, lambda opened: _recommended(opened, context))


def _recommended(opened: Opened, context: Sequence[str]) -> dict[str, Any]:
    study, trials, here = opened.study, opened.study.trials, context_of_request(opened, context)
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
        later=True,
    ),
)
async def show_advice(
    request: Request,
    name: str,
    paths: Annotated[int | None, Query(ge=1)] = None,
    context: ContextQuery = (),
) -> Response:
    """Whether measuring a point again is worth more than measuring a new one, and which."""
    serving(request).settings.limits.check("paths", paths)

    def compute(opened: Opened) -> dict[str, Any]:
        here = context_of_request(opened, context)
        found = opened.study.replicate_or_explore(paths, context=here)
        told = {"replicate": found.replicate, "params": found.params, "trials": list(found.trials)}
        gains = {"gain": found.gain, "other_gain": found.other_gain, "unit": found.unit or None}
        return told | gains | {"sentence": str(found)}

    wanted, seconds = ("advice", paths, *context), (paths or ADVICE_PATHS) * SECONDS_A_PATH
    return await known_later(request, name, wanted, compute, seconds)


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

    return await known(request, name, ("explanation", number), compute)


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

    return await known(request, name, ("replay", number), compute)
