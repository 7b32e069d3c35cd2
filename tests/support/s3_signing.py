"""Requests to the object endpoint, signed as an S3 client signs them."""

import hashlib
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

import httpx
from botocore.auth import S3SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from sightline.sigv4 import presigned_url
from sightline.timing import utc_now
from support.objects_server import BUCKET, KEY


def address(
    base: str, method: str, key: str, *, expires_s: int = 3600, headers: Mapping[str, str] | None = None, **query: str
) -> str:
    """A URL signed for this request."""
    where = f"{base}/{BUCKET}/{quote(key)}"
    named = {name.replace("_", "-"): value for name, value in query.items()}
    return presigned_url(KEY, method, where, named, at=utc_now(), expires_s=expires_s, region="us-east-1")


def signed(
    method: str, url: str, body: bytes = b"", *, payload: str | None = None, headers: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Arguments for a request with a header signature; `payload` is the declared hash of its body."""
    request = AWSRequest(method, url, headers=dict(headers or {}))
    request.headers["X-Amz-Content-SHA256"] = payload or hashlib.sha256(body).hexdigest()
    request.context["payload_signing_enabled"] = True
    auth = _Auth(Credentials(KEY.key_id, KEY.secret), "s3", "us-east-1")
    auth.given = request.headers["X-Amz-Content-SHA256"]
    auth.add_auth(request)
    return {"method": method, "url": url, "headers": dict(request.headers.items()), "content": body}


class _Auth(S3SigV4Auth):  # type: ignore[misc] # botocore has no types
    """The signer of botocore, for a body hash that the test chooses."""

    given = ""

    def payload(self, request: AWSRequest) -> str:
        return self.given


async def send(client: httpx.AsyncClient, method: str, url: str, body: bytes = b"", **options: Any) -> httpx.Response:
    return await client.request(**signed(method, url, body, **options))


def code_of(answer: httpx.Response) -> str:
    """The error code of S3, after checking the form of the response."""
    assert answer.headers["content-type"] == "application/xml"
    assert answer.text.startswith("<?xml")
    return answer.text.partition("<Code>")[2].partition("</Code>")[0]
