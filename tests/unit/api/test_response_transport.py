"""What a response writes to its connection: head and body together, and neither held back."""

import asyncio
from collections.abc import Iterable
from typing import cast

import pytest

from sightline.api.edge.unwanted_body import ResponseTransport


class Connection:
    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.is_closed = False

    def write(self, data: bytes) -> None:
        assert not self.is_closed
        self.written.append(data)

    def writelines(self, parts: Iterable[bytes]) -> None:
        self.write(b"".join(parts))

    def is_closing(self) -> bool:
        return self.is_closed

    def close(self) -> None:
        self.is_closed = True


def response_on(connection: Connection) -> ResponseTransport:
    transport = cast(asyncio.Transport, connection)
    return ResponseTransport(transport, asyncio.get_running_loop(), connection.close, set())


async def next_round() -> None:
    await asyncio.sleep(0)


@pytest.mark.req(650)
async def test_head_and_body_are_written_at_once() -> None:
    connection = Connection()
    response = response_on(connection)
    response.write(b"head ")
    response.write(b"body ")
    response.write(b"more")
    await next_round()
    assert connection.written == [b"head body ", b"more"]


@pytest.mark.req(650)
async def test_a_head_whose_body_comes_later_is_written_without_it() -> None:
    connection = Connection()
    response = response_on(connection)
    response.write(b"head")
    await next_round()
    assert connection.written == [b"head"]
    response.write(b"event")
    assert connection.written == [b"head", b"event"]


@pytest.mark.req(650)
async def test_a_response_without_a_body_is_written_before_the_connection_is_closed() -> None:
    connection = Connection()
    response = response_on(connection)
    response.write(b"head")
    response.close()
    await next_round()
    assert (connection.written, connection.is_closed) == ([b"head"], True)


@pytest.mark.req(650)
async def test_nothing_is_written_to_a_connection_that_was_closed_meanwhile() -> None:
    connection = Connection()
    response_on(connection).write(b"head")
    connection.close()
    await next_round()
    assert connection.written == []
