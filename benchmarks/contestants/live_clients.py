"""Many WebSocket clients in one process, as cheap as they can be: they shake hands, count bytes, and now and then read a time.

live_clients.py PORT CLIENTS PATH, then on standard input `count BYTES SECONDS` (of each client, from now on, for so long at the
most) or `times BYTES SECONDS` (with the times of every twentieth client); answers are lines of JSON.
"""

import asyncio
import contextlib
import json
import re
import sys
import time

import uvloop

_TIME = re.compile(rb'"t":([0-9]+)')
SAMPLE = 20


def masked(text):
    """A short text frame of a client; the mask of zeros leaves it as it is."""
    return bytes((0x81, 0x80 | len(text))) + bytes(4) + text


class Client(asyncio.Protocol):
    def __init__(self, port, path):
        self._port = port
        self._path = path
        self.received = 0
        self.greeted = asyncio.Event()
        self.wanted = 0
        self.done = asyncio.Event()
        self.latencies = None

    def connection_made(self, transport):
        self.transport = transport
        transport.write(
            (
                f"GET {self._path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\nUpgrade: websocket\r\n"
                "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
            ).encode()
        )

    def data_received(self, data):
        if not self.greeted.is_set():
            if b'"hello"' in data or b'40{"sid"' in data:
                self.greeted.set()
            elif b'0{"sid"' in data:  # Socket.IO waits for its client to ask for the namespace
                self.transport.write(masked(b"40"))
            return
        self.received += len(data)
        if self.latencies is not None:
            now = time.time()
            self.latencies += [now - int(sent) / 1e6 for sent in _TIME.findall(data)]
        if self.wanted and self.received >= self.wanted:
            self.done.set()


async def main(port, count, path):
    loop = asyncio.get_running_loop()
    clients = []
    for start in range(0, count, 50):
        batch = [
            loop.create_connection(lambda: Client(port, path), "127.0.0.1", port) for _ in range(min(50, count - start))
        ]
        clients += [client for _, client in await asyncio.gather(*batch)]
        await asyncio.gather(*(client.greeted.wait() for client in clients))
    print(json.dumps("ready"), flush=True)
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        what, number, seconds = line.split()
        for client in clients:
            client.received, client.wanted = 0, int(number)
            client.done.clear()
        if what == "times":
            for client in clients[::SAMPLE]:
                client.latencies = []
        print(json.dumps("counting"), flush=True)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.gather(*(client.done.wait() for client in clients)), float(seconds))
        answer = {"at": time.time(), "bytes": sum(client.received for client in clients)}
        if what == "times":
            answer["latencies"] = [one for client in clients[::SAMPLE] for one in client.latencies]
            for client in clients:
                client.latencies = None
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    uvloop.run(main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]))
