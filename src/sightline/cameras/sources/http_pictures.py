"""Pictures over HTTP: motion JPEG streams, and addresses that give one picture each time (snapshots).

HTTP is spoken here, by code that a broken response cannot take over; the pictures themselves are decoded in the camera process.
"""

import asyncio
import base64
import ssl
import time
from collections.abc import AsyncIterator, Generator, Iterator
from contextlib import asynccontextmanager, contextmanager
from urllib.parse import urlsplit

import httpx

from sightline.cameras.address import host_and_port, port_of
from sightline.cameras.problems import ProblemCode, SourceProblem
from sightline.cameras.source import SourceSecrets
from sightline.cameras.sources.mjpeg import MAX_PICTURE_BYTES, MjpegParser, NotMjpeg, boundary_of


class HttpPictures:
    """One camera. `ip` was checked; the name stays in the request and in the certificate."""

    def __init__(
        self, secrets: SourceSecrets, ip: str, *, tls: ssl.SSLContext, connect_timeout_s: float, stall_timeout_s: float
    ) -> None:
        parts = urlsplit(secrets.address)
        host = parts.hostname or ""
        pinned = parts._replace(netloc=host_and_port(ip, port_of(parts)))
        self._has_user = secrets.username is not None
        self._request = httpx.Request(
            "GET",
            pinned.geturl(),
            headers={
                "host": host_and_port(host, parts.port),
                "user-agent": "Sightline",
                "accept": "image/*, multipart/*",
            },
            extensions={"sni_hostname": host} if parts.scheme == "https" else {},
        )
        self._auth = None if secrets.username is None else _CameraAuth(secrets.username, secrets.password or "")
        self._tls = tls
        self._timeout = httpx.Timeout(connect_timeout_s, read=stall_timeout_s)

    async def mjpeg(self) -> AsyncIterator[bytes]:
        """The pictures of a stream, at the camera's speed, until it ends."""
        async with self._open() as client, self._get(client) as response:
            parser = MjpegParser(_boundary(response))
            with _problems("stalled"):
                async for data in response.aiter_raw():
                    try:
                        found = parser.feed(data)
                    except NotMjpeg:
                        raise SourceProblem("not_video") from None
                    for picture in found:
                        yield picture
        raise SourceProblem("ended")

    async def snapshots(self, every_s: float) -> AsyncIterator[bytes]:
        """A picture every so often, over one connection as long as the camera keeps it."""
        async with self._open() as client:
            while True:
                started = time.monotonic()
                async with self._get(client) as response:
                    with _problems("stalled"):
                        yield await _whole_picture(response)
                await asyncio.sleep(max(0.0, every_s - (time.monotonic() - started)))

    def _open(self) -> httpx.AsyncClient:
        # No proxies of the environment, and no redirects: the address is the one that was checked.
        return httpx.AsyncClient(verify=self._tls, timeout=self._timeout, trust_env=False, follow_redirects=False)

    @asynccontextmanager
    async def _get(self, client: httpx.AsyncClient) -> AsyncIterator[httpx.Response]:
        with _problems("timed_out"):
            response = await client.send(self._request, auth=self._auth, stream=True)
        try:
            self._check(response)
            yield response
        finally:
            await response.aclose()

    def _check(self, response: httpx.Response) -> None:
        match response.status_code:
            case 200:
                return
            case 401:
                raise SourceProblem("wrong_password" if self._has_user else "password_needed")
            case 403:
                raise SourceProblem("wrong_password")
            case 404 | 410:
                raise SourceProblem("not_found")
            case status if 300 <= status < 400:
                raise SourceProblem("redirected")
        raise SourceProblem("camera_error")


class _CameraAuth(httpx.DigestAuth):
    """Digest where the camera offers it, Basic where it offers nothing better; never before it was asked."""

    def __init__(self, username: str, password: str) -> None:
        super().__init__(username, password)
        token = base64.b64encode(f"{username}:{password}".encode()).decode()
        self._basic_header = f"Basic {token}"
        self._uses_basic = False

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        request.headers.pop("authorization", None)  # of the last time
        if self._uses_basic:
            request.headers["authorization"] = self._basic_header
            yield request
            return
        flow = super().auth_flow(request)
        response = yield next(flow)
        offered = response.headers.get_list("www-authenticate")
        if response.status_code == 401 and not any(one.lower().startswith("digest") for one in offered):
            if any(one.lower().startswith("basic") for one in offered):
                self._uses_basic = True
                request.headers["authorization"] = self._basic_header
                yield request
            return
        try:
            yield flow.send(response)
        except StopIteration:
            return


def _boundary(response: httpx.Response) -> bytes:
    try:
        return boundary_of(response.headers.get("content-type", ""))
    except NotMjpeg:
        raise SourceProblem("not_video") from None


async def _whole_picture(response: httpx.Response) -> bytes:
    received = bytearray()
    async for data in response.aiter_bytes():
        received += data
        if len(received) > MAX_PICTURE_BYTES:
            raise SourceProblem("not_video")
    return bytes(received)


@contextmanager
def _problems(on_timeout: ProblemCode) -> Iterator[None]:
    """Translates errors of the HTTP client, whose texts hold the address."""
    try:
        yield
    except httpx.ConnectTimeout:
        raise SourceProblem("timed_out") from None
    except httpx.TimeoutException:
        raise SourceProblem(on_timeout) from None
    except httpx.ConnectError as error:
        is_tls = isinstance(_cause(error), ssl.SSLError)
        raise SourceProblem("tls_failed" if is_tls else "connection_refused") from None
    except (httpx.HTTPError, OSError):
        raise SourceProblem("ended") from None


def _cause(error: BaseException) -> BaseException:
    while (deeper := error.__cause__ or error.__context__) is not None:
        error = deeper
    return error
