"""`/api/docs`: the API as a page, made here from its OpenAPI description, with nothing fetched."""

from __future__ import annotations

import json
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from pathmax.web.pages.rendering import render

router = APIRouter(include_in_schema=False)


@router.get("/docs")
def show_docs(request: Request) -> Response:
    """A section for each operation."""
    described: dict[str, Any] = request.app.openapi()
    operations = [
        _operation(method, path, content, described)
        for path, methods in described["paths"].items()
        for method, content in methods.items()
    ]
    return render(
        request,
        "api_docs.html",
        about=described["info"]["description"],
        version=described["info"]["version"],
        operations=operations,
    )


def _operation(
    method: str, path: str, content: dict[str, Any], described: dict[str, Any]
) -> dict[str, Any]:
    answers = content["responses"]
    good: dict[str, Any] = next(
        (each for code, each in answers.items() if code.startswith("2")), {}
    )
    return {
        "method": method.upper(),
        "path": path,
        "anchor": content["operationId"],
        "group": (content.get("tags") or [""])[0],
        "summary": content.get("summary", ""),
        "text": content.get("description", ""),
        "parameters": [
            {
                "name": each["name"],
                "where": each["in"],
                "required": each.get("required", False),
                "text": each.get("description") or each["schema"].get("description", ""),
                "default": each["schema"].get("default"),
            }
            for each in content.get("parameters", [])
        ],
        "body": _body(content, described),
        "example": _example(good),
        "errors": {
            code: each.get("description", "")
            for code, each in answers.items()
            if not code.startswith("2")
        },
    }


def _body(content: dict[str, Any], described: dict[str, Any]) -> list[dict[str, Any]]:
    schema = content.get("requestBody", {}).get("content", {}).get("application/json", {})
    named = schema.get("schema", {}).get("$ref", "").rpartition("/")[2]
    known = described.get("components", {}).get("schemas", {}).get(named, {})
    needed = known.get("required", [])
    return [
        {
            "name": name,
            "required": name in needed,
            "text": each.get("description", ""),
            "default": each.get("default"),
            "examples": [json.dumps(x, ensure_ascii=False) for x in each.get("examples", [])],
        }
        for name, each in known.get("properties", {}).items()
    ]


def _example(good: dict[str, Any]) -> str:
    for media, content in good.get("content", {}).items():
        if "example" in content:
            example = content["example"]
            text = media == "application/json"
            return json.dumps(example, indent=2, ensure_ascii=False) if text else str(example)
    return ""
