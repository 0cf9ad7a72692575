"""Trials: ask for them, tell how they ended, look at them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from pathmax.errors import SettingsError, TrialError
from pathmax.trials.trial import Trial
from pathmax.web.answers import answer
from pathmax.web.api.bodies import Addition, Ask, Correction, Failure, Remarks, Result
from pathmax.web.api.described import RUNNING, TRIAL, described
from pathmax.web.listing import Listing, list_trials
from pathmax.web.server import serving
from pathmax.web.studies import Holds
from pathmax.workspace.overview import best_or_none
from pathmax.workspace.recording import read_typed
from pathmax.workspace.results_table import read_settings

router = APIRouter(prefix="/studies/{name:study}", tags=["trials"])

RECORDED = {"trial": TRIAL, "best": 3}


@router.get(
    "/trials",
    summary="Trials, page by page",
    responses=described(
        {"offset": 0, "limit": 50, "total": 5, "matching": 3, "trials": [TRIAL]}, 404
    ),
)
def show_trials(
    request: Request,
    name: str,
    offset: Annotated[int, Query(ge=0)] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 50,
    sort: Annotated[
        str,
        Query(
            max_length=300,
            description="number, state, told_at, duration, or the name of an "
            "outcome or parameter; with a minus before it, the largest first.",
        ),
    ] = "number",
    filter: Annotated[
        str,
        Query(
            max_length=300,
            description="Text that stands in a note, a reason, a worker, a choice or an attribute.",
        ),
    ] = "",
    state: Annotated[
        str, Query(max_length=20, description="running, complete or failed; empty for all.")
    ] = "",
) -> Response:
    """Trials that match, in order. `total` counts all of the study, `matching` those that match."""
    board = serving(request).studies.hold(name).board
    return answer(list_trials(board, Listing(offset, limit, sort, filter, state)))


@router.get("/trials/{number}", summary="One trial", responses=described(TRIAL, 404, 409))
def show_trial(request: Request, name: str, number: int) -> Response:
    """A trial as it is stored now; `earlier` has what it was before each correction."""
    holds = serving(request).studies.hold(name)
    with _there(holds, number):
        trial = holds.board.storage.trial(holds.record.key, number)
    earlier = [holds.board.trial(each) for each in trial.earlier]
    return answer(holds.board.trial(trial) | {"earlier": earlier})


@router.post(
    "/ask", summary="What to try next", responses=described({"trials": [RUNNING]}, 404, 409)
)
def ask(request: Request, name: str, body: Ask) -> Response:
    """The next trials to run. What is still running is taken into account.

    `expected` of a trial is what the model expects there; `bench` has params as one can set them.
    """
    here = serving(request)
    most = here.settings.limits.suggestions
    if body.n > most:
        raise SettingsError(f"n may be {most} at most, got {body.n}; ask several times")
    holds = here.studies.hold(name)
    trials = holds.bench.study.ask(body.n)
    here.events.nudge()
    return answer({"trials": [holds.board.trial(trial) for trial in trials]})


@router.post("/trials/{number}/tell", summary="A result", responses=described(RECORDED, 404, 409))
def tell(request: Request, name: str, number: int, body: Result) -> Response:
    """What came out, once. What is missing of several outcomes may be told later."""
    holds = serving(request).studies.hold(name)
    with _there(holds, number):
        trial = holds.bench.study.tell(
            number,
            _value(body.value),
            noise=_variance(body.std),
            note=body.note,
            attributes=body.attributes,
        )
    return _recorded(request, holds, trial)


@router.post("/trials/{number}/fail", summary="No result", responses=described(RECORDED, 404, 409))
def fail(request: Request, name: str, number: int, body: Failure) -> Response:
    """The trial broke; the study goes on and keeps away from there."""
    holds = serving(request).studies.hold(name)
    with _there(holds, number):
        trial = holds.bench.study.fail(number, body.reason, correct=body.correct)
    return _recorded(request, holds, trial)


@router.post(
    "/trials/{number}/correct",
    summary="Another result in place of one",
    responses=described(RECORDED, 404, 409),
)
def correct(request: Request, name: str, number: int, body: Correction) -> Response:
    """For a mistyped value or a failure that was none; what was there is kept."""
    holds = serving(request).studies.hold(name)
    with _there(holds, number):
        trial = holds.bench.study.correct(
            number, _value(body.value), noise=_variance(body.std), note=body.note
        )
    return _recorded(request, holds, trial)


@router.post(
    "/trials/{number}/annotate", summary="A remark", responses=described(RECORDED, 404, 409)
)
def annotate(request: Request, name: str, number: int, body: Remarks) -> Response:
    """A note in place of the one that is there, and attributes beside those that are."""
    holds = serving(request).studies.hold(name)
    with _there(holds, number):
        trial = holds.bench.study.annotate(number, note=body.note, attributes=body.attributes)
    return _recorded(request, holds, trial)


@router.post(
    "/trials",
    status_code=201,
    summary="A result from before",
    responses=described(RECORDED, 404, 409, status=201),
)
def add(request: Request, name: str, body: Addition) -> Response:
    """A result of a point that was not suggested; points may repeat."""
    holds = serving(request).studies.hold(name)
    trial = holds.bench.study.add(
        _params(holds, body.params),
        _value(body.value),
        noise=_variance(body.std),
        note=body.note,
        attributes=body.attributes,
    )
    return _recorded(request, holds, trial, 201)


@contextmanager
def _there(holds: Holds, number: int) -> Iterator[None]:
    """Tell a trial that is not there (404) from one that cannot be told (409)."""
    try:
        yield
    except TrialError as error:
        if not 0 <= number < len(holds.board.read()):
            raise HTTPException(404, str(error)) from error
        raise


def _recorded(request: Request, holds: Holds, trial: Trial, status: int = 200) -> Response:
    serving(request).events.nudge()
    best = best_or_none(holds.bench.study)
    number = None if best is None else best.number
    return answer({"trial": holds.board.trial(trial), "best": number}, status)


def _value(given: object) -> object:
    """A result as JSON brings it; text is read as people type numbers."""
    if isinstance(given, Mapping):
        return {name: _value(value) for name, value in given.items()}
    return read_typed(given) if isinstance(given, str) else given


def _variance(std: float | Mapping[str, float] | None) -> Any:
    if isinstance(std, Mapping):
        return {name: each * each for name, each in std.items()}
    return None if std is None else std * std


def _params(holds: Holds, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Params from a form are text, from a program what they are."""
    if given and all(isinstance(value, str) for value in given.values()):
        return read_settings(holds.bench.layout, given)
    return given
