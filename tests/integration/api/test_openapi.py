"""The API explains itself, completely and without the internet."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.openapi.models import OpenAPI

from support.api_description import served_description
from support.postgres import Databases

METHODS = {"get", "put", "post", "delete", "options", "head", "patch", "trace"}


@pytest.fixture
def schema(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return served_description(databases, tmp_path_factory.getbasetemp())


def _operations(schema: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [
        (f"{method.upper()} {path}", operation)
        for path, item in schema["paths"].items()
        for method, operation in item.items()
        if method in METHODS
    ]


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for inner in value.values():
            yield from _references(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _references(inner)


def _resolved(schema: dict[str, Any], value: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in value:
        found: Any = schema
        for part in value["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        value = found
    return value


def _without_example(schema: dict[str, Any], value: dict[str, Any], at: str) -> Iterator[str]:
    """The places below which nothing shows what a value looks like. An example may stand beside a reference."""
    if value.get("examples"):
        return
    value = _resolved(schema, value)
    if value.get("examples") or "example" in value:
        return
    if choices := [one for one in value.get("anyOf", ()) if one.get("type") != "null"]:
        for choice in choices:
            yield from _without_example(schema, choice, at)
    elif value.get("type") == "array":
        yield from _without_example(schema, value["items"], f"{at}[]")
    elif value.get("properties"):
        for name, inner in value["properties"].items():
            yield from _without_example(schema, inner, f"{at}.{name}")
    else:
        yield at


def test_the_schema_is_valid(schema):
    assert OpenAPI.model_validate(schema).openapi.startswith("3.")


def test_every_reference_leads_somewhere(schema):
    for reference in _references(schema):
        assert _resolved(schema, {"$ref": reference})


def test_every_operation_has_a_name_of_its_own(schema):
    names = [operation["operationId"] for _, operation in _operations(schema)]
    assert len(names) == len(set(names)) > 0


def test_every_operation_says_what_it_does(schema):
    silent = [
        name
        for name, operation in _operations(schema)
        if not operation.get("summary") or not operation.get("description")
    ]
    assert silent == []


def test_every_parameter_is_described_and_has_an_example(schema):
    missing = [
        f"{name}: {parameter['name']}"
        for name, operation in _operations(schema)
        for parameter in operation.get("parameters", ())
        if not parameter.get("description") or list(_without_example(schema, parameter["schema"], "x"))
    ]
    assert missing == []


def test_every_answer_has_an_example(schema):
    missing = []
    for name, operation in _operations(schema):
        for status, answer in operation["responses"].items():
            if status in ("204", "303", "304"):
                continue  # say nothing, and mean it
            assert answer.get("content"), f"{name} {status} says nothing of its content"
            for content in answer["content"].values():
                if "example" not in content:
                    missing += list(_without_example(schema, content["schema"], f"{name} {status}"))
    assert missing == []


def test_every_body_has_an_example(schema):
    missing: list[str] = []
    for name, operation in _operations(schema):
        for content in operation.get("requestBody", {}).get("content", {}).values():
            missing += list(_without_example(schema, content["schema"], name))
    assert missing == []


@pytest.mark.req(184)
def test_every_operation_documents_the_form_of_errors_that_it_has(schema):
    for _, operation in _operations(schema):
        error = operation["responses"]["default"]["content"]["application/json"]["schema"]
        assert error == {"$ref": "#/components/schemas/ErrorAnswer"}
    assert "HTTPValidationError" not in schema["components"]["schemas"]


async def test_the_page_refers_to_no_foreign_host(client):
    page = await client.get("/docs")
    assert page.headers["content-type"].startswith("text/html")
    assert re.findall(r"(?:https?:)?//[\w.-]+", page.text) == []


async def test_what_the_page_refers_to_is_served(client, schema):
    page = (await client.get("/docs")).text
    referred = re.findall(r"""(?:src|href)=["']([^"']+)["']""", page)
    assert {reference.rsplit(".", 1)[1] for reference in referred} == {"js", "css", "png"}
    assert "url: '/openapi.json'" in page  # from where the schema was taken
    assert schema["paths"]
    for reference in referred:
        answer = await client.get(reference)
        assert answer.status_code == 200
        assert len(answer.content) > 100


async def test_the_pages_script_and_style_load_nothing_from_elsewhere(client):
    style = (await client.get("/docs/assets/swagger-ui.css")).text
    assert re.findall(r"""url\(["']?(?:https?:)?//""", style) == []
    assert "@import" not in style


@pytest.fixture
def schema_with_authentication(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return served_description(databases, tmp_path_factory.getbasetemp(), with_authentication=True)


async def test_the_page_works_for_a_caller_who_has_signed_in(
    client_with, auth_on, signed_in, schema_with_authentication
):
    client = await client_with(auth=auth_on)
    assert (await client.get("/docs", headers=signed_in("ann"))).status_code == 200
    assert schema_with_authentication["paths"]
