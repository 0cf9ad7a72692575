"""The pages of one study: overview, trials, model, space, and one trial.

Each is rendered from a snapshot, without a model: what needs one is fetched later, by itself.
"""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from pathmax.errors import TrialError
from pathmax.web.pages.addresses import url
from pathmax.web.pages.rendering import render
from pathmax.web.pages.study_view import StudyView
from pathmax.web.server import serving
from pathmax.workspace.attribute_cells import attribute_words, attributes_of
from pathmax.workspace.space_writing import write_space
from pathmax.workspace.views.trial_pages import TrialPage, TrialQuery, page_of

MOST_ATTRIBUTES = 6  # columns of the table; the rest is shown with each trial
MOST_RUNNING = 12  # with a form each, on the overview
DOWNWARDS = ("trial", "results", "cost", "time")  # columns of numbers: the largest come first


def overview(request: Request) -> Response:
    """How far the study is, and what is to do now."""
    return _page(request, "studies", "study.html", most_running=MOST_RUNNING)


def model(request: Request) -> Response:
    """What the model believes; its charts are fetched when they come into view."""
    return _page(request, "model", "model.html")


def space(request: Request) -> Response:
    """What may vary, and a place to change it."""
    view = _view(request)
    toml = write_space(view.name, view.layout, view.goals)
    return _page(request, "space", "space.html", toml=toml)


def trials(request: Request) -> Response:
    """The table of trials."""
    view = _view(request)
    given = request.query_params
    query = TrialQuery(
        text=given.get("text", "")[:500],
        state=given.get("state", "")[:20],
        sort=given.get("sort", "trial")[:300],
        descending=given.get("order", "down") != "up",
        page=_whole(given.get("page", "1"), 1),
    )
    found = page_of(view.snapshot, query)
    return _page(
        request,
        "trials",
        "trials.html",
        query=query,
        found=found,
        columns=_columns(view, query),
        pages=_pages(view.name, found),
        attribute=attribute_words,
    )


def trial(request: Request) -> Response:
    """One trial: its settings and result, why it was suggested, and what can be done."""
    holds = serving(request).studies.hold(request.path_params["name"])
    number = _whole(request.query_params.get("number", ""), -1)
    view = _view(request)
    one = next((each for each in view.trials if each.number == number), None)
    if one is None:
        raise TrialError(f"there is no trial {number} in study {holds.record.name!r}")
    method = view.info(one).method
    return _page(
        request,
        "trial",
        "trial.html",
        trial=one,
        suggested=method is not None,
        origin="suggested by " + method if method else "not a suggestion: its settings were given",
        attributes=[(key, attribute_words(one, key)) for key in attributes_of(one)],
    )


def _page(request: Request, page: str, template: str, **content: Any) -> Response:
    return render(request, template, page=page, view=_view(request), **content)


def _view(request: Request) -> StudyView:
    found: StudyView | None = getattr(request.state, "view", None)
    if found is None:
        holds, present = serving(request).studies.look(request.path_params["name"])
        found = request.state.view = StudyView(holds.cache.snapshot(present), holds.cache)
    return found


def _columns(view: StudyView, query: TrialQuery) -> list[dict[str, Any]]:
    """The columns of the table, each with the address that sorts by it."""
    left = [trial for trial in view.trials if trial.number in view.outside] if view.outside else []
    names = dict.fromkeys([*view.layout.domain.names, *(n for t in left for n in t.params)])
    listed = [("trial", "", "Trial"), ("state", "", "State")]
    listed += [("params", name, name) for name in names]
    listed += [("results", column, column) for column in view.columns]
    listed += [("cost", "", "Cost")] if view.has_costs else []
    listed += [("attributes", name, name) for name in view.attributes[:MOST_ATTRIBUTES]]
    listed += [("time", "", "Took"), ("note", "", "Remark")]
    columns = []
    for kind, name, title in listed:
        key = f"{kind}.{name}" if name else kind
        chosen = query.sort == key
        down = not query.descending if chosen else kind in DOWNWARDS
        columns.append(
            {
                "kind": kind,
                "name": name,
                "title": title,
                "unit": view.words.unit(name) if name and kind != "attributes" else "",
                "numeric": kind in DOWNWARDS or _is_numeric(view, kind, name),
                "sorted": chosen,
                "href": url(
                    "trials", view.name, text=query.text, state=query.state, sort=key,
                    order="down" if down else "up",
                ),
            }
        )  # fmt: skip
    return columns


def _is_numeric(view: StudyView, kind: str, name: str) -> bool:
    latest = [
        (trial.attributes if kind == "attributes" else trial.params).get(name)
        for trial in view.trials[-20:]
    ]
    known = [value for value in latest if value is not None]
    return bool(known) and all(
        isinstance(value, int | float) and not isinstance(value, bool) for value in known
    )


def _pages(study: str, found: TrialPage) -> dict[str, str]:
    query = found.query

    def at(page: int) -> str:
        return url(
            "trials", study, text=query.text, state=query.state, sort=query.sort,
            order="down" if query.descending else "up", page=page,
        )  # fmt: skip

    return {
        "first": at(1),
        "before": at(found.page - 1),
        "next": at(found.page + 1),
        "last": at(found.pages),
    }


def _whole(text: str, default: int) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else default
