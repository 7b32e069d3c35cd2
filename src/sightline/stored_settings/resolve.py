"""The one order of settings: environment, then what is stored, then the default. Pure."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from sightline.config import Setting, Settings, check_together
from sightline.errors import ConfigurationError, InvalidInput
from sightline.stored_settings.changeable import SettingKey

Stored = Mapping[SettingKey, Any]


def is_pinned(environment: Settings, key: SettingKey) -> bool:
    """Whether the environment, the `.env` file or the command line sets it; then nothing that is stored counts."""
    section, field = key
    return field in getattr(environment, section).model_fields_set


def resolve(environment: Settings, stored: Stored) -> Settings:
    """Raises `InvalidInput` with the setting at fault; values are checked by the types that check the environment."""
    sections = {section for section, _ in stored}
    resolved = environment.model_copy(update={name: _section(environment, name, stored) for name in sections})
    try:
        check_together(resolved)
    except ConfigurationError as error:
        raise InvalidInput(error.message) from error
    return resolved


def resolve_valid(environment: Settings, stored: Stored) -> tuple[Settings, Mapping[str, str]]:
    """As `resolve`, without the sections whose stored values are not valid (any more), and why: a process starts all the same."""
    usable, ignored = dict(stored), {}
    for section in sorted({section for section, _ in stored}):
        own = {key: value for key, value in stored.items() if key[0] == section}
        try:
            resolve(environment, own)
        except InvalidInput as error:
            ignored[section] = error.message
            usable = {key: value for key, value in usable.items() if key[0] != section}
    return resolve(environment, usable), ignored


def _section(environment: Settings, section: str, stored: Stored) -> BaseModel:
    given: BaseModel = getattr(environment, section)
    pinned = {field: getattr(given, field) for field in given.model_fields_set}
    own = {field: value for (name, field), value in stored.items() if name == section}
    try:
        return type(given)(**(own | pinned))
    except ValidationError as error:
        problems = [_problem(section, problem) for problem in error.errors(include_input=False, include_url=False)]
        message = "; ".join(f"{one['field']}: {one['message']}" if one["field"] else one["message"] for one in problems)
        raise InvalidInput(message, details={"errors": problems}) from error


def _problem(section: str, problem: ErrorDetails) -> dict[str, str]:
    """What is wrong with a setting, under the name of its environment variable; without the value, which may be a secret."""
    field = str(problem["loc"][0]) if problem["loc"] else None
    name = "" if field is None else Setting(section, field, None, "", "").name
    return {"field": name, "message": problem["msg"].removeprefix("Value error, ")}
