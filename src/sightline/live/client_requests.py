"""Requests that a client sends on its connection, and the responses."""

import asyncio
from collections.abc import Awaitable, Callable, Collection

from sightline.contracts import Caller
from sightline.contracts.live import (
    Acked,
    AckRequest,
    BadRequest,
    ErrorCode,
    PingRequest,
    Pong,
    PongAnswer,
    Problem,
    ResumeRequest,
    ResyncAck,
    ResyncRequest,
    Subscribed,
    SubscribeRequest,
    UnsubscribeRequest,
    parse_request,
)
from sightline.errors import InvalidInput, TransientFailure
from sightline.live.acks import AckWriter
from sightline.live.catch_up import CatchUp
from sightline.live.channel import Channel
from sightline.live.follower import Follower
from sightline.live.metrics import LiveMetrics
from sightline.live.resume import ResumePoint
from sightline.live.store import Ack
from sightline.live.viewer import check_patterns


class ClientRequests:
    """An invalid request is answered with an error; the connection stays open."""

    def __init__(
        self,
        catch_up: CatchUp,
        acks: AckWriter,
        metrics: LiveMetrics,
        *,
        refresh: Callable[[], Awaitable[object]],
        clock: Callable[[], float],
    ) -> None:
        self._catch_up = catch_up
        self._acks = acks
        self._metrics = metrics
        self._refresh = refresh
        self._clock = clock

    async def receive(self, channel: Channel, follower: Follower, text: str | None) -> None:
        """Handles one message; None is a binary one."""
        follower.last_received_at = self._clock()
        try:
            await self._respond(channel, follower, text)
        except BadRequest as error:
            follower.send_control(error.problem)
        except InvalidInput as error:
            self.refuse(follower, "VALIDATION_ERROR", error.message)
        except TransientFailure as error:
            self.refuse(follower, "SERVICE_UNAVAILABLE", error.public_message)

    def refuse(self, follower: Follower, code: ErrorCode, message: str) -> None:
        follower.send_control(Problem(error=code, message=message))

    async def _respond(self, channel: Channel, follower: Follower, text: str | None) -> None:
        request = parse_request(text)
        match request:
            case PingRequest():
                follower.send_control(Pong())
            case PongAnswer():
                pass
            case AckRequest():
                await self._acknowledge(channel, follower, request.sequence)
            case ResumeRequest():
                await self._resume(channel, follower, request)
            case SubscribeRequest():
                await self._subscribe(channel, follower, request)

    async def acknowledge(
        self, channel: Channel, caller: Caller, client_id: str, numbers: Collection[int], *, since: int | None = None
    ) -> int:
        """Returns the device's mark, in the caller's numbers; `since` is the place at which a new device began to follow."""
        newest = max(numbers)
        if newest > await self._catch_up.number(channel, caller):
            await self._refresh()  # another process may have sent it before this one read it
        if newest > await self._catch_up.number(channel, caller):
            raise InvalidInput(f"sequence: there is no message {newest} on {channel.name} yet")
        found = {number: await self._catch_up.sequence_of(channel, caller, number) for number in sorted(numbers)}
        places = {sequence: number for number, sequence in found.items() if sequence is not None}
        self._metrics.acks.labels(channel.name).inc(len(numbers))
        if not places:
            return newest  # all of them were removed, and nothing waits for them
        device, begin = (caller.user_id, client_id), max(places) if since is None else since
        marks = await asyncio.gather(
            *(self._acks.write(Ack(channel.name, sequence, *device, begin)) for sequence in places)
        )
        for connection in channel.of_device(device):
            for sequence in places:
                connection.pending_acks.remove(sequence)
        mark = max(marks)
        return places[mark] if mark in places else await self._catch_up.number_of(channel, caller, mark)

    async def _acknowledge(self, channel: Channel, follower: Follower, sequence: int) -> None:
        mark = await self.acknowledge(channel, follower.caller, follower.client_id, (sequence,), since=follower.since)
        follower.send_control(Acked(sequence=sequence, mark=mark))

    async def _resume(self, channel: Channel, follower: Follower, request: ResumeRequest) -> None:
        if request.channel not in (None, channel.name):
            raise InvalidInput(f"channel: this connection follows {channel.name}, not {request.channel}")
        position = ResumePoint(request.last_sequence, request.epoch)
        replayed = await self._catch_up.resume(channel, follower, position)
        if isinstance(request, ResyncRequest):
            follower.send_control(
                ResyncAck(channel=channel.name, last_sequence=request.last_sequence, replayed_count=replayed)
            )

    async def _subscribe(self, channel: Channel, follower: Follower, request: SubscribeRequest) -> None:
        requested = check_patterns(request.patterns)
        if isinstance(request, UnsubscribeRequest):
            patterns = follower.viewer.patterns - requested
        else:
            # A client that never subscribed follows everything; its first subscription narrows that.
            patterns = requested | (follower.viewer.patterns if follower.has_subscribed else frozenset())
        check_patterns(patterns)
        await channel.settled()
        follower.has_subscribed = True
        channel.move(follower, follower.viewer.following(patterns))
        number = channel.number_of(follower.viewer) or 0
        follower.send_control(Subscribed(patterns=sorted(patterns), sequence=number))
