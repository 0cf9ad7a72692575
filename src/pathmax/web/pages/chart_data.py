"""The data of the charts as JSON, made once for all viewers.

What needs no model is made while its viewer waits, and remembered while the study stays as it is.
What needs one takes seconds, and is made in the background (`pathmax.web.model_answers`): the
answer is the latest that there is, with `Retry-After` where a newer one is to come, and status 202
as long as there is none.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Hashable, Mapping
from typing import Any, NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from pathmax.errors import SettingsError
from pathmax.web.json_responses import answer, to_bytes
from pathmax.web.server import serving
from pathmax.web.studies import Studies
from pathmax.workspace import contexts
from pathmax.workspace.opened_study import Opened
from pathmax.workspace.views import charts, curve_chart, model_charts
from pathmax.workspace.views.snapshot import Snapshot

MOST_DRAWINGS = 64  # charts of one revision of a study that are remembered
GIVEN = "context."  # before the name of a parameter that is given and not chosen

Query = dict[str, str]

_drawn: weakref.WeakKeyDictionary[Snapshot, dict[Hashable, bytes]]
_drawn = weakref.WeakKeyDictionary()

QUICK: dict[str, Callable[[Snapshot, Query], Any]] = {
    "progress": lambda snapshot, query: charts.progress(snapshot, query.get("outcome")),
    "front": lambda snapshot, query: charts.front(snapshot, query.get("across"), query.get("up")),
    "curves": lambda snapshot, query: curve_chart.curves(
        snapshot, query.get("outcome"), _number(query.get("trial", ""))
    ),
    "parallel": lambda snapshot, query: charts.parallel(snapshot, query.get("outcome")),
}


class Deep(NamedTuple):
    """A chart that asks the model, and about how many seconds that takes."""

    make: Callable[[Opened, Snapshot, Query], Any]
    seconds: float


DEEP = {
    "slices": Deep(
        lambda opened, snapshot, query: model_charts.slices(
            opened, snapshot, query.get("outcome"), _number(query.get("through", ""))
        ),
        0.1,
    ),
    "importances": Deep(
        lambda opened, snapshot, query: model_charts.importances(
            opened, snapshot, query.get("outcome")
        ),
        1.0,
    ),
    "validation": Deep(
        lambda opened, snapshot, query: model_charts.validation(
            opened, snapshot, query.get("outcome")
        ),
        0.5,
    ),
    "ranking": Deep(
        lambda opened, snapshot, query: model_charts.ranking(opened, _context(opened, query)), 5.0
    ),
    "regret": Deep(
        lambda opened, snapshot, query: model_charts.regret(opened, _context(opened, query)), 2.0
    ),
}


async def show(request: Request) -> Response:
    """The data of one chart."""
    kind, name = request.path_params["chart"], request.path_params["name"]
    if kind not in QUICK and kind not in DEEP:
        known = ", ".join((*QUICK, *DEEP))
        raise SettingsError(f"there is no chart {kind!r:.80}; there are {known}")
    here, query = serving(request), dict(sorted(request.query_params.items()))
    if kind in QUICK:
        return await run_in_threadpool(_quick, here.studies, name, kind, query)
    holds, present = await run_in_threadpool(here.studies.look, name)
    make, seconds = DEEP[kind]
    made, delay = await here.models.get(
        holds,
        present,
        (kind, *query.items()),
        lambda opened, now: to_bytes(make(opened, holds.cache.snapshot(now), query)),
        seconds,
    )
    headers = {"Retry-After": str(delay)} if delay else {}
    if made is None:
        return answer({"waiting": True}, 202, headers)
    if made.refused is not None:
        raise made.refused.with_traceback(None)  # else it grows with each who hears it
    return Response(made.body, headers=headers, media_type="application/json")


def _quick(studies: Studies, name: str, kind: str, query: Query) -> Response:
    holds, present = studies.look(name)
    snapshot = holds.cache.snapshot(present)
    known = _drawn.setdefault(snapshot, {})
    key = (kind, *query.items())
    body = known.get(key)
    if body is None:
        if len(known) >= MOST_DRAWINGS:
            known.clear()
        body = known[key] = to_bytes(QUICK[kind](snapshot, query))
    return Response(body, media_type="application/json")


def _context(opened: Opened, query: Query) -> Mapping[str, Any] | None:
    given = [(key, text) for key, text in query.items() if key.startswith(GIVEN)]
    named = {key.removeprefix(GIVEN): text for key, text in given}
    return contexts.read_context(opened.study.space, named) if named else None


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
