"""Parsing of messages into contract models, with one form of error message."""

from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from sightline.errors import InvalidInput

M = TypeVar("M", bound=BaseModel)


def parse_model(model: type[M], value: Any, *, name: str) -> M:
    """The model from a value or from JSON text. Raises `InvalidInput` that names the message and its first invalid field."""
    try:
        return model.model_validate_json(value) if isinstance(value, str) else model.model_validate(value)
    except ValidationError as error:
        raise _invalid(error, name, "") from error


def parse_detail(model: type[M], event: Any, *, name: str) -> M:
    """The model from the `detail` of an EventBridge event."""
    try:
        return model.model_validate(event.get("detail") if isinstance(event, dict) else None)
    except ValidationError as error:
        raise _invalid(error, name, "detail") from error


def _invalid(error: ValidationError, name: str, parent: str) -> InvalidInput:
    first = error.errors(include_input=False, include_url=False)[0]
    field = ".".join(filter(None, (parent, *(str(part) for part in first["loc"])))) or "message"
    return InvalidInput(f"invalid {name}: {field}: {first['msg']}")
