"""Uploads that persist: whatever is not answered is sent again, to another address of the API."""

import asyncio
import itertools
from typing import Any
from uuid import UUID

import httpx

TRY_AGAIN_S = 0.5
_AGAIN = (408, 409, 425, 429, 500, 502, 503, 504)


class PatientUploads:
    def __init__(self, addresses: list[str], content: bytes) -> None:
        self._addresses = itertools.cycle(addresses)
        self._content = content
        self._http = httpx.AsyncClient(timeout=20)
        self.repeated = 0
        self.unanswered_starts = 0
        """Starts of uploads without an answer: there may be a video that nobody knows."""

    async def close(self) -> None:
        await self._http.aclose()

    async def send(self, name: str) -> UUID:
        """Returns when the API has said that the upload is complete."""
        size = len(self._content)
        new = {"totalSize": size, "filename": name, "extension": "mp4", "duration": 2000}
        video_id = (await self._persist("POST", "/videos", json=new)).json()["videoId"]
        url = ""
        while not url:
            urls = (await self._persist("GET", f"/videos/{video_id}/upload-urls", params={"partNumbers": "1"})).json()[
                "urls"
            ]
            url = urls[0]["url"] if urls else ""
        etag = (await self._persist("PUT", url, content=self._content)).headers["etag"]
        await self._persist("POST", f"/videos/{video_id}/complete", json={"parts": [{"part": 1, "etag": etag}]})
        return UUID(video_id)

    async def _persist(self, method: str, path: str, **more: Any) -> httpx.Response:
        while True:
            url = path if path.startswith("http") else next(self._addresses) + path
            try:
                answer = await self._http.request(method, url, **more)
            except httpx.ConnectError:
                pass
            except httpx.HTTPError:
                self.unanswered_starts += path == "/videos"
            else:
                if answer.is_success:
                    return answer
                assert answer.status_code in _AGAIN, f"{method} {path}: {answer.status_code} {answer.text}"
            self.repeated += 1
            await asyncio.sleep(TRY_AGAIN_S)
