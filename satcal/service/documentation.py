"""The API's documentation: a plain page made of its OpenAPI description, without any script."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from satcal.service.templates import render

router = APIRouter(include_in_schema=False)


@router.get("/docs")
def get_documentation(request: Request) -> Response:
    """Return the documentation."""
    description = request.app.openapi()
    groups: dict[str, list[dict[str, Any]]] = {}
    for path, methods in description["paths"].items():
        for method, operation in methods.items():
            entry = {"path": path, "method": method.upper(), **operation}
            entry["parameters"] = [_parameter(each) for each in operation.get("parameters", [])]
            entry["bodies"] = [
                {"media": media, "schema": _schema(content.get("schema", {}))}
                for media, content in operation.get("requestBody", {}).get("content", {}).items()
            ]
            entry["answers"] = _answers(operation["responses"])
            groups.setdefault(operation.get("tags", ["other"])[0], []).append(entry)
    schemas = description["components"]["schemas"]
    shapes = {name: _fields(shape) for name, shape in sorted(schemas.items())}
    return render("docs.html", request, groups=groups, shapes=shapes, schemas=schemas)


def _parameter(given: dict[str, Any]) -> dict[str, Any]:
    schema = given.get("schema", {})
    return {
        "name": given["name"], "place": given["in"], "required": given.get("required", False),
        "type": _schema(schema),
        "description": given.get("description") or schema.get("description", ""),
    }  # fmt: skip


def _answers(responses: dict[str, Any]) -> list[dict[str, str]]:
    return [
        {"status": status, "description": answer["description"],
         "media": ", ".join(answer.get("content", {}))}
        for status, answer in responses.items()
    ]  # fmt: skip


def _schema(schema: dict[str, Any]) -> str:
    """Return a schema in a few words."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " or ".join(dict.fromkeys(_schema(each) for each in schema[key]))
    if "enum" in schema:
        return " or ".join(map(str, schema["enum"]))
    if "const" in schema:
        return f'"{schema["const"]}"'
    if schema.get("type") == "array":
        return f"list of {_schema(schema.get('items', {}))}"
    return str(schema.get("type", "anything"))


def _fields(shape: dict[str, Any]) -> list[dict[str, str]]:
    return [
        {"name": name, "type": _schema(field), "description": field.get("description", "")}
        for name, field in shape.get("properties", {}).items()
    ]
