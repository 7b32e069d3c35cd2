"""A tus client of the tests: one request at a time, so that a test sees every answer."""

import base64
from dataclasses import dataclass
from typing import Any

import httpx

RESUMABLE = {"Tus-Resumable": "1.0.0"}
OFFSET_TYPE = {"Content-Type": "application/offset+octet-stream"}


def metadata(**values: str) -> dict[str, str]:
    pairs = (f"{name} {base64.b64encode(value.encode()).decode()}" for name, value in values.items())
    return {"Upload-Metadata": ",".join(pairs)}


@dataclass
class Tus:
    client: httpx.AsyncClient
    url: str

    @classmethod
    async def create(
        cls, client: httpx.AsyncClient, length: int | None, *, name: str = "talk.mp4", body: bytes = b"", **headers: str
    ) -> "Tus":
        response = await cls.post(client, length, name=name, body=body, **headers)
        assert response.status_code == 201, response.text
        return cls(client, httpx.URL(response.headers["location"]).path)

    @classmethod
    async def post(
        cls, client: httpx.AsyncClient, length: int | None, *, name: str = "talk.mp4", body: bytes = b"", **headers: str
    ) -> httpx.Response:
        size = {} if length is None else {"Upload-Length": str(length)}
        named = {key.replace("_", "-"): value for key, value in headers.items()}
        kind = OFFSET_TYPE if body else {}
        return await client.post(
            "/files/", headers={**RESUMABLE, **size, **metadata(filename=name), **kind, **named}, content=body or None
        )

    @property
    def id(self) -> str:
        return self.url.rpartition("/")[2]

    async def head(self) -> httpx.Response:
        return await self.client.head(self.url, headers=RESUMABLE)

    async def offset(self) -> int:
        response = await self.head()
        assert response.status_code == 200, response.status_code
        assert response.headers["cache-control"] == "no-store"
        return int(response.headers["upload-offset"])

    async def patch(self, offset: int, content: Any, **headers: str) -> httpx.Response:
        named = {key.replace("_", "-"): value for key, value in headers.items()}
        sent = {**RESUMABLE, **OFFSET_TYPE, "Upload-Offset": str(offset), **named}
        return await self.client.patch(self.url, headers=sent, content=content)

    async def delete(self) -> httpx.Response:
        return await self.client.delete(self.url, headers=RESUMABLE)
