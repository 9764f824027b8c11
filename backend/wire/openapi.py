"""The API's description, with the examples of answers as they are.

FastAPI writes its description without anything that is null, also inside examples, where a null is
part of the answer.
"""

from collections.abc import Iterable
from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi.routing import APIRoute


def keep_nulls_in_examples(app: FastAPI, prefix: str, routers: Iterable[APIRouter]) -> None:
    """Have the description of `app` show the examples of these routers whole."""
    describe = app.openapi
    routes = [it for router in routers for it in router.routes if isinstance(it, APIRoute)]

    def describe_fully() -> dict[str, Any]:
        if app.openapi_schema is None:
            paths = describe()["paths"]
            for route in routes:
                for method in route.methods or ():
                    described = paths[prefix + route.path_format][method.lower()]
                    _restore(described["responses"], route)
        return describe()

    app.openapi = describe_fully  # type: ignore[method-assign]


def _restore(answers: dict[str, Any], route: APIRoute) -> None:
    for status, answer in route.responses.items():
        for media_type, content in answer.get("content", {}).items():
            if "example" in content:
                answers[str(status)]["content"][media_type]["example"] = content["example"]
