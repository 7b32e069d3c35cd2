"""An MQTT broker with one message: it delivers it with QoS 1 to each client that subscribes, until one acknowledges it."""

import asyncio
from contextlib import suppress


class OneMessageBroker:
    """`async with OneMessageBroker("porch/motion", b"ON") as broker`."""

    def __init__(self, topic: str, payload: bytes) -> None:
        name = topic.encode()
        content = len(name).to_bytes(2, "big") + name + (1).to_bytes(2, "big") + payload
        self._publish = bytes([0x32, len(content)]) + content
        self.port = 0
        self.deliveries = 0
        self.is_acknowledged = False
        self._writers: set[asyncio.StreamWriter] = set()

    async def __aenter__(self) -> "OneMessageBroker":
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for writer in tuple(self._writers):
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                kind, content = await _packet(reader)
                match kind >> 4:
                    case 1:  # CONNECT
                        writer.write(b"\x20\x02\x00\x00")
                    case 8:  # SUBSCRIBE, in which the two first bytes number the request
                        writer.write(b"\x90\x03" + content[:2] + b"\x01")
                        if not self.is_acknowledged:
                            self.deliveries += 1
                            writer.write(self._publish)
                    case 4:  # PUBACK
                        self.is_acknowledged = True
                    case 12:  # PINGREQ
                        writer.write(b"\xd0\x00")
                    case 14:  # DISCONNECT
                        break
        self._writers.discard(writer)
        writer.close()


async def _packet(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    kind, length, shift = (await reader.readexactly(1))[0], 0, 0
    while True:
        byte = (await reader.readexactly(1))[0]
        length |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            return kind, await reader.readexactly(length)
