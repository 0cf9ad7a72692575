"""Trials on their way: what they report, and whether they are better stopped."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from pathmax.study import Study
from pathmax.trials.trial import Trial
from pathmax.web.api.bodies import ReportBody, StopBody
from pathmax.web.api.descriptions import described
from pathmax.web.api.trials import RECORDS, record, there, typed_value
from pathmax.web.json_responses import answer
from pathmax.web.server import serving

router = APIRouter(prefix="/studies/{name:study}/trials/{number}", tags=["curves"])


@router.post(
    "/report",
    summary="A value on the way",
    responses=described({"trial": 4, "step": 3, "stop": False, "words": "..."}, 404, 409),
)
def report(request: Request, name: str, number: int, body: ReportBody) -> Response:
    """Such as a loss after an epoch; the same again changes nothing. Says whether to stop now."""
    here = serving(request)
    holds = here.studies.hold(name)
    with there(holds, number):
        holds.bench.study.report(number, body.step, typed_value(body.value))
        verdict = holds.bench.study.should_stop(number)
    here.events.nudge()
    said = {"stop": bool(verdict), "words": str(verdict)}
    return answer({"trial": number, "step": body.step, **said})


@router.get(
    "/should-stop",
    summary="Whether to stop a running trial",
    responses=described({"trial": 4, "stop": False, "words": "..."}, 404, 409),
)
def should_stop(request: Request, name: str, number: int) -> Response:
    """By the rule of the study, given what the trial has reported; `words` say why."""
    holds = serving(request).studies.hold(name)
    with there(holds, number):
        trial = holds.storage.trial(holds.record.key, number)
        verdict = holds.bench.study.should_stop(trial)
    return answer({"trial": number, "stop": bool(verdict), "words": str(verdict)})


@router.post("/stop", summary="End a trial early", **RECORDS)
def stop(request: Request, name: str, number: int, body: StopBody) -> Response:
    """It would hardly come out among the best. What its curve says of its end is learnt from."""

    def work(study: Study) -> Trial:
        return study.stop(number) if body.reason is None else study.stop(number, body.reason)

    return record(request, name, body, work, number)


@router.get(
    "/curve",
    summary="What a trial reported",
    responses=described({"trial": 4, "steps": [1, 2], "values": {"value": [0.9, 0.7]}}, 404, 409),
)
def show_curve(request: Request, name: str, number: int) -> Response:
    """The steps in order, and the value of each outcome at them; null where there is none."""
    holds = serving(request).studies.hold(name)
    study = holds.bench.study
    with there(holds, number):
        found = study.curve(holds.storage.trial(holds.record.key, number))
    steps = sorted(found)
    values = {goal.name: [_of(found[step], goal.name) for step in steps] for goal in study.goals}
    return answer({"trial": number, "steps": steps, "values": values})


def _of(seen: Any, outcome: str) -> float | None:
    return seen.get(outcome) if isinstance(seen, Mapping) else seen
