"""The first page: which studies there are, and how far each is."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pathmax.errors import PathmaxError, StorageUnavailableError
from pathmax.storage import StudyRecord
from pathmax.web.pages.rendering import render
from pathmax.web.pages.study_view import StudyView, snapshot_of
from pathmax.web.server import Server, serving


def show(request: Request) -> Response:
    """The list of studies, the one that changed last first."""
    here = serving(request)
    lines = [_line(here, record) for record in here.studies.records()]
    lines.sort(key=lambda line: -line["changed_at"])
    return render(request, "start.html", lines=lines, storage=here.studies.storage.place)


def icon(request: Request) -> Response:
    """For browsers that look for it where it always was."""
    return RedirectResponse("/static/mark.svg", 308)


def _line(here: Server, record: StudyRecord) -> dict[str, Any]:
    try:
        view = StudyView(snapshot_of(here.studies.held(record).board)[1], record.settings)
    except StorageUnavailableError:
        raise
    except PathmaxError as error:  # the others are there all the same
        return {"name": record.name, "damage": str(error), "changed_at": record.created_at}
    best = ""
    if view.several:
        best = f"{len(view.front)} on the front" if view.front else ""
    elif view.best is not None:
        best = view.words.result(view.best.outcomes[view.columns[view.first_column]])
    times = [trial.told_at or trial.asked_at for trial in view.trials]
    return {
        "name": record.name,
        "damage": "",
        "goal": view.goal_words,
        "best": best,
        "unit": "" if view.several else view.words.unit(view.first_column),
        "complete": len(view.complete),
        "running": len(view.running),
        "failed": len(view.failed),
        "changed_at": max([*times, record.created_at]),
    }
