"""The bare limits of SQS over HTTP: servers in a process of their own that count messages and answer prepared bytes. They check
no signature, read no JSON and store nothing. The plain one reaches what the client and the sockets allow; the other one is an
ASGI application on uvicorn with httptools and uvloop, and reaches what that stack allows.

.venv/bin/python benchmarks/sqs_bare_server.py [--uvicorn]    prints its port
"""

import asyncio
import json
import re
import socket
import sys
from typing import Any, cast

import uvicorn
import uvloop

_TARGET = re.compile(rb"x-amz-target: AmazonSQS\.(\w+)", re.IGNORECASE)
_LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)
BATCH = 10
BODY = "x" * 320


_CONTENTS: dict[bytes, object] = {
    b"CreateQueue": {"QueueUrl": "http://127.0.0.1/000000000000/bench"},
    b"SendMessageBatch": {"Successful": [{"Id": str(n), "MessageId": "m" * 36} for n in range(BATCH)]},
    b"DeleteMessageBatch": {"Successful": [{"Id": str(n)} for n in range(BATCH)]},
    b"ReceiveMessage": {"Messages": [{"MessageId": "m" * 36, "ReceiptHandle": "r" * 60, "Body": BODY}] * BATCH},
}
_BODIES = {action: json.dumps(content).encode() for action, content in _CONTENTS.items()}


class Counted:
    """How many messages are waiting, and with that the body of each response."""

    waiting = 0

    def body(self, action: bytes) -> bytes:
        if action == b"SendMessageBatch":
            self.waiting += BATCH
        elif action == b"ReceiveMessage":
            if self.waiting < BATCH:
                return b"{}"
            self.waiting -= BATCH
        return _BODIES[action]


_counted = Counted()


class BareServer(asyncio.Protocol):
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's own are no subclasses
        self._received = b""

    def data_received(self, data: bytes) -> None:
        self._received += data
        while (end := self._received.find(b"\r\n\r\n")) >= 0:
            length, target = _LENGTH.search(self._received, 0, end), _TARGET.search(self._received, 0, end)
            assert length is not None
            assert target is not None
            whole = end + 4 + int(length[1])
            if len(self._received) < whole:
                return
            self._received = self._received[whole:]
            body = _counted.body(target[1])
            head = b"HTTP/1.1 200 OK\r\ncontent-type: application/x-amz-json-1.0\r\ncontent-length: %d\r\n\r\n" % len(
                body
            )
            self._transport.write(head + body)


async def application(scope: Any, receive: Any, send: Any) -> None:
    while (await receive()).get("more_body"):
        pass
    target = next(value for name, value in scope["headers"] if name == b"x-amz-target")
    body = _counted.body(target.partition(b".")[2])
    headers = [(b"content-type", b"application/x-amz-json-1.0"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def serve_plain() -> None:
    server = await asyncio.get_running_loop().create_server(BareServer, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


async def serve_uvicorn() -> None:
    listening = socket.create_server(("127.0.0.1", 0))
    print(listening.getsockname()[1], flush=True)
    config = uvicorn.Config(application, http="httptools", lifespan="off", access_log=False, log_config=None)
    await uvicorn.Server(config).serve([listening])


if __name__ == "__main__":
    uvloop.run(serve_uvicorn() if "--uvicorn" in sys.argv else serve_plain())
