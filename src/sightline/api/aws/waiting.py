"""Actions that may wait for long end when their client goes away or the server stops."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, TypeVar

from starlette.types import Receive, Scope

from sightline.api.aws.call import AwsError
from sightline.api.live.transport import StopSignal, lost_callbacks_of, stopping_of, transport_of

Result = TypeVar("Result")


class Client(NamedTuple):
    """Whom a call is answered to: how it is noticed that the answer is not wanted any more."""

    stopping: StopSignal
    is_closing: Callable[[], bool]
    when_lost: set[Callable[[], None]] | None
    """Called when the client goes away; None with a server that tells it only to those who `receive`."""
    receive: Receive | None = None


def client_of(scope: Scope, receive: Receive) -> Client:
    transport = transport_of(scope)
    is_closing = _is_open if transport is None else transport.is_closing
    return Client(stopping_of(scope), is_closing, lost_callbacks_of(scope), receive)


def _is_open() -> bool:
    return False


async def while_connected(work: Awaitable[Result], client: Client) -> Result:
    """Cancels the work when its client is gone or the server stops: a message must not be received without a receiver.

    It runs in the task of the request itself, which is ended by a callback: a task for each of those who may end it would cost
    more than the rest of a receive.
    """
    task = asyncio.current_task()
    assert task is not None
    is_ended = False

    def end(_: object = None) -> None:
        nonlocal is_ended
        is_ended = True
        task.cancel()

    stopping, lost = client.stopping, client.when_lost
    if stopping.is_set() or client.is_closing():
        end()  # the work gets no further than to where it would wait
    leaving: asyncio.Future[Any] | None = None
    if lost is not None:
        lost.add(end)
    elif client.receive is not None:
        leaving = asyncio.ensure_future(client.receive())
        leaving.add_done_callback(end)
    stopping.callbacks.add(end)
    try:
        return await work
    except asyncio.CancelledError:
        if not is_ended:
            raise
        task.uncancel()
        raise AwsError(
            "ServiceUnavailable", "The server is stopping. Try again.", status=503, is_sender_fault=False
        ) from None
    finally:
        stopping.callbacks.discard(end)
        if lost is not None:
            lost.discard(end)
        if leaving is not None:
            leaving.remove_done_callback(end)
            leaving.cancel()
