"""Answers of the API as values of the client's types. What a newer server adds is kept in `raw`."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, TypeVar

from sightline.client.models import SearchPage, SearchResult, VideoInfo
from sightline.errors import PermanentFailure

T = TypeVar("T")
_CAPITAL = re.compile(r"(?<!^)([A-Z])")


def decode(kind: type[T], data: Any) -> T:
    import msgspec  # on first use: it is a third of the time that importing the client takes

    try:
        return msgspec.convert({**data, "raw": data}, kind)
    except (msgspec.ValidationError, TypeError) as error:
        message = f"the server's answer is no {kind.__name__}: {error}; are client and server of the same version?"
        raise PermanentFailure(message) from error


def decode_all(kind: type[T], data: Iterable[Any]) -> list[T]:
    return [decode(kind, one) for one in data]


def decode_video(data: Mapping[str, Any]) -> VideoInfo:
    """Videos have the names of document 004, which are written in camel case."""
    return decode(VideoInfo, {_snake_case(name): value for name, value in data.items()})


def decode_search_page(data: Mapping[str, Any]) -> SearchPage:
    hits = decode_all(SearchResult, data.get("hits", ()))
    page = decode(SearchPage, {**data, "hits": []})
    return SearchPage(page=page.page, page_size=page.page_size, total=page.total, hits=tuple(hits), raw=data)


@cache
def _snake_case(name: str) -> str:
    return _CAPITAL.sub(lambda match: f"_{match[1].lower()}", name)
