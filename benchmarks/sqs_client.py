"""A raw client of SQS: signed JSON requests on connections that are kept open, and nothing else that would cost time."""

import asyncio
import hashlib
import hmac
import json
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

TYPE = "application/x-amz-json-1.0"
KEY_ID = SECRET = "test"
SCOPE = "us-east-1/sqs/aws4_request"


class RawSqs:
    def __init__(self, endpoint: str, account_id: str, queue: str, connections: int) -> None:
        self._host = urlsplit(endpoint).netloc
        self._url = f"{endpoint}/{account_id}/{queue}"
        self._queue = queue
        self._connections = connections
        self._free: asyncio.Queue[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = asyncio.Queue()

    async def __aenter__(self) -> "RawSqs":
        for _ in range(self._connections):
            await self._connect()
        return self

    async def _connect(self) -> None:
        host, _, port = self._host.rpartition(":")
        self._free.put_nowait(await asyncio.open_connection(host, int(port)))

    async def __aexit__(self, *_: object) -> None:
        while not self._free.empty():
            self._free.get_nowait()[1].close()

    async def create_queue(self) -> None:
        await self._call("CreateQueue", {"QueueName": self._queue})

    async def send(self, bodies: list[str]) -> None:
        entries = [{"Id": str(n), "MessageBody": body} for n, body in enumerate(bodies)]
        answer = await self._call("SendMessageBatch", {"QueueUrl": self._url, "Entries": entries})
        assert len(answer["Successful"]) == len(bodies)

    async def receive(self, limit: int, wait_s: int = 0) -> list[str]:
        request = {"QueueUrl": self._url, "MaxNumberOfMessages": limit, "WaitTimeSeconds": wait_s}
        answer = await self._call("ReceiveMessage", request)
        return [one["ReceiptHandle"] for one in answer.get("Messages", ())]

    async def delete(self, receipts: list[str]) -> None:
        entries = [{"Id": str(n), "ReceiptHandle": one} for n, one in enumerate(receipts)]
        await self._call("DeleteMessageBatch", {"QueueUrl": self._url, "Entries": entries})

    async def _call(self, action: str, request: dict[str, Any]) -> Any:
        reader, writer = await self._free.get()
        body = json.dumps(request).encode()
        writer.write(self._signed(action, body) + body)
        head = await reader.readuntil(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:] if line)}
        content = await reader.readexactly(int(headers["content-length"]))
        if lines[0].startswith("HTTP/1.0") or headers.get("connection", "").lower() == "close":
            writer.close()
            await self._connect()
        else:
            self._free.put_nowait((reader, writer))
        assert " 200 " in lines[0], content
        return json.loads(content)

    def _signed(self, action: str, body: bytes) -> bytes:
        now = datetime.now(UTC)
        stamp, day = f"{now:%Y%m%dT%H%M%SZ}", f"{now:%Y%m%d}"
        target = f"AmazonSQS.{action}"
        canonical = (
            f"POST\n/\n\ncontent-type:{TYPE}\nhost:{self._host}\nx-amz-date:{stamp}\nx-amz-target:{target}\n\n"
            f"content-type;host;x-amz-date;x-amz-target\n{hashlib.sha256(body).hexdigest()}"
        )
        hashed = hashlib.sha256(canonical.encode()).hexdigest()
        text = f"AWS4-HMAC-SHA256\n{stamp}\n{day}/{SCOPE}\n{hashed}"
        signature = hmac.new(_key(day), text.encode(), hashlib.sha256).hexdigest()
        return (
            f"POST / HTTP/1.1\r\nHost: {self._host}\r\nContent-Type: {TYPE}\r\nX-Amz-Date: {stamp}\r\n"
            f"X-Amz-Target: {target}\r\nContent-Length: {len(body)}\r\n"
            f"Authorization: AWS4-HMAC-SHA256 Credential={KEY_ID}/{day}/{SCOPE}, "
            f"SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature={signature}\r\n\r\n"
        ).encode()


def _key(day: str) -> bytes:
    key = f"AWS4{SECRET}".encode()
    for part in (day, *SCOPE.split("/")):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    return key
