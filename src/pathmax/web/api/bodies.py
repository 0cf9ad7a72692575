"""What requests bring, as JSON. Unknown entries are refused, so that no mistyped name is lost."""

from __future__ import annotations

import json
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, Strict, StrictBool, StrictInt, field_validator

StrictNumber = Annotated[float, Strict()]
"""A number; true is none."""

Spread = Annotated[StrictNumber, Field(ge=0)]

Value = Annotated[
    StrictNumber | str | dict[str, StrictNumber | str | None],
    Field(
        description='A number, text as people type it ("71,3"), or one of these for each outcome.',
        examples=[71.3, {"yield": 71.3, "cost": "3,2"}],
    ),
]


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class AskBody(Body):
    n: StrictInt = Field(1, ge=1, description="How many; fewer come when a finite space ends.")
    context: dict[str, Any] | None = Field(
        None,
        description="Of each parameter that is given and not chosen: a value, or text as people "
        "type it.",
        examples=[{"humidity": 40}],
    )


class RemarksBody(Body):
    note: str | None = Field(None, max_length=20_000, description="A remark in words.")
    attributes: dict[str, Any] | None = Field(None, description="Anything JSON to keep with it.")

    @field_validator("attributes")
    @classmethod
    def _must_be_json(cls, given: dict[str, Any] | None) -> dict[str, Any] | None:
        try:
            json.dumps(given, allow_nan=False)
        except (ValueError, RecursionError):  # Python reads NaN and Infinity, JSON has neither
            raise ValueError("what JSON can hold: text, finite numbers, lists, objects") from None
        return given


class ResultBody(RemarksBody):
    value: Value
    std: Spread | dict[str, Spread] | None = Field(
        None, description="Standard deviation of the measurement, of several outcomes by name."
    )
    cost: StrictNumber | None = Field(
        None, ge=0, description="What the trial cost, if it is known."
    )


class CorrectionBody(Body):
    value: Value
    std: Spread | dict[str, Spread] | None = None
    note: str | None = Field(None, max_length=20_000)


class FailureBody(Body):
    reason: str = Field("the experiment failed", max_length=20_000)
    correct: StrictBool = Field(False, description="Replace a result that was told by mistake.")


class ReportBody(Body):
    step: StrictInt = Field(ge=0, description="Counts epochs, trees or minutes.")
    value: Value


class StopBody(Body):
    reason: str | None = Field(None, max_length=20_000, description="Why, in words.")


class AdditionBody(ResultBody):
    params: dict[str, Any] = Field(
        description="Each parameter: a value, or text as people type it.",
        examples=[{"temperature": 80.5, "solvent": "DMF"}],
    )


class PlanBody(Body):
    """A study to make: the entries of a space.toml as JSON, or its text."""

    space: dict[str, Any] | None = Field(
        None,
        description="The same entries as in a space.toml: study, objective or outcomes, "
        "parameters, settings, ...",
        examples=[
            {
                "study": "suzuki",
                "objective": {"name": "yield", "direction": "maximize", "unit": "%"},
                "parameters": {
                    "temperature": {"low": 20, "high": 120, "unit": "°C"},
                    "solvent": ["DMF", "THF", "water"],
                },
            }
        ],
    )
    toml: str | None = Field(None, description="The text of a space.toml, in place of `space`.")


class NewStudyBody(PlanBody):
    name: str | None = Field(None, description="In place of the one in the file.")


class SpaceChangeBody(PlanBody):
    preview: StrictBool = Field(False, description="Say what would change, and change nothing.")


class BranchBody(PlanBody):
    name: str | None = Field(
        None, description="Of the new study; by default that of the file, or a free one."
    )


class PlacesBody(Body):
    params: list[dict[str, Any]] = Field(description="Points, as `ask` gives them.")


class PointsBody(PlacesBody):
    outcome: str | None = Field(None, description="Which one, where there are several.")
