"""The first page: which studies there are, and how far each is."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pathmax.errors import PathmaxError
from pathmax.web.pages.rendering import render
from pathmax.web.pages.study_view import StudyView
from pathmax.web.server import serving
from pathmax.web.studies import Holds


def show(request: Request) -> Response:
    """The list of studies, the one that changed last first."""
    here = serving(request)
    lines = [_line(*each) for each in here.studies.look_at_all()]
    lines.sort(key=lambda line: -line["changed_at"])
    return render(request, "start.html", lines=lines, storage=here.studies.storage.place)


def icon(request: Request) -> Response:
    """For browsers that ask for `/favicon.ico`, whatever a page names."""
    return RedirectResponse("/static/mark.svg", 308)


def _line(name: str, present: int, holds: Holds | PathmaxError) -> dict[str, Any]:
    if isinstance(holds, PathmaxError):
        return {"name": name, "damage": str(holds), "changed_at": 0.0}
    view = StudyView(holds.cache.snapshot(present), holds.cache)
    best = ""
    if view.several:
        best = f"{len(view.front)} on the front" if view.front else ""
    elif view.best is not None:
        best = view.words.result(view.best.outcomes[view.columns[view.first_column]])
    times = [trial.told_at or trial.asked_at for trial in view.trials]
    return {
        "name": name,
        "damage": "",
        "goal": view.goal_words,
        "best": best,
        "unit": "" if view.several else view.words.unit(view.first_column),
        "complete": len(view.complete),
        "running": len(view.running),
        "failed": len(view.failed),
        "changed_at": max([*times, holds.record.created_at]),
    }
