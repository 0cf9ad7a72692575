"""Studies: which there are, one of them, a new one, another space, and the end of one."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from pathmax import __version__
from pathmax.errors import PathmaxError
from pathmax.session.space_change import SpaceChange
from pathmax.web.api.bodies import BranchBody, NewStudyBody, PlanBody, SpaceChangeBody
from pathmax.web.api.descriptions import LINE, STUDY_EXAMPLE, described
from pathmax.web.api.idempotency_key import IDEMPOTENT
from pathmax.web.idempotency import IdempotentRequest
from pathmax.web.json_responses import answer
from pathmax.web.kept_answers import answered, answered_by, keep_answer
from pathmax.web.server import role_of, serving
from pathmax.web.studies import Holds
from pathmax.web.study_forms import (
    branch_study,
    change_study,
    defects,
    make_study,
    preview_change,
    read_plan,
)

router = APIRouter(tags=["studies"])


@router.get(
    "/server",
    summary="What this server is",
    responses=described(
        {"version": __version__, "role": "write", "read_only": False, "storage": "lab.db"}
    ),
)
def server(request: Request) -> Response:
    """Version, what you may do, where studies are kept, and how much one request may bring."""
    here = serving(request)
    limits = here.settings.limits
    return answer(
        {
            "version": __version__,
            "role": role_of(request).name.lower(),
            "read_only": here.settings.read_only,
            "storage": here.studies.storage.place,
            "limits": {name: getattr(limits, name) for name in limits.__slots__},
        }
    )


@router.get("/studies", summary="All studies", responses=described({"studies": [LINE]}))
def list_studies(request: Request) -> Response:
    """A line for each study, by name. One that cannot be read has `damage`, a sentence."""
    found = serving(request).studies.look_at_all()
    return answer({"studies": [_line(*each) for each in found]})


def _line(name: str, revision: int, found: Holds | PathmaxError) -> dict[str, Any]:
    if isinstance(found, PathmaxError):
        return {"name": name, "damage": str(found)}
    return found.cache.brief(revision)


@router.post(
    "/studies",
    status_code=201,
    summary="A new study",
    responses=described(STUDY_EXAMPLE, 409, 413, status=201),
    dependencies=[IDEMPOTENT],
)
def create_study(request: Request, body: NewStudyBody) -> Response:
    """Make a study from the entries of a space.toml, or from its text.

    A study of that name that is the same is left as it is, and is the answer, with status 200.
    """
    here, idempotent = serving(request), IdempotentRequest(request, body)
    with here.studies.changing:
        record, new = answered_by(here.studies.storage, idempotent.request), True
        if record is None:
            plan = read_plan(body.space, body.toml, here.studies.files)
            record, new = make_study(here.studies.storage, plan, body.name, idempotent.request)
    here.events.nudge()
    return answer(here.studies.held(record).cache.summary(), 201 if new else 200)


@router.post(
    "/check",
    tags=["studies"],
    summary="What is wrong with a space",
    responses=described(
        {
            "errors": [
                {
                    "where": ["parameters", "temperature"],
                    "message": "temperature: low must be below high, got low=120, high=20",
                }
            ]
        },
        413,
    ),
)
def check(request: Request, body: PlanBody) -> Response:
    """Check a study that is still being written: nothing is stored.

    `where` is the entry that is meant, as in a space.toml. No errors: the list is empty.
    """
    return answer({"errors": defects(body.space, body.toml, serving(request).studies.files)})


@router.get("/studies/{name:study}", summary="One study", responses=described(STUDY_EXAMPLE, 404))
def show_study(request: Request, name: str) -> Response:
    """Goals, space, settings, counts, the best trial or the front, what runs, what failed last.

    `front` is null with one objective, `best` with several. `age` of a running trial is in seconds,
    and so is `quiet`: how long its worker has sent no heartbeat (null: it has none).
    """
    holds, present = serving(request).studies.look(name)
    return answer(holds.cache.summary(present))


@router.post(
    "/studies/{name:study}/space",
    summary="Go on in another space",
    responses=described(
        {"change": "temperature: high was 120 and is now 140", "changed": True, "left_out": []},
        404,
        409,
        413,
    ),
    dependencies=[IDEMPOTENT],
)
def change_space(request: Request, name: str, body: SpaceChangeBody) -> Response:
    """Keep the trials and their numbers; results that no longer fit are left out of the model.

    With `preview` it is only said what would change.
    """
    here, idempotent = serving(request), IdempotentRequest(request, body)
    storage = here.studies.storage
    if body.preview:
        plan = read_plan(body.space, body.toml, here.studies.files)
        return answer(_said(preview_change(storage, name, plan), changed=False))
    with here.studies.changing:
        said = answered(storage.load(name), idempotent.request)
        if said is None:
            plan = read_plan(body.space, body.toml, here.studies.files)
            change = change_study(storage, name, plan)
            said = _said(change, changed=bool(change))
            keep_answer(storage, name, idempotent.request, said)
    here.events.nudge()
    return answer(said)


def _said(change: SpaceChange, *, changed: bool) -> dict[str, Any]:
    return {
        "change": str(change),
        "sentences": list(change.sentences),
        "changed": changed,
        "results": change.results,
        "left_out": list(change.left_out),
        "running": list(change.running),
    }


@router.post(
    "/studies/{name:study}/branch",
    status_code=201,
    summary="A new study with the results that fit",
    responses=described(STUDY_EXAMPLE, 404, 409, 413, status=201),
    dependencies=[IDEMPOTENT],
)
def branch(request: Request, name: str, body: BranchBody) -> Response:
    """A study of its own in another space, numbered anew; running trials stay with the old one."""
    here, idempotent = serving(request), IdempotentRequest(request, body)
    with here.studies.changing:
        made = answered_by(here.studies.storage, idempotent.request)
        if made is None:
            plan = read_plan(body.space, body.toml, here.studies.files)
            bench = here.studies.hold(name).bench
            branched = branch_study(bench, plan, body.name, idempotent.request)
            made = here.studies.storage.load(branched)
    here.events.nudge()
    return answer(here.studies.held(made).cache.summary(), 201)


@router.delete(
    "/studies/{name:study}",
    summary="Remove a study",
    responses=described({"deleted": "suzuki"}, 404),
)
def delete_study(request: Request, name: str) -> Response:
    """Remove a study with all its trials, for good."""
    here = serving(request)
    here.studies.storage.delete(name)
    here.studies.forget(name)
    here.events.nudge()
    return answer({"deleted": name})
