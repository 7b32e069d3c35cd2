"""Connections whose request is answered while its body is still arriving."""

import contextlib
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.responses import JSONResponse
from prometheus_client import CollectorRegistry

from sightline.api.edge import Connections, unwanted_body
from sightline.config import ApiSettings
from support.hand_clock import HandClock
from support.raw_http import raw_client, request
from support.waiting import until

MIB = 1024 * 1024
LENGTH = "content-length: {}"


class Refusing:
    """An application that answers every request with 403, and its connections."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.clock = HandClock()
        self.connections = Connections(ApiSettings(keep_alive_s=1), CollectorRegistry(), clock=self.clock)
        monkeypatch.setattr("sightline.api.serving.server._connections_of", lambda app: self.connections)
        self.app = FastAPI()

        @self.app.put("/refused")
        async def refuse() -> JSONResponse:
            return JSONResponse({}, 403)

    def pass_time(self, seconds: float) -> None:
        self.clock.now += seconds
        self.connections.check_all()

    @property
    def received(self) -> int:
        return sum(one.body_bytes for one in self.connections._open)  # type: ignore[attr-defined]


@pytest.fixture
def refusing(monkeypatch: pytest.MonkeyPatch) -> Refusing:
    return Refusing(monkeypatch)


@pytest.mark.req(422)
async def test_more_than_the_bound_is_not_read(refusing: Refusing, serving: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(unwanted_body, "MAX_DROPPED_BYTES", MIB)
    async with serving(refusing.app) as port, raw_client(port) as client:
        await client.send(request("PUT", "/refused", LENGTH.format(1024 * MIB)))
        assert (await client.answer()).status == 403
        with contextlib.suppress(ConnectionError):
            await client.send(bytes(2 * MIB))
        assert await client.rest() == b""
        await until(lambda: client.is_closed)


@pytest.mark.req(422)
async def test_a_slow_body_is_read_on_and_a_silent_one_is_not(refusing: Refusing, serving: Any):
    async with serving(refusing.app) as port, raw_client(port) as client:
        await client.send(request("PUT", "/refused", LENGTH.format(3 * 100_000)))
        assert (await client.answer()).status == 403
        for count in (1, 2):  # slow, and longer in all than a body may be silent
            await client.send(bytes(100_000))
            await until(lambda count=count: refusing.received == count * 100_000)  # type: ignore[misc]
            refusing.pass_time(31)
            assert not client.is_closed
        refusing.pass_time(31)
        assert await client.rest() == b""


@pytest.mark.req(422)
async def test_a_connection_that_is_to_be_closed_is_closed_when_the_body_has_ended(refusing: Refusing, serving: Any):
    async with serving(refusing.app) as port, raw_client(port) as client:
        await client.send(request("PUT", "/refused", LENGTH.format(100_000), "connection: close"))
        assert (await client.answer()).headers["connection"] == "close"
        await client.send(bytes(50_000))
        await until(lambda: refusing.received == 50_000)
        await client.send(bytes(50_000))
        assert await client.rest() == b""
        await until(lambda: refusing.connections._open == {})
