"""The feed over real server processes: the same numbers everywhere, and nothing lost or doubled when they are killed."""

import asyncio
import socket

import httpx
import pytest

from sightline.live import LiveFeed, LiveMessage
from support.api_process import api_processes
from support.live_chaos import append, run_chaos
from support.live_rig import Client, open_socket
from support.waiting import soon

MESSAGES, CLIENTS, KILLS = 240, 6, 3  # a long run is tests/soak/test_live_soak.py
MOST_TURNS = 100  # 40 MB: more than any kernel keeps for a reader that does not read


@pytest.mark.req(207, 211, 213, 214, 302, 303)
async def test_servers_killed_again_and_again_lose_and_double_nothing_for_clients_that_return(
    fresh_database, database, tmp_path
):
    outcome = await run_chaos(
        database, fresh_database.url, str(tmp_path), messages=MESSAGES, clients=CLIENTS, kills=KILLS, within_s=60
    )
    outcome.check(MESSAGES)
    assert sum(device.connects for device in outcome.devices) > CLIENTS + KILLS


async def stalled(port):
    raw = socket.socket()
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    raw.connect(("127.0.0.1", port))
    raw.sendall(
        f"GET /ws/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    return raw


def read_to_the_end(raw: socket.socket) -> None:
    """Returns when the server has ended the connection, after all that it had sent before."""
    while raw.recv(1 << 20):
        pass


async def numbers_of(client: Client, count: int) -> list[tuple[int, int]]:
    return [(message["sequence"], message["data"]["n"]) for message in await client.messages(count)]


async def is_given_up(port: int) -> bool:
    async with httpx.AsyncClient(timeout=300) as client:
        metrics = (await client.get(f"http://127.0.0.1:{port}/metrics")).text
    return 'sightline_live_slow_consumers_total{stream="events"} 1.0' in metrics


@pytest.mark.req(207, 215)
async def test_two_processes_send_the_same_and_a_client_that_never_reads_disturbs_nobody(
    fresh_database, database, tmp_path
):
    async with api_processes(fresh_database.url, str(tmp_path), 2) as (one, other):
        raw = await stalled(one.port)
        clients = [Client(await open_socket(process.port, "events")) for process in (one, one, other)]
        for client in clients:
            assert (await client.next())["type"] == "hello"
        for number in range(20):
            await append(database, number)
        everything = [await numbers_of(client, 20) for client in clients]
        # Less at a time than a client may leave unread, and all clients but one have read it before there is more.
        for _ in range(MOST_TURNS):
            async with database.transaction() as tx:
                for number in range(10):
                    await LiveFeed().append(tx, LiveMessage("events", "event", {"n": number, "text": "x" * 40_000}))
            for client, numbers in zip(clients, everything, strict=True):
                numbers.extend(await numbers_of(client, 10))
            if await is_given_up(one.port):
                break
        assert everything[0] == everything[1] == everything[2]
        assert [sequence for sequence, _ in everything[0]] == list(range(1, len(everything[0]) + 1))
        assert await is_given_up(one.port)
        await soon(asyncio.to_thread(read_to_the_end, raw))
        raw.close()
        for client in clients:
            await client.close()
