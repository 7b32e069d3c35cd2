"""Pages of lists whose tokens name the last key."""

import base64
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from sightline.api.aws.call import AwsError

Item = TypeVar("Item")


class Named(Protocol):
    @property
    def name(self) -> str: ...


NamedRow = TypeVar("NamedRow", bound=Named)


def key_after(parameters: Mapping[str, Any], member: str = "NextToken", *, refusal: Exception | None = None) -> str:
    """The key after which a page begins; empty at the beginning. `refusal` is the service's error for an invalid token."""
    token = parameters.get(member)
    if token is None:
        return ""
    try:
        return base64.urlsafe_b64decode(str(token).encode()).decode()
    except ValueError as error:
        raise refusal or AwsError("ValidationException", f"Parameter {member} is not valid.") from error


def token_of(key: str) -> str:
    return base64.urlsafe_b64encode(key.encode()).decode()


def page(
    parameters: Mapping[str, Any], items: Iterable[tuple[str, Item]], limit: int, *, refusal: Exception | None = None
) -> tuple[list[Item], dict[str, str]]:
    """A page of items sorted by key, and the token of the next one where there is more."""
    after = key_after(parameters, refusal=refusal)
    rest = sorted((pair for pair in items if pair[0] > after), key=lambda pair: pair[0])
    token = {"NextToken": token_of(rest[limit - 1][0])} if len(rest) > limit else {}
    return [item for _, item in rest[:limit]], token


def page_of_rows(rows: Sequence[NamedRow], limit: int) -> tuple[Sequence[NamedRow], dict[str, str]]:
    """A page of rows that were read in the order of their names, one more than the limit if there are so many."""
    token = {"NextToken": token_of(rows[limit - 1].name)} if len(rows) > limit else {}
    return rows[:limit], token
