"""The addresses of pages: names of studies stand in them percent-encoded, whatever they contain."""

from __future__ import annotations

from urllib.parse import quote, urlencode


def url(page: str, study: str, /, **query: object) -> str:
    """The address of a page of a study, such as `/trials/suzuki?state=failed`."""
    given = {key: value for key, value in query.items() if value not in (None, "")}
    chart = f"/{quote(str(given.pop('chart')), safe='')}" if "chart" in given else ""
    path = f"/{page}{chart}/{quote(study, safe='')}"
    return f"{path}?{urlencode(given)}" if given else path


def api(*parts: object) -> str:
    """The address of something in the API, such as `/api/studies/suzuki/ask`."""
    return "/api/" + "/".join(quote(str(part), safe="") for part in parts)
