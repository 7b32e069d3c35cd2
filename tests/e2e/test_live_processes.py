"""The feed over real server processes: the same numbers everywhere, and nothing lost or doubled when they are killed."""

import asyncio
import json
import random
import socket
from functools import partial

import pytest
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from api_process import api_processes
from live_rig import Client, open_socket
from sightline.contracts import LOCAL_OWNER_ID
from sightline.live import LiveFeed, LiveMessage
from waiting import until

MESSAGES, CLIENTS, KILLS = 240, 6, 3
GONE = (ConnectionClosed, InvalidHandshake, OSError, EOFError, TimeoutError)


async def append(database, number, **more):
    async with database.transaction() as tx:
        return await LiveFeed().append(tx, LiveMessage("events", "event", {"n": number}, **more))


class Device:
    """A client by the book: remembers its place, returns when it is cut off, acknowledges what wants it."""

    def __init__(self, name, seed):
        self.name = name
        self.chance = random.Random(seed)
        self.last, self.epoch = 0, ""
        self.got: list[int] = []
        self.gaps = self.connects = 0

    async def follow(self, ports, is_over):
        while not is_over(self):
            port = self.chance.choice(ports)
            try:
                query = {"client_id": self.name, "last_sequence": self.last} | (
                    {"epoch": self.epoch} if self.epoch else {}
                )
                async with asyncio.timeout(5):
                    socket = await open_socket(port, "events", **query)
                self.connects += 1
                await self._listen(socket, is_over)
            except GONE:
                await asyncio.sleep(self.chance.random() * 0.1)

    async def _listen(self, socket, is_over):
        cut_after = self.chance.randrange(20, 120)  # and now and then it loses its network by itself
        while not is_over(self) and cut_after:
            cut_after -= 1
            try:
                frame = json.loads(await asyncio.wait_for(socket.recv(), 0.5))
            except TimeoutError:
                continue
            if frame["type"] == "hello":
                self.epoch = frame["data"]["epoch"]
            elif frame["type"] == "gap":
                self.gaps += 1
            elif "sequence" in frame:
                await self._take(socket, frame)
        socket.transport.abort()

    async def settle(self, port):
        """Acknowledges what is offered on a last, undisturbed connection."""
        client = Client(await open_socket(port, "events", client_id=self.name))
        await client.say(type="ping")
        owed = []
        while (frame := await client.next())["type"] != "pong":
            owed += [frame["sequence"]] if "redelivery" in frame else []
        for sequence in owed:
            await client.ack(sequence)
        await client.close()

    async def _take(self, socket, frame):
        if frame["sequence"] > self.last and "redelivery" not in frame:
            assert frame["sequence"] == self.last + 1, "a hole"
            self.last = frame["sequence"]
            self.got.append(self.last)
        if frame["requires_ack"]:
            await socket.send(json.dumps({"type": "ack", "sequence": frame["sequence"]}))


@pytest.mark.req(207)
@pytest.mark.req(211)
@pytest.mark.req(213)
@pytest.mark.req(214)
@pytest.mark.req(302)
@pytest.mark.req(303)
async def test_servers_killed_again_and_again_lose_and_double_nothing_for_clients_that_return(
    fresh_database, database, tmp_path
):
    critical = {number for number in range(1, MESSAGES + 1) if number % 10 == 0}
    devices = [Device(f"device-{number}", number) for number in range(CLIENTS)]
    chance = random.Random(3)

    def is_over(device):
        return device.last == MESSAGES

    def is_within(number):
        return all(device.last >= number for device in devices)

    async def write():
        for number in range(1, MESSAGES + 1):
            assert await append(database, number, requires_ack=number in critical) == number
            await until(partial(is_within, number - 60), within_s=30)  # so that nobody has a gap to expect

    async def kill(processes):
        for turn in range(1, KILLS + 1):
            await until(partial(is_within, turn * MESSAGES // (KILLS + 1)), within_s=30)
            victim = chance.choice(processes)
            await victim.kill()
            await victim.start()

    async with api_processes(fresh_database.url, str(tmp_path), 2) as processes:
        ports = [process.port for process in processes]
        async with asyncio.timeout(60):
            await asyncio.gather(write(), kill(processes), *(device.follow(ports, is_over) for device in devices))
            await asyncio.gather(*(device.settle(ports[0]) for device in devices))
    for device in devices:
        assert device.got == list(range(1, MESSAGES + 1))
        assert device.gaps == 0
    assert sum(device.connects for device in devices) > CLIENTS + KILLS
    async with database.transaction() as tx:
        rows = await tx.fetch("SELECT client_id, sequence FROM live_acks WHERE user_id = $1", LOCAL_OWNER_ID)
    assert {(row["client_id"], row["sequence"]) for row in rows} == {
        (device.name, sequence) for device in devices for sequence in critical
    }


async def stalled(port):
    raw = socket.socket()
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    raw.connect(("127.0.0.1", port))
    raw.sendall(
        f"GET /ws/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    return raw


@pytest.mark.req(207)
@pytest.mark.req(215)
async def test_two_processes_tell_the_same_and_a_client_that_never_reads_disturbs_nobody(
    fresh_database, database, tmp_path
):
    async with api_processes(fresh_database.url, str(tmp_path), 2) as (one, other):
        raw = await stalled(one.port)
        clients = [Client(await open_socket(process.port, "events")) for process in (one, one, other)]
        for client in clients:
            assert (await client.next())["type"] == "hello"
        async with database.transaction() as tx:
            for number in range(150):
                await LiveFeed().append(tx, LiveMessage("events", "event", {"n": number, "text": "x" * 40_000}))
        for number in range(20):
            await append(database, number)
        everything = [[(m["sequence"], m["data"]["n"]) for m in await client.messages(170)] for client in clients]
        assert everything[0] == everything[1] == everything[2]
        assert [sequence for sequence, _ in everything[0]] == list(range(1, 171))
        for _ in range(15):  # more than the kernel keeps for a reader that does not read
            async with database.transaction() as tx:
                for number in range(20):
                    await LiveFeed().append(tx, LiveMessage("events", "event", {"n": number, "text": "x" * 40_000}))
            for client in clients:
                await client.messages(20)
        raw.settimeout(10)
        while raw.recv(1 << 20):  # whole, up to its early end
            pass
        raw.close()
        for client in clients:
            await client.close()
