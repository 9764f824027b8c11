"""What the description shows is what the schemas allow, nulls included."""

from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from pydantic import TypeAdapter

from backend.app import API, ROUTERS, create_app
from backend.settings import Settings


@pytest.fixture(scope="module")
def app() -> FastAPI:
    return create_app(Settings())


def shown(app: FastAPI) -> list[tuple[str, Any, int, dict[str, Any]]]:
    """Every answer that is described: its path, its model, its status, its formats."""
    models = {
        (API + route.path_format, method.lower()): route.response_model
        for router in ROUTERS
        for route in router.routes
        if isinstance(route, APIRoute)
        for method in route.methods
    }
    return [
        (path, models[path, method], int(status), answer["content"])
        for path, methods in app.openapi()["paths"].items()
        for method, operation in methods.items()
        for status, answer in operation["responses"].items()
    ]


def test_every_example_of_an_answer_fits_its_schema(app: FastAPI) -> None:
    checked = 0
    for _, model, status, content in shown(app):
        example = content.get("application/json", {}).get("example")
        if status == 200 and example is not None and model is not None:
            TypeAdapter(model).validate_python(example)
            checked += 1
    assert checked > 10


def test_what_is_null_in_an_answer_is_null_in_its_example(app: FastAPI) -> None:
    examples = {
        path: content["application/json"].get("example")
        for path, _, status, content in shown(app)
        if status == 200 and "application/json" in content
    }
    special = examples["/api/v1/tokenize"]["tokens"][0]
    assert special["word"] is None
    assert special["start"] is None
    assert examples["/api/v1/maps"]["note"] is None
    assert examples["/api/v1/query-key"]["added"] is None


def test_every_error_is_json_in_the_one_shape(app: FastAPI) -> None:
    for path, _, status, content in shown(app):
        if status >= 400:
            assert list(content) == ["application/json"], (path, status)
            one = content["application/json"]
            assert one["schema"] == {"$ref": "#/components/schemas/ErrorResponse"}
            assert one["example"]["error"]["code"]
    assert app.openapi() is app.openapi(), "the description is made once"
