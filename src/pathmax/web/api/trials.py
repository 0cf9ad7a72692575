"""Trials: ask for them, tell how they ended, look at them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from pathmax.errors import ExhaustedError, TrialError
from pathmax.study import Study
from pathmax.trials.trial import Trial
from pathmax.web.api.bodies import (
    AdditionBody,
    AskBody,
    CorrectionBody,
    FailureBody,
    RemarksBody,
    ResultBody,
)
from pathmax.web.api.descriptions import RUNNING, TRIAL_EXAMPLE, described
from pathmax.web.api.idempotency_key import IDEMPOTENT
from pathmax.web.idempotency import IdempotentRequest
from pathmax.web.json_responses import answer
from pathmax.web.listing import Listing, list_trials
from pathmax.web.server import serving
from pathmax.web.studies import Holds
from pathmax.workspace import contexts
from pathmax.workspace.layout import Layout
from pathmax.workspace.recording import read_typed
from pathmax.workspace.typed_settings import read_settings

router = APIRouter(prefix="/studies/{name:study}", tags=["trials"])

RECORDED = {"trial": TRIAL_EXAMPLE, "best": 3}
RECORDS: Any = {"responses": described(RECORDED, 404, 409), "dependencies": [IDEMPOTENT]}


@router.get(
    "/trials",
    summary="Trials, page by page",
    responses=described(
        {"offset": 0, "limit": 50, "total": 5, "matching": 3, "trials": [TRIAL_EXAMPLE]}, 404
    ),
)
def show_trials(
    request: Request,
    name: str,
    offset: Annotated[int, Query(ge=0)] = 0,
    limit: Annotated[int, Query(ge=1)] = 50,
    sort: Annotated[
        str,
        Query(
            max_length=300,
            description="number, state, told_at, duration, the name of an outcome or "
            "parameter, or attributes.NAME; with a minus before it, the largest first.",
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
    here = serving(request)
    here.settings.limits.check("page", limit, "limit")
    holds, present = here.studies.look(name)
    wanted = Listing(offset, limit, sort, filter, state)
    return answer(list_trials(holds.cache, wanted, present))


@router.get("/trials/{number}", summary="One trial", responses=described(TRIAL_EXAMPLE, 404, 409))
def show_trial(request: Request, name: str, number: int) -> Response:
    """A trial as it is stored now; `earlier` has what it was before each correction."""
    holds = serving(request).studies.hold(name)
    with there(holds, number):
        trial = holds.cache.storage.trial(holds.record.key, number)
    earlier = [holds.cache.trial(each) for each in trial.earlier]
    return answer(holds.cache.trial(trial) | {"earlier": earlier})


@router.post(
    "/ask",
    summary="What to try next",
    responses=described({"trials": [RUNNING]}, 404, 409),
    dependencies=[IDEMPOTENT],
)
def ask(request: Request, name: str, body: AskBody) -> Response:
    """The next trials to run. What is still running is taken into account.

    `expected` of a trial is what the model expects there; `bench` has params as one can set them.
    """
    here, idempotent = serving(request), IdempotentRequest(request, body)
    here.settings.limits.check("suggestions", body.n, "n")
    holds = here.studies.hold(name)
    trials = idempotent.done(holds.storage, holds.record.key)
    if len(trials) < body.n:
        with idempotent.writing(len(trials)):
            trials += _ask(holds, body.n - len(trials), bool(trials), body.context)
        here.events.nudge()
    return answer({"trials": [holds.cache.trial(trial) for trial in trials]})


def _ask(holds: Holds, n: int, some: bool, context: Mapping[str, Any] | None) -> list[Trial]:
    study = holds.bench.study
    here = None if context is None else contexts.read_context(study.space, context)
    try:
        return study.ask(n, context=here)
    except ExhaustedError:
        if some:
            return []
        raise


@router.post("/trials/{number}/tell", summary="A result", **RECORDS)
def tell(request: Request, name: str, number: int, body: ResultBody) -> Response:
    """What came out, once. What is missing of several outcomes may be told later."""

    def work(study: Study) -> Trial:
        return study.tell(number, typed_value(body.value), **_remarks(body))

    return record(request, name, body, work, number)


@router.post("/trials/{number}/fail", summary="No result", **RECORDS)
def fail(request: Request, name: str, number: int, body: FailureBody) -> Response:
    """The trial broke; the study goes on and keeps away from there."""

    def work(study: Study) -> Trial:
        return study.fail(number, body.reason, correct=body.correct)

    return record(request, name, body, work, number)


@router.post("/trials/{number}/correct", summary="Another result in place of one", **RECORDS)
def correct(request: Request, name: str, number: int, body: CorrectionBody) -> Response:
    """For a mistyped value or a failure that was none; what was there is kept."""

    def work(study: Study) -> Trial:
        value, noise = typed_value(body.value), _variance(body.std)
        return study.correct(number, value, noise=noise, note=body.note)

    return record(request, name, body, work, number)


@router.post("/trials/{number}/annotate", summary="A remark", **RECORDS)
def annotate(request: Request, name: str, number: int, body: RemarksBody) -> Response:
    """A note in place of the one that is there, and attributes beside those that are."""

    def work(study: Study) -> Trial:
        return study.annotate(number, note=body.note, attributes=body.attributes)

    return record(request, name, body, work, number)


@router.post(
    "/trials",
    status_code=201,
    summary="A result from before",
    responses=described(RECORDED, 404, 409, status=201),
    dependencies=[IDEMPOTENT],
)
def add(request: Request, name: str, body: AdditionBody) -> Response:
    """A result of a point that was not suggested; points may repeat."""
    layout = serving(request).studies.hold(name).bench.layout

    def work(study: Study) -> Trial:
        params = _params(layout, body.params)
        added: Trial = study.add(params, typed_value(body.value), **_remarks(body))
        return added

    return record(request, name, body, work)


def record(
    request: Request,
    name: str,
    body: BaseModel,
    work: Callable[[Study], Trial],
    number: int | None = None,
) -> Response:
    """Write a trial once, and answer with it and with the number of the best trial."""
    here, idempotent = serving(request), IdempotentRequest(request, body)
    holds = here.studies.hold(name)
    done = idempotent.done(holds.storage, holds.record.key)
    if not done:
        with there(holds, number), idempotent.writing():
            done = [work(holds.bench.study)]
        here.events.nudge()
    best = holds.cache.summary()["best"]
    said = {
        "trial": holds.cache.trial(done[0]),
        "best": None if best is None else best["number"],
    }
    return answer(said, 201 if number is None else 200)


@contextmanager
def there(holds: Holds, number: int | None) -> Iterator[None]:
    """Tell a trial that is not there (404) from one that cannot be told (409)."""
    try:
        yield
    except TrialError as error:
        if number is not None and not 0 <= number < len(holds.cache.read()):
            raise HTTPException(404, str(error)) from error
        raise


def typed_value(given: object) -> object:
    """A result as JSON brings it; text is read as people type numbers."""
    if isinstance(given, Mapping):
        return {name: typed_value(value) for name, value in given.items()}
    return read_typed(given) if isinstance(given, str) else given


def _remarks(body: ResultBody) -> dict[str, Any]:
    said = {"note": body.note, "attributes": body.attributes, "cost": body.cost}
    return said | {"noise": _variance(body.std)}


def _variance(std: float | Mapping[str, float] | None) -> Any:
    if isinstance(std, Mapping):
        return {name: each * each for name, each in std.items()}
    return None if std is None else std * std


def _params(layout: Layout, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Params from a form are text, from a program what they are."""
    if given and all(isinstance(value, str) for value in given.values()):
        return read_settings(layout, given)
    return given
