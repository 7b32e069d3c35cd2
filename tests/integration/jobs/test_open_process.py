"""Children that stay: messages both ways, failures without texts, and the network that a camera process has."""

import asyncio
from contextlib import asynccontextmanager

import numpy as np
import psutil
import pytest

from sightline.errors import TransientFailure
from sightline.jobs import BrokenChannel, ProcessCrashed, Sandbox, confinement, open_process
from sightline.jobs.confinement.landlock import landlock_version
from support.channel_work import echo, end_without_reading, reach
from support.waiting import soon, until

MODULES = ("support.channel_work",)


async def test_messages_go_both_ways_with_bytes_that_stay_bytes():
    async with open_process(echo, {"greeting": "hello"}) as process:
        assert (await soon(process.receive())).fields == {"greeting": "hello"}
        picture = np.arange(3_000_000, dtype=np.uint8)
        await process.send("picture", {"width": 1000}, picture)
        answer = await soon(process.receive())
        assert (answer.kind, answer.fields, answer.content) == ("picture", {"width": 1000}, picture.tobytes()[::-1])


async def test_a_failure_tells_its_kind_and_none_of_its_text():
    async with open_process(echo, {"greeting": ""}) as process:
        await soon(process.receive())
        await process.send("fail")
        with pytest.raises(TransientFailure) as failed:
            await soon(process.receive())
    assert failed.value.message == "the process failed: ValueError"


@pytest.mark.parametrize(("kind", "error"), [("crash", ProcessCrashed), ("nonsense", BrokenChannel)])
async def test_a_child_that_crashes_or_talks_nonsense_is_noticed(kind, error):
    async with open_process(echo, {"greeting": ""}) as process:
        await soon(process.receive())
        await process.send(kind)
        with pytest.raises(error):
            await soon(process.receive())


async def test_the_last_words_of_a_child_are_heard_though_it_ends_with_a_message_unread():
    async with open_process(end_without_reading, {}) as process:
        await process.send("never read")
        await until(lambda: has_ended(process.pid))
        for _ in range(10):  # the loop sees what came, and that the connection was reset
            await asyncio.sleep(0)
        assert (await soon(process.receive())).fields == {"code": "not_found"}
        with pytest.raises(TransientFailure):
            await soon(process.receive())


def has_ended(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


@asynccontextmanager
async def listening():
    async def greet(_, writer):
        writer.write(b"x")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(greet, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


@pytest.mark.req(574)
@pytest.mark.skipif(bool(confinement().missing), reason=f"this system cannot: {confinement().missing}")
async def test_a_camera_process_reaches_one_port_and_nothing_else():
    async with listening() as port, listening() as other:
        argument = {"port": port, "other_port": other}

        async def results(sandbox: Sandbox | None) -> set[str]:
            async with open_process(reach, argument, sandbox=sandbox) as process:
                found = (await soon(process.receive())).fields
            return {name for name, is_done in found.items() if is_done}

        without = await results(None)
        assert {"the port", "another port", "udp", "local socket", "kernel socket", "listening", "a file"} <= without
        confined = await results(Sandbox(modules=MODULES, network="port", port=port))
        # Kernels before 6.7 do not bind ports.
        assert confined == ({"the port"} if landlock_version() >= 4 else {"the port", "another port"})
        assert await results(Sandbox(modules=MODULES)) == set()
        is_open = await results(Sandbox(modules=MODULES, network="open"))
        assert is_open >= {"the port", "another port", "udp"}
        assert not is_open & {"local socket", "raw socket", "kernel socket", "multipath", "a file"}
