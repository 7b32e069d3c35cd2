"""Actions that may wait for long end when their client goes away or the server stops."""

import asyncio
from collections.abc import Awaitable
from typing import Any

from starlette.types import Receive, Scope

from sightline.api.aws.call import AwsError
from sightline.api.live.transport import lost_callbacks_of, stopping_of, transport_of


async def while_connected(
    work: Awaitable[dict[str, Any] | None], scope: Scope, receive: Receive
) -> dict[str, Any] | None:
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

    stopping, lost, transport = stopping_of(scope), lost_callbacks_of(scope), transport_of(scope)
    if stopping.is_set() or (transport is not None and transport.is_closing()):
        end()  # the work gets no further than to where it would wait
    leaving: asyncio.Future[Any] | None = None
    if lost is None:  # a server that tells it only to those who ask
        leaving = asyncio.ensure_future(receive())
        leaving.add_done_callback(end)
    else:
        lost.add(end)
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
