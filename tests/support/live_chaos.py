"""Servers killed again and again under clients that come and go: what each client got, and what was stored of it."""

import asyncio
import json
import random
from dataclasses import dataclass
from functools import partial

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from sightline.contracts import LOCAL_OWNER_ID
from sightline.db import Database
from sightline.live import LiveFeed, LiveMessage
from support.api_process import ApiProcess, api_processes
from support.live_rig import Client, open_socket
from support.waiting import limited, soon, until

GONE = (ConnectionClosed, InvalidHandshake, OSError, EOFError, TimeoutError)


class Device:
    """A client by the book: remembers its place, returns when it is cut off, acknowledges what wants it."""

    def __init__(self, name: str, seed: int, *, until_number: int) -> None:
        self.name = name
        self.chance = random.Random(seed)
        self.last, self.epoch = 0, ""
        self.got: list[int] = []
        self.gaps = self.connects = 0
        self._until = until_number

    @property
    def is_over(self) -> bool:
        return self.last == self._until

    async def follow(self, ports: list[int]) -> None:
        while not self.is_over:
            port = self.chance.choice(ports)
            try:
                query = {"client_id": self.name, "last_sequence": self.last} | (
                    {"epoch": self.epoch} if self.epoch else {}
                )
                socket = await soon(open_socket(port, "events", **query))
                self.connects += 1
                await self._listen(socket)
            except GONE:
                await asyncio.sleep(self.chance.random() * 0.1)

    async def _listen(self, socket: ClientConnection) -> None:
        cut_after = self.chance.randrange(20, 120)  # and now and then it loses its network by itself
        while not self.is_over and cut_after:
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

    async def _take(self, socket: ClientConnection, frame: dict[str, int]) -> None:
        if frame["sequence"] > self.last and "redelivery" not in frame:
            assert frame["sequence"] == self.last + 1, "a hole"
            self.last = frame["sequence"]
            self.got.append(self.last)
        if frame["requires_ack"]:
            await socket.send(json.dumps({"type": "ack", "sequence": frame["sequence"]}))

    async def settle(self, port: int) -> None:
        """Acknowledges what is offered on a last, undisturbed connection."""
        client = Client(await open_socket(port, "events", client_id=self.name))
        await client.say(type="ping")
        owed = []
        while (frame := await client.next())["type"] != "pong":
            owed += [frame["sequence"]] if "redelivery" in frame else []
        for sequence in owed:
            await client.ack(sequence)
        await client.close()


@dataclass(frozen=True)
class Outcome:
    devices: list[Device]
    stored: set[tuple[str, int]]
    """Device and number of each acknowledgement."""
    wanted: set[tuple[str, int]]

    def check(self, messages: int) -> None:
        """Nothing lost, nothing doubled, no gap reported where there was none, every acknowledgement stored."""
        for device in self.devices:
            assert device.got == list(range(1, messages + 1))
            assert device.gaps == 0
        assert self.stored == self.wanted


async def append(database: Database, number: int, *, requires_ack: bool = False) -> int:
    async with database.transaction() as tx:
        message = LiveMessage("events", "event", {"n": number}, requires_ack=requires_ack)
        return await LiveFeed().append(tx, message)


async def run_chaos(
    database: Database,
    url: str,
    state: str,
    *,
    messages: int,
    clients: int,
    kills: int,
    within_s: float,
    **settings: str,
) -> Outcome:
    critical = {number for number in range(1, messages + 1) if number % 10 == 0}
    devices = [Device(f"device-{number}", number, until_number=messages) for number in range(clients)]
    chance = random.Random(3)

    def is_within(number: int) -> bool:
        return all(device.last >= number for device in devices)

    async def write() -> None:
        for number in range(1, messages + 1):
            assert await append(database, number, requires_ack=number in critical) == number
            await until(partial(is_within, number - 60), within_s=60)  # so that nobody has a gap to expect

    async def kill(processes: list[ApiProcess]) -> None:
        for turn in range(1, kills + 1):
            await until(partial(is_within, turn * messages // (kills + 1)), within_s=within_s)
            victim = chance.choice(processes)
            await victim.kill()
            await victim.start()

    async with api_processes(url, state, 2, **settings) as processes:
        ports = [process.port for process in processes]
        async with limited(within_s):
            await asyncio.gather(write(), kill(processes), *(device.follow(ports) for device in devices))
            await asyncio.gather(*(device.settle(ports[0]) for device in devices))
    async with database.transaction() as tx:
        rows = await tx.fetch("SELECT client_id, sequence FROM live_acks WHERE user_id = $1", LOCAL_OWNER_ID)
    stored = {(row["client_id"], row["sequence"]) for row in rows}
    return Outcome(devices, stored, {(device.name, sequence) for device in devices for sequence in critical})
