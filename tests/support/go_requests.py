"""Requests in the form of the AWS SDK for Go v2, written by hand (not recorded from it) and signed by botocore's signer.

SQS: JSON 1.0 with the action in a header. SNS and STS: forms with sorted keys, where a space is a plus. All requests go
to `/`, and every header but the user agent is signed, `Accept-Encoding` and `Content-Length` too.
"""

import json
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4
from xml.etree import ElementTree as ET

import httpx
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

_VERSIONS = {"sns": "2010-03-31", "sts": "2011-06-15"}


class GoClient:
    def __init__(self, http: httpx.AsyncClient, address: str, key_id: str = "test", secret: str = "test") -> None:
        self._http, self._url = http, f"{address}/"
        self._credentials = Credentials(key_id, secret)

    async def sqs(self, action: str, **parameters: Any) -> httpx.Response:
        headers = {
            "Content-Type": "application/x-amz-json-1.0",
            "X-Amz-Target": f"AmazonSQS.{action}",
            "X-Amzn-Query-Mode": "true",
        }
        return await self._send("sqs", headers, json.dumps(parameters, separators=(",", ":")).encode())

    async def query(self, service: str, action: str, **parameters: str) -> httpx.Response:
        """The keys are those of the form, with `__` for a dot."""
        form = {name.replace("__", "."): value for name, value in parameters.items()}
        form |= {"Action": action, "Version": _VERSIONS[service]}
        body = urlencode(sorted(form.items())).encode()
        return await self._send(service, {"Content-Type": "application/x-www-form-urlencoded"}, body)

    async def _send(self, service: str, headers: dict[str, str], body: bytes) -> httpx.Response:
        request = AWSRequest("POST", self._url, headers=headers, data=body)
        request.headers["Accept-Encoding"] = "identity"
        request.headers["Amz-Sdk-Invocation-Id"] = str(uuid4())
        request.headers["Amz-Sdk-Request"] = "attempt=1; max=3"
        request.headers["Content-Length"] = str(len(body))
        SigV4Auth(self._credentials, service, "us-east-1").add_auth(request)
        request.headers["User-Agent"] = "aws-sdk-go-v2/1.41.0 os/linux lang/go#1.25.0"
        return await self._http.post(self._url, headers=dict(request.headers.items()), content=body)


def text_in(response: httpx.Response, *path: str) -> str:
    """The text of an element of a response in XML, wherever its namespace is declared."""
    element = ET.fromstring(response.content)
    found = element.find("/".join(f"{{*}}{name}" for name in path))
    assert found is not None, response.text
    return found.text or ""
