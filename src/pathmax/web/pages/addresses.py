"""The addresses of pages: names of studies stand in them percent-encoded, whatever they contain."""

from __future__ import annotations

from urllib.parse import quote, urlencode

from pathmax.web.study_names import part_of


def url(page: str, study: str, /, **query: object) -> str:
    """The address of a page of a study, such as `/trials/suzuki?state=failed`."""
    given = {key: value for key, value in query.items() if value not in (None, "")}
    chart = f"/{quote(str(given.pop('chart')), safe='')}" if "chart" in given else ""
    path = f"/{page}{chart}/{part_of(study)}"
    return f"{path}?{urlencode(given, errors='replace')}" if given else path


def api(*parts: object) -> str:
    """The address of something in the API, such as `/api/studies/suzuki/ask`."""
    return "/api/" + "/".join(part_of(str(part)) for part in parts)
