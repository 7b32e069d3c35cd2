"""What no client should say: broken messages, frames and bodies, by the thousand."""

import asyncio
import json
import random
from typing import Any

from websockets.asyncio.client import ClientConnection

from support.waiting import soon

_WORDS = ("ping", "ack", "subscribe", "resume", "resync", "", "event", "\0")
_VALUES: tuple[Any, ...] = (None, -1, 2**70, 1.5, "x" * 50, [], {}, True, [1] * 30, "yard", "person", 0.4, "\ud800")
_FIELDS = ("camera_id", "object_type", "confidence", "detected_at", "bbox", "image", "attributes", "source_id", "more")


def nonsense(chance: random.Random) -> str | bytes:
    """A message that is wrong in one of many ways, and now and then by chance is not."""
    choice = chance.randrange(6)
    if choice == 0:
        return chance.randbytes(chance.randrange(60))
    if choice == 1:
        return "".join(chr(chance.randrange(32, 0xD7FF)) for _ in range(chance.randrange(40)))
    if choice == 2:
        return "[" * chance.randrange(1, 3000)
    value = chance.choice(_VALUES)
    message = {"type": chance.choice(_WORDS), chance.choice(["sequence", "data", "patterns", "x"]): value}
    if choice == 3:
        message["data"] = {"channel": value, "last_sequence": value, "epoch": value, "events": value}
    return json.dumps(message)[: chance.choice([5, 20, 1000])]


def nonsense_body(chance: random.Random) -> bytes:
    """Something sent as detections."""
    one = {field: chance.choice(_VALUES) for field in chance.sample(_FIELDS, chance.randrange(len(_FIELDS)))}
    if chance.random() < 0.5:
        one |= {"camera_id": "yard", "object_type": "person", "confidence": chance.random()}
    body = json.dumps(chance.choice([one, {"detections": [one] * chance.randrange(4)}, [one]])).encode()
    return body[: chance.choice([7, 100_000, 100_000])]


async def drain(socket: ClientConnection) -> int:
    """Reads until the answer to a ping of ours; counts refusals."""
    await socket.send('{"type":"ping"}')
    refused = 0
    while True:
        frame = json.loads(await soon(socket.recv()))
        refused += frame["type"] == "error"
        if frame["type"] == "pong":
            return refused


async def say_nonsense(socket: ClientConnection, chance: random.Random, count: int) -> int:
    """How many of the messages were refused."""
    refused = 0
    for number in range(1, count + 1):
        await socket.send(nonsense(chance))
        if number % 50 == 0 or number == count:
            refused += await drain(socket)
    return refused


async def break_frames(port: int, chance: random.Random, count: int) -> None:
    """Bytes that are no frames, after a proper handshake."""
    for _ in range(count):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(
            b"GET /ws/events HTTP/1.1\r\nhost: 127.0.0.1\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
            b"sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-version: 13\r\n\r\n"
        )
        await reader.readuntil(b"\r\n\r\n")
        writer.write(chance.randbytes(chance.randrange(1, 200)))
        writer.close()
