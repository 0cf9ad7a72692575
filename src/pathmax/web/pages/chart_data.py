"""The data of the charts as JSON, computed once for all viewers.

What needs no model is remembered by the revision of the study. What needs one costs seconds: it is
computed by one viewer at a time, and not again before ten times as long as it took has passed;
until then everybody gets the answer that is there, and hears when a newer one can be had.
"""

from __future__ import annotations

import threading
import time
import weakref
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from pathmax.errors import SettingsError
from pathmax.web.answers import to_bytes
from pathmax.web.pages.study_view import snapshot_of
from pathmax.web.server import Server, serving
from pathmax.web.studies import Holds
from pathmax.workspace.opened_study import Opened, open_record
from pathmax.workspace.views import charts, model_charts
from pathmax.workspace.views.snapshot import Snapshot

MOST_REMEMBERED = 64
CHART_REST = 10.0  # times as long as an answer took, before it is computed anew

Query = dict[str, str]

QUICK: dict[str, Callable[[Snapshot, Query], Any]] = {
    "progress": lambda snapshot, query: charts.progress(snapshot, query.get("outcome")),
    "front": lambda snapshot, query: charts.front(snapshot, query.get("across"), query.get("up")),
    "parallel": lambda snapshot, query: charts.parallel(snapshot, query.get("outcome")),
}
DEEP: dict[str, Callable[[Opened, Snapshot, Query], Any]] = {
    "slices": lambda opened, snapshot, query: model_charts.slices(
        opened, snapshot, query.get("outcome"), _number(query.get("through", ""))
    ),
    "importances": lambda opened, snapshot, query: model_charts.importances(
        opened, snapshot, query.get("outcome")
    ),
    "validation": lambda opened, snapshot, query: model_charts.validation(
        opened, snapshot, query.get("outcome")
    ),
    "ranking": lambda opened, snapshot, query: model_charts.ranking(opened),
    "regret": lambda opened, snapshot, query: model_charts.regret(opened),
}


@dataclass(slots=True)
class Answer:
    """The latest answer of one kind, of which revision it is, and what it cost."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    revision: int = -1
    body: bytes = b""
    took: float = 0.0
    ended: float = 0.0

    def wait(self) -> float:
        """Seconds until it may be computed anew."""
        return max(0.0, self.ended + CHART_REST * self.took - time.monotonic())


class Answers:
    """The latest answers by kind and study."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: OrderedDict[tuple[Any, ...], Answer] = OrderedDict()

    def of(self, key: tuple[Any, ...]) -> Answer:
        with self._lock:
            found = self._known.setdefault(key, Answer())
            self._known.move_to_end(key)
            while len(self._known) > MOST_REMEMBERED:
                self._known.popitem(last=False)
            return found


_answers = Answers()
_opened: weakref.WeakKeyDictionary[Holds, Opened] = weakref.WeakKeyDictionary()


def show(request: Request) -> Response:
    """The data of one chart."""
    kind = request.path_params["chart"]
    if kind not in QUICK and kind not in DEEP:
        known = ", ".join((*QUICK, *DEEP))
        raise SettingsError(f"there is no chart {kind!r}; there are {known}")
    here = serving(request)
    holds, present = here.studies.look(request.path_params["name"])
    query = dict(sorted(request.query_params.items()))
    answer = _answers.of((kind, id(holds), *query.items()))
    with answer.lock:
        revision, snapshot = snapshot_of(holds.board, present)
        if answer.revision != revision and not (answer.body and answer.wait()):
            began = time.monotonic()
            content = (
                QUICK[kind](snapshot, query)
                if kind in QUICK
                else DEEP[kind](_deep(here, holds), snapshot, query)
            )
            answer.body, answer.revision = to_bytes(content), revision
            answer.ended = time.monotonic()
            answer.took = answer.ended - began if kind in DEEP else 0.0
        headers = {}
        if answer.revision != revision:
            headers["Retry-After"] = f"{answer.wait():.0f}"
        return Response(answer.body, headers=headers, media_type="application/json")


def _deep(here: Server, holds: Holds) -> Opened:
    """The study for what takes long, apart from the one that predicts and explains."""
    found = _opened.get(holds)
    if found is None:
        found = open_record(here.studies.storage, holds.record, here.studies.files.check)
        _opened[holds] = found
    return found


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
