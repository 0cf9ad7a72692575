"""What the OpenAPI description promises holds for requests by chance: schemathesis makes them.

Of schemathesis only the library is used, and no plugin: it gives a strategy of cases for each
operation, and holds each answer to the description. Half of the cases speak of a study that is
there.
"""

from collections.abc import Iterator

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
SPACE = {"k": Int(1, 6), "c": Categorical(["a", "b"])}  # so few points that models cost nothing
ENDLESS = ("/api/events",)
EXAMPLES = 12


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
    study = Study(SPACE, name="s", storage=url, seed=0, initial=3)
    for value in (1.0, 3.0, 2.0, 2.5):
        study.tell(study.ask(), value)
    study.ask()
    with running(storage=url) as made:
        yield made


@pytest.mark.parametrize("operation", operations())
def test_answers_are_as_described(operation, server: ServerSettings) -> None:
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
        known=st.booleans() if operation.method.upper() != "DELETE" else st.just(False),
        number=st.integers(0, 5),
    )
    def check(case, known: bool, number: int) -> None:
        if known and "name" in (case.path_parameters or {}):
            case.path_parameters["name"] = "s"
            if "number" in case.path_parameters:
                case.path_parameters["number"] = number
        if case.query and "paths" in case.query:
            case.query["paths"] = 5
        sent = case.as_transport_kwargs(base_url=server.origin)
        headers = {**sent.pop("headers", {}), "Authorization": f"Bearer {TOKEN}"}
        response = case.call(base_url=server.origin, headers=headers)
        case.validate_response(response, checks=CHECKS)

    check()


def test_the_description_is_served(server: ServerSettings) -> None:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    served = httpx.get(f"{server.origin}/api/openapi.json", headers=headers).json()
    assert served["openapi"].startswith("3.") and "/api/studies/{name}/advice" in served["paths"]
