"""Texts that the database cannot store are refused before an action sees them."""

from collections.abc import Mapping
from typing import Any

from sightline.api.aws.call import Action, AwsCall, AwsError


def storable(actions: Mapping[str, Action], *, but: frozenset[str] = frozenset()) -> dict[str, Action]:
    """The actions, each of which refuses NUL and half characters; those in `but` store texts in another form."""
    return {name: action if name in but else _checked(action) for name, action in actions.items()}


def _checked(action: Action) -> Action:
    async def checked(call: AwsCall, parameters: dict[str, Any]) -> Any:
        if not _is_storable(parameters):
            raise AwsError(
                "ValidationException", "A text has a character that cannot be stored: NUL or half a character."
            )
        return await action(call, parameters)

    return checked


def _is_storable(value: Any) -> bool:
    match value:
        case str():
            return (value.isascii() and "\0" not in value) or not any(
                c == "\0" or "\ud800" <= c <= "\udfff" for c in value
            )
        case dict():
            return all(_is_storable(key) and _is_storable(one) for key, one in value.items())
        case list():
            return all(map(_is_storable, value))
    return True
