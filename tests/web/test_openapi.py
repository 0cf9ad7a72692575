"""What the OpenAPI description promises holds for requests by chance: schemathesis makes them.

Of schemathesis only the library is used, and no plugin: it gives a strategy of cases for each
operation, and holds each answer to the description. Of three cases

    one is wholly by chance, and mostly refused
    one speaks of a study and a trial that are there
    one fits: a study, a trial in the state that is needed and a body that make sense, so that the
    code behind all checks has to answer; such a request must succeed
"""

import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from pathmax import Categorical, Int, Study
from pathmax.web.app import make_app
from pathmax.web.settings import ServerSettings
from tests.web.conftest import TOKEN, running

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
SPACE = {"k": Int(1, 60), "c": Categorical(["a", "b"])}  # so few points that models cost nothing
ENDLESS = ("/api/events",)
EXAMPLES = 12  # requests of each operation
TOLD = 5  # trials 0 to 4 have a result

KINDS = st.sampled_from(["by chance", "there", "fits"])
HEADERS = {"Authorization": f"Bearer {TOKEN}"}
NUMBERS = st.floats(-1e6, 1e6).map(lambda x: round(x, 3))
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
VALUES = st.one_of(
    NUMBERS, NUMBERS.map(str), NUMBERS.map(lambda x: str(x).replace(".", ",")), NUMBERS.map(str),
    st.fixed_dictionaries({"value": NUMBERS}),
)  # fmt: skip
REMARKS = {"note": TEXTS, "attributes": st.dictionaries(st.sampled_from("xyz"), TEXTS | NUMBERS)}
MORE = {**REMARKS, "std": st.floats(0, 10), "cost": st.floats(0, 10)}
POINTS = st.fixed_dictionaries({"k": st.integers(1, 60), "c": st.sampled_from("ab")})
PLACES = st.lists(POINTS, min_size=1, max_size=3)
FEW = st.integers(2, 5)  # paths: each has to be maximised
CONDITION = {"outcome": st.just("value")}


def plans(name: str) -> st.SearchStrategy[dict]:
    """A study in a space that is wider than that of `name`, as entries of a space.toml."""
    return st.integers(60, 90).map(
        lambda high: {
            "study": name,
            "objective": {"name": "value", "direction": "minimize"},
            "parameters": {"k": {"low": 1, "high": high, "type": "int"}, "c": ["a", "b"]},
        }
    )


def tables(draw: int) -> str:
    return f"k,c,value\n{draw},a,{draw / 7}\n{draw},b,failed\n"


def fixed(required: dict | None = None, **optional: Any) -> st.SearchStrategy[dict]:
    return st.fixed_dictionaries(required or {}, optional=optional)


BODIES: dict[str, st.SearchStrategy[Any]] = {
    "POST /api/studies": st.integers(0, 10**6).flatmap(
        lambda n: fixed({"space": plans(f"new {n}")})
    ),
    "POST /api/check": fixed({"space": plans("new")}),
    "POST /space": fixed({"space": plans("changing")}, preview=st.booleans()),
    "POST /branch": fixed({"space": plans("changing")}),
    "POST /trials": fixed({"params": POINTS, "value": VALUES}, **MORE),
    "POST /ask": fixed({}, n=st.integers(1, 2)),
    "POST /tell": fixed({"value": VALUES}, **MORE),
    "POST /fail": fixed({}, reason=TEXTS),
    "POST /correct": fixed({"value": VALUES}, note=TEXTS, std=st.floats(0, 10)),
    "POST /annotate": fixed({}, **REMARKS),
    "POST /report": fixed({"step": st.integers(0, 100), "value": VALUES}),
    "POST /stop": fixed({}, reason=TEXTS),
    "POST /predict": fixed({"params": PLACES}, **CONDITION),
    "POST /feasibility": fixed({"params": PLACES}),
    "POST /import": st.integers(1, 60).map(tables),
}
QUERIES: dict[str, st.SearchStrategy[dict]] = {
    "GET /trials": fixed(
        {}, offset=st.integers(0, 9), limit=st.integers(1, 9),
        sort=st.sampled_from(["number", "-value", "k", "c", "told_at"]),
        state=st.sampled_from(["", "complete", "failed"]), filter=TEXTS,
    ),
    "GET /series": fixed({}, most=st.integers(2, 100)),
    "GET /slices": fixed({}, trial=st.integers(0, TOLD - 1), steps=st.integers(2, 9), **CONDITION),
    "GET /importances": fixed({"paths": FEW}, **CONDITION),
    "GET /cross-validation": fixed({}, **CONDITION),
    "GET /ranking": fixed({"paths": FEW}, count=st.integers(1, 5)),
    "GET /regret": fixed({"paths": FEW}),
    "GET /advice": fixed({"paths": FEW}),
    "GET /export.csv": fixed({}, decimal_comma=st.booleans()),
}  # fmt: skip
RUNNING = ("tell", "fail", "stop", "report", "should-stop", "curve")  # of a trial that is running
PATHS = ("importances", "ranking", "regret", "advice")  # whose sample paths cost a while
WRITES = ("trials", "import", "correct")  # results, of which models would have to be made anew
SUGGESTED = ("explanation", "replay")


def operations() -> list:
    """The operations of the API, each as a parameter of a test."""
    app = make_app(ServerSettings(storage="memory", token=TOKEN))
    schema = schemathesis.openapi.from_dict(app.openapi())
    found = [each.ok() for each in schema.get_all_operations()]
    return [
        pytest.param(one, id=f"{one.method.upper()} {one.path}")
        for one in found
        if one.path not in ENDLESS
    ]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerSettings]:
    url = f"sqlite:///{tmp_path_factory.mktemp('openapi') / 'lab.db'}"
    for name, method in (("s", "pims"), ("changing", "random"), ("going", "random")):
        study = Study(SPACE, name=name, storage=url, seed=0, initial=3, method=method)
        for value in range(TOLD):
            study.tell(study.ask(), value % 3)
    with running(storage=url) as made:
        yield made


class Fitting:
    """What has to be there so that a request by chance fits."""

    def __init__(self, server: ServerSettings, operation: Any) -> None:
        self.server = server
        self.what = operation.path.rpartition("/")[2]
        self.deletes = operation.method.upper() == "DELETE"
        self.count = itertools.count()

    def name(self) -> str:
        if self.deletes:
            name = f"to delete {next(self.count)}"
            self._post("/api/studies", {"space": PLAN | {"study": name}})
            return name
        if self.what in ("space", "branch"):
            return "changing"
        return "going" if self.what in (*WRITES, *RUNNING) else "s"

    def number(self) -> int:
        if self.what in RUNNING:
            asked = self._post("/api/studies/going/ask", {})
            return asked["trials"][0]["number"]
        return TOLD - 1 if self.what in SUGGESTED else 0

    def _post(self, path: str, body: dict) -> dict:
        answer = httpx.post(f"{self.server.origin}{path}", json=body, headers=HEADERS)
        assert answer.is_success, answer.text
        return answer.json()


PLAN = {
    "objective": {"name": "value", "direction": "minimize"},
    "parameters": {"k": {"low": 1, "high": 9, "type": "int"}},
}


@pytest.mark.parametrize("operation", operations())
def test_answers_are_as_described(operation, server: ServerSettings) -> None:
    fitting = Fitting(server, operation)
    path = operation.path
    key = f"{operation.method.upper()} {path if path.count('/') < 3 else '/' + fitting.what}"
    reached = []

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(
        case=operation.as_strategy(),
        kind=KINDS,
        number=st.integers(0, TOLD),
        body=BODIES.get(key, st.none()),
        query=QUERIES.get(key, st.just({})),
    )
    def check(case, kind: str, number: int, body: Any, query: dict) -> None:
        parameters = case.path_parameters or {}
        if kind == "there" and "name" in parameters and not fitting.deletes:
            parameters["name"] = fitting.name()
            parameters |= {"number": number} if "number" in parameters else {}
        if kind == "fits":
            parameters |= {"name": fitting.name()} if "name" in parameters else {}
            parameters |= {"number": fitting.number()} if "number" in parameters else {}
            case.query, case.headers = query, {}
            case.body = body if body is not None else case.body
        elif kind == "there" and fitting.what in PATHS:
            case.query = {**(case.query or {}), "paths": 5}
        sent = case.as_transport_kwargs(base_url=server.origin)
        headers = {**sent.pop("headers", {}), **HEADERS}
        response = case.call(base_url=server.origin, headers=headers)
        case.validate_response(response, checks=CHECKS)
        if kind == "fits":
            assert response.status_code < 300, (response.text, case.body, case.query)
            reached.append(response.status_code)

    check()
    assert reached, "no request by chance has come past the checks"


def test_the_description_is_served(server: ServerSettings) -> None:
    served = httpx.get(f"{server.origin}/api/openapi.json", headers=HEADERS).json()
    assert served["openapi"].startswith("3.") and "/api/studies/{name}/advice" in served["paths"]


def test_the_docs_count_what_is_sent() -> None:
    page = Path(__file__).parents[2] / "docs" / "security.md"
    found = re.search(
        r"(\d+) requests by chance to each of (\d+) operations", page.read_text("utf-8")
    )
    assert found is not None
    assert [int(each) for each in found.groups()] == [EXAMPLES, len(operations())]
