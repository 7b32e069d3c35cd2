"""Requests to an ONVIF device: SOAP over HTTP, signed with a password digest that holds for a few minutes."""

import base64
import hashlib
import secrets
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit
from xml.etree.ElementTree import Element
from xml.sax.saxutils import escape

import httpx

from sightline.cameras.address import host_and_port
from sightline.cameras.onvif.xml import MAX_BYTES, BadXml, all_named, first_named, parse, text_of
from sightline.cameras.problems import ProblemCode, SourceProblem

_SECURITY = (
    '<s:Header><w:Security s:mustUnderstand="1" '
    'xmlns:w="http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd" '
    'xmlns:u="http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd"><w:UsernameToken>'
    "<w:Username>{username}</w:Username>"
    '<w:Password Type="http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-username-token-profile-1.0#PasswordDigest">'
    "{digest}</w:Password><w:Nonce>{nonce}</w:Nonce><u:Created>{created}</u:Created>"
    "</w:UsernameToken></w:Security></s:Header>"
)
_ENVELOPE = '<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope">{header}<s:Body>{body}</s:Body></s:Envelope>'


class OnvifDevice:
    """One device, at the address that was checked: whatever addresses it names, requests go there."""

    def __init__(
        self, client: httpx.AsyncClient, xaddr: str, ip: str, username: str | None, password: str | None
    ) -> None:
        self._client = client
        self._parts = urlsplit(xaddr)
        self._ip = ip
        self._username = username
        self._password = password or ""
        self._ahead = timedelta()

    async def set_clock(self) -> None:
        """Digests hold by the device's clock, which is often wrong. A device that keeps its time to itself is believed right."""
        try:
            answer = await self.request(
                '<GetSystemDateAndTime xmlns="http://www.onvif.org/ver10/device/wsdl"/>', is_signed=False
            )
        except SourceProblem as problem:
            if problem.code not in ("wrong_password", "password_needed", "camera_error"):
                raise
            return
        if (moment := read_time(answer)) is not None:
            self._ahead = moment - datetime.now(UTC)

    async def request(self, body: str, *, path: str | None = None, is_signed: bool = True) -> Element:
        """The answer's envelope. `path` is that of another service of the device."""
        has_user = self._username is not None
        header = self._security() if is_signed and has_user else ""
        content = _ENVELOPE.format(header=header, body=body)
        url = self._parts._replace(netloc=host_and_port(self._ip, self._parts.port), path=path or self._parts.path)
        host = host_and_port(self._parts.hostname or "", self._parts.port)
        try:
            async with self._client.stream(
                "POST",
                url.geturl(),
                content=content.encode(),
                headers={"content-type": "application/soap+xml; charset=utf-8", "host": host},
                extensions={"sni_hostname": self._parts.hostname or ""} if url.scheme == "https" else {},
            ) as response:
                received = bytearray()
                async for data in response.aiter_bytes():
                    received += data
                    if len(received) > MAX_BYTES:
                        raise SourceProblem("camera_error")
        except httpx.TimeoutException:
            raise SourceProblem("timed_out") from None
        except httpx.ConnectError as error:
            raise SourceProblem("tls_failed" if "CERTIFICATE" in str(error).upper() else "connection_refused") from None
        except httpx.HTTPError:
            raise SourceProblem("camera_error") from None
        return _checked(response.status_code, bytes(received), has_user=has_user)

    def _security(self) -> str:
        nonce = secrets.token_bytes(16)
        created = (datetime.now(UTC) + self._ahead).strftime("%Y-%m-%dT%H:%M:%SZ")
        return _SECURITY.format(
            username=escape(self._username or ""),
            digest=password_digest(nonce, created, self._password),
            nonce=base64.b64encode(nonce).decode(),
            created=created,
        )


def password_digest(nonce: bytes, created: str, password: str) -> str:
    """As WS-UsernameToken has it. Pure."""
    content = nonce + created.encode() + password.encode()
    return base64.b64encode(hashlib.sha1(content, usedforsecurity=False).digest()).decode()


def read_time(answer: Element) -> datetime | None:
    """Pure."""
    utc = first_named(answer, "UTCDateTime")
    if utc is None:
        return None
    try:
        fields = [int(text_of(utc, name)) for name in ("Year", "Month", "Day", "Hour", "Minute", "Second")]
        return datetime(*fields, tzinfo=UTC)  # type: ignore[arg-type, misc]  # six numbers
    except ValueError:
        return None


def _checked(status: int, content: bytes, *, has_user: bool) -> Element:
    refused: ProblemCode = "wrong_password" if has_user else "password_needed"
    if status == 401:
        raise SourceProblem(refused)
    if status == 404:
        raise SourceProblem("not_found")
    try:
        envelope = parse(content)
    except BadXml:
        raise SourceProblem("camera_error") from None
    if (fault := first_named(envelope, "Fault")) is not None:
        codes = " ".join(one.text or "" for one in all_named(fault, "Value")) + text_of(fault, "faultcode")
        is_refusal = "NotAuthorized" in codes or "FailedAuthentication" in codes
        raise SourceProblem(refused if is_refusal else "camera_error")
    if status != 200:
        raise SourceProblem("camera_error")
    return envelope
