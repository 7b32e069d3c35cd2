"""A raw client of SQS: signed JSON requests on connections that are kept open, and nothing else that would cost time."""

import asyncio
import hashlib
import hmac
import time
from functools import lru_cache
from typing import Any, cast
from urllib.parse import urlsplit

import msgspec

TYPE = "application/x-amz-json-1.0"
KEY_ID = SECRET = "test"
SCOPE = "us-east-1/sqs/aws4_request"


class _Sent(msgspec.Struct):
    successful: list[msgspec.Raw] = msgspec.field(name="Successful")


class _Message(msgspec.Struct):
    receipt: str = msgspec.field(name="ReceiptHandle")


class _Received(msgspec.Struct):
    messages: list[_Message] = msgspec.field(name="Messages", default_factory=list)


_to_json = msgspec.json.Encoder().encode
_read_sent = msgspec.json.Decoder(_Sent).decode
_read_received = msgspec.json.Decoder(_Received).decode


class _Connection(asyncio.Protocol):
    """One request at a time. Streams of asyncio cost as much as a whole request of a fast server."""

    is_closed = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's own are no subclasses

    def call(self, request: bytes) -> "asyncio.Future[bytes]":
        self._received = b""
        self._whole = 0
        self._answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        return self._answer

    def data_received(self, data: bytes) -> None:
        self._received += data
        if not self._whole and not self._read_head():
            return
        if len(self._received) >= self._whole:
            if self._closes:
                self.close()
            self._answer.set_result(self._received[self._start : self._whole])

    def _read_head(self) -> bool:
        end = self._received.find(b"\r\n\r\n")
        if end < 0:
            return False
        head = self._received[:end].lower() + b"\r\n"
        assert b" 200 " in head[:14], self._received
        start = head.index(b"\r\ncontent-length:") + 17
        self._start = end + 4
        self._whole = self._start + int(head[start : head.index(b"\r\n", start)])
        self._closes = head.startswith(b"http/1.0") or b"\r\nconnection: close\r\n" in head
        return True

    def close(self) -> None:
        self.is_closed = True
        self._transport.close()


class RawSqs:
    def __init__(self, endpoint: str, account_id: str, queue: str, connections: int) -> None:
        self._host = urlsplit(endpoint).netloc
        self._url = f"{endpoint}/{account_id}/{queue}"
        self._queue = queue
        self._connections = connections
        self._free: list[_Connection] = []

    async def __aenter__(self) -> "RawSqs":
        for _ in range(self._connections):
            self._free.append(await self._connect())
        return self

    async def _connect(self) -> _Connection:
        host, _, port = self._host.rpartition(":")
        _, connection = await asyncio.get_running_loop().create_connection(_Connection, host, int(port))
        return connection

    async def __aexit__(self, *_: object) -> None:
        for connection in self._free:
            connection.close()

    async def create_queue(self) -> None:
        await self._call("CreateQueue", {"QueueName": self._queue})

    async def send(self, bodies: list[str]) -> None:
        entries = [{"Id": str(n), "MessageBody": body} for n, body in enumerate(bodies)]
        answer = await self._call("SendMessageBatch", {"QueueUrl": self._url, "Entries": entries})
        assert len(_read_sent(answer).successful) == len(bodies)

    async def receive(self, limit: int, wait_s: int = 0) -> list[str]:
        request = {"QueueUrl": self._url, "MaxNumberOfMessages": limit, "WaitTimeSeconds": wait_s}
        answer = await self._call("ReceiveMessage", request)
        return [one.receipt for one in _read_received(answer).messages]

    async def delete(self, receipts: list[str]) -> None:
        entries = [{"Id": str(n), "ReceiptHandle": one} for n, one in enumerate(receipts)]
        await self._call("DeleteMessageBatch", {"QueueUrl": self._url, "Entries": entries})

    async def _call(self, action: str, request: dict[str, Any]) -> bytes:
        """There are as many connections as callers, so one is always free."""
        connection = self._free.pop()
        content = await connection.call(_signed(self._host, action, _to_json(request), _stamp(int(time.time()))))
        self._free.append(await self._connect() if connection.is_closed else connection)
        return content


@lru_cache(maxsize=8)
def _stamp(second: int) -> str:
    return time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(second))


@lru_cache(maxsize=64)
def _signed(host: str, action: str, body: bytes, stamp: str) -> bytes:
    """The request. Two that are equal and of the same second have the same signature, so it is made once for them."""
    day, target = stamp[:8], f"AmazonSQS.{action}"
    canonical = (
        f"POST\n/\n\ncontent-type:{TYPE}\nhost:{host}\nx-amz-date:{stamp}\nx-amz-target:{target}\n\n"
        f"content-type;host;x-amz-date;x-amz-target\n{hashlib.sha256(body).hexdigest()}"
    )
    hashed = hashlib.sha256(canonical.encode()).hexdigest()
    text = f"AWS4-HMAC-SHA256\n{stamp}\n{day}/{SCOPE}\n{hashed}"
    signature = hmac.digest(_key(day), text.encode(), "sha256").hex()
    head = (
        f"POST / HTTP/1.1\r\nHost: {host}\r\nContent-Type: {TYPE}\r\nX-Amz-Date: {stamp}\r\n"
        f"X-Amz-Target: {target}\r\nContent-Length: {len(body)}\r\n"
        f"Authorization: AWS4-HMAC-SHA256 Credential={KEY_ID}/{day}/{SCOPE}, "
        f"SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature={signature}\r\n\r\n"
    )
    return head.encode() + body


@lru_cache(maxsize=8)
def _key(day: str) -> bytes:
    key = f"AWS4{SECRET}".encode()
    for part in (day, *SCOPE.split("/")):
        key = hmac.digest(key, part.encode(), "sha256")
    return key
