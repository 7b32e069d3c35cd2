"""The bare limit of SQS over HTTP: a server in a process of its own that counts messages and answers prepared bytes. It checks no
signature, reads no JSON and stores nothing, so what it reaches is what the client and the sockets allow.

.venv/bin/python benchmarks/sqs_bare_server.py    prints its port
"""

import asyncio
import json
import re
from typing import cast

import uvloop

_TARGET = re.compile(rb"x-amz-target: AmazonSQS\.(\w+)", re.IGNORECASE)
_LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)
BATCH = 10
BODY = "x" * 320


def _response(content: object) -> bytes:
    body = json.dumps(content).encode()
    return (
        b"HTTP/1.1 200 OK\r\ncontent-type: application/x-amz-json-1.0\r\ncontent-length: %d\r\n\r\n" % len(body) + body
    )


_RESPONSES = {
    b"CreateQueue": _response({"QueueUrl": "http://127.0.0.1/000000000000/bench"}),
    b"SendMessageBatch": _response({"Successful": [{"Id": str(n), "MessageId": "m" * 36} for n in range(BATCH)]}),
    b"DeleteMessageBatch": _response({"Successful": [{"Id": str(n)} for n in range(BATCH)]}),
}
_MESSAGES = _response({"Messages": [{"MessageId": "m" * 36, "ReceiptHandle": "r" * 60, "Body": BODY}] * BATCH})
_EMPTY = _response({})


class BareServer(asyncio.Protocol):
    waiting = 0

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
            self._transport.write(self._answer(target[1]))

    def _answer(self, action: bytes) -> bytes:
        if action == b"SendMessageBatch":
            BareServer.waiting += BATCH
        if action != b"ReceiveMessage":
            return _RESPONSES[action]
        if BareServer.waiting < BATCH:
            return _EMPTY
        BareServer.waiting -= BATCH
        return _MESSAGES


async def main() -> None:
    server = await asyncio.get_running_loop().create_server(BareServer, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(main())
