"""Requests to an OpenSearch server. Failures follow the error tree, which decides about retries."""

import json
from base64 import b64encode
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from sightline.errors import BackendUnavailable, PermanentFailure
from sightline.http import HttpClient, HttpResponse, check_status
from sightline.text.opensearch.documents import INDEX_BODY, older_than, refused
from sightline.text.settings import OpenSearchSettings

PART = "opensearch"
MAX_RESPONSE_BYTES = 16 * 1024 * 1024
_RETRYABLE_ITEMS = ("429:", "503:")


class OpenSearchClient:
    """Call `close` at the end."""

    def __init__(self, settings: OpenSearchSettings, url: str) -> None:
        self._index = f"{url.rstrip('/')}/{settings.index}"
        self._http = HttpClient(PART, timeout_s=settings.timeout_s, max_body_bytes=MAX_RESPONSE_BYTES)
        self._headers = {"accept": "application/json"}
        if settings.username is not None:
            password = "" if settings.password is None else settings.password.get_secret_value()
            self._headers["authorization"] = "Basic " + b64encode(f"{settings.username}:{password}".encode()).decode()

    def close(self) -> None:
        self._http.close()

    async def ensure_index(self) -> None:
        """Creates the index with its mapping, unless it is there."""
        response = await self._request("GET", "")
        if response.status == 404:
            response = await self._request("PUT", "", INDEX_BODY)
            if response.status == 400 and "resource_already_exists" in response.text:
                return  # another process was first
        check_status(PART, response)

    async def index(self, body: bytes) -> None:
        """Sends a body of `bulk_bodies`. Raises `PermanentFailure` if the server refuses a document for good."""
        headers = {**self._headers, "content-type": "application/x-ndjson"}
        response = await self._http.request("POST", f"{self._index}/_bulk", headers=headers, content=body)
        check_status(PART, response)
        reasons = refused(_read(response))
        if any(reason.startswith(_RETRYABLE_ITEMS) for reason in reasons):
            raise BackendUnavailable(PART, f"{PART} is overloaded: {reasons[0]}")
        if reasons:
            raise PermanentFailure(f"{PART} refused {len(reasons)} documents, the first with {reasons[0]}")

    async def remove_older(self, generations: Mapping[UUID, int]) -> None:
        """Removes what videos had in earlier generations. Only what was refreshed is found, so that comes first."""
        check_status(PART, await self._request("POST", "/_refresh"))
        response = await self._request("POST", "/_delete_by_query?conflicts=proceed", older_than(generations))
        check_status(PART, response)
        if failures := _read(response).get("failures"):
            raise BackendUnavailable(PART, f"{PART} could not remove {len(failures)} documents")

    async def _request(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> HttpResponse:
        headers = self._headers if body is None else {**self._headers, "content-type": "application/json"}
        content = b"" if body is None else json.dumps(body).encode()
        return await self._http.request(method, f"{self._index}{path}", headers=headers, content=content)


def _read(response: HttpResponse) -> Mapping[str, Any]:
    try:
        found = json.loads(response.text)
    except ValueError as error:
        raise BackendUnavailable(PART, f"{PART} sent no JSON") from error
    if not isinstance(found, dict):
        raise BackendUnavailable(PART, f"{PART} sent no object")
    return found
