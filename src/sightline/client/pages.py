"""Lists of the API in pages, as one iterator."""

from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, TypeVar

from sightline.client.api_client import ApiClient
from sightline.client.decoding import decode
from sightline.client.parameters import Parameter, query_of

T = TypeVar("T")


async def by_cursor(
    api: ApiClient,
    path: str,
    parameters: Mapping[str, Parameter],
    name: str,
    decode_one: Callable[[Any], T],
    *,
    limit: int | None,
    page_size: int,
) -> AsyncIterator[T]:
    """Follows `next_cursor`; `name` is the list within the answer. No row comes twice while others are added."""
    cursor, count = None, 0
    while limit is None or count < limit:
        size = page_size if limit is None else min(page_size, limit - count)
        found = await api.call("GET", path, params=query_of({**parameters, "limit": size, "cursor": cursor}))
        for one in found[name]:
            yield decode_one(one)
            count += 1
        # Videos have the names of document 004.
        cursor = found.get("next_cursor") or found.get("nextCursor")
        if cursor is None:
            return


async def by_number(
    api: ApiClient,
    path: str,
    parameters: Mapping[str, Parameter],
    name: str,
    kind: type[T],
    *,
    limit: int | None,
    page_size: int,
) -> AsyncIterator[T]:
    """Counts `page` up to `total`."""
    page, count = 1, 0
    while limit is None or count < limit:
        query = query_of({**parameters, "page": page, "page_size": page_size})
        found = await api.call("GET", path, params=query)
        for one in found[name][: None if limit is None else limit - count]:
            yield decode(kind, one)
            count += 1
        if not found[name] or page * page_size >= found["total"]:
            return
        page += 1
