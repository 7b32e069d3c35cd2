"""The fan-out: who is given which bytes, in which order, while others join, move, break and leave."""

import asyncio
import json
import struct
import uuid

import pytest
from prometheus_client import CollectorRegistry

from sightline.contracts import Caller
from sightline.live import FeedRecord, LiveMetrics
from sightline.live.channel import SOCKETS_PER_TURN, Channel
from sightline.live.follower import Follower
from sightline.live.viewer import Viewer

ANN, BEN, TEAM = uuid.uuid4(), uuid.uuid4(), uuid.uuid4()


class Socket:
    """Keeps what it is given; breaks or stalls if told to."""

    def __init__(self):
        self.given = []
        self.pending = 0
        self.is_broken = False
        self.kicked = None

    def send(self, frames):
        if self.is_broken:
            raise RuntimeError("broken")
        self.given.append(frames)
        return True

    def pending_bytes(self):
        return self.pending

    def close(self, code, reason):
        self.kicked = (code, reason)

    kick = close

    @property
    def messages(self):
        return [json.loads(payload) for frames in self.given for payload in frames.payloads]

    @property
    def sequences(self):
        return [message["sequence"] for message in self.messages]


@pytest.fixture
def registry():
    return CollectorRegistry()


@pytest.fixture
def channel(registry):
    made = Channel("events", buffer_size=100, metrics=LiveMetrics(registry))
    made.begin("epoch", 0, [])
    return made


def follow(channel, caller=None, *, patterns=frozenset({"*"}), on_slow=lambda: None, client_id="c"):
    caller = caller or Caller(ANN)
    follower = Follower(
        Socket(),
        caller,
        Viewer.of(caller, patterns),
        client_id=client_id,
        has_client_id=True,
        since=0,
        now=0.0,
        heartbeat_s=30.0,
        max_pending_bytes=1000,
        on_slow=on_slow,
    )
    channel.join(follower, channel.top)  # the number of those who may see everything
    return follower


def messages(first, count=1, **more):
    return [
        FeedRecord(number, more.get("kind", "event"), None, more.get("requires_ack", False), "{}", more.get("owner_id"))
        for number in range(first, first + count)
    ]


async def test_messages_that_come_together_go_out_as_one_write_shared_by_all_who_see_the_same(channel):
    same = [follow(channel), follow(channel), follow(channel, Caller(BEN))]
    await channel.broadcast(messages(1, 3), 0.0)
    (frames,) = {id(frames): frames for one in same for frames in one.connection.given}.values()
    assert len(frames.payloads) == 3
    assert frames.wire.count(struct.pack("!B", 0x81)) >= 3


async def test_a_message_of_one_person_is_offered_to_nobody_elses_connections(channel):
    ann, team_mate, ben = (
        follow(channel),
        follow(channel, Caller(BEN, team_ids=(TEAM,))),
        follow(channel, Caller(BEN)),
    )
    mine = FeedRecord(1, "event", None, False, "{}", owner_id=ANN, team_id=TEAM)
    assert {one.key for one in channel._groups.that_may_see(mine)} == {ann.viewer.audience, team_mate.viewer.audience}
    await channel.broadcast([mine], 0.0)
    assert (ann.connection.sequences, team_mate.connection.sequences, ben.connection.sequences) == ([1], [1], [])


@pytest.mark.req(215)
async def test_a_socket_that_breaks_or_stalls_is_passed_over_and_the_others_get_everything(channel):
    slow: list[str] = []
    followers = [follow(channel, on_slow=lambda: slow.append("slow")) for _ in range(9)]
    followers[2].connection.is_broken = True
    followers[5].connection.pending = 1001
    followers[7].connection.pending = 1000  # at the mark is not above it
    await channel.broadcast(messages(1), 0.0)
    await channel.broadcast(messages(2), 0.0)
    for number, follower in enumerate(followers):
        assert follower.connection.sequences == ([] if number in (2, 5) else [1, 2])
    assert followers[5].connection.kicked == (4008, "slow consumer")
    assert slow == ["slow"]


async def test_others_have_their_turn_while_many_sockets_are_written_to(channel):
    followers = [follow(channel) for _ in range(SOCKETS_PER_TURN * 3)]
    broadcasting = asyncio.create_task(channel.broadcast(messages(1), 0.0))
    await asyncio.sleep(0)
    reached = sum(bool(follower.connection.given) for follower in followers)
    assert reached == SOCKETS_PER_TURN
    assert channel.is_busy
    await broadcasting
    assert not channel.is_busy
    assert all(follower.connection.sequences == [1] for follower in followers)


@pytest.mark.req(211)
async def test_who_joins_half_way_is_given_the_message_by_replay_and_not_twice(channel):
    for _ in range(SOCKETS_PER_TURN * 2):
        follow(channel)
    broadcasting = asyncio.create_task(channel.broadcast(messages(1), 0.0))
    await asyncio.sleep(0)
    assert channel.is_busy
    late = follow(channel)
    assert [one.number for one in channel.missed(late.viewer, 1, after=0)] == [1]
    await broadcasting
    assert late.connection.sequences == []
    await channel.broadcast(messages(2), 0.0)
    assert late.connection.sequences == [2]


async def test_who_wants_to_move_half_way_waits_until_everybody_has_the_message(channel):
    followers = [follow(channel) for _ in range(SOCKETS_PER_TURN * 2)]
    broadcasting = asyncio.create_task(channel.broadcast(messages(1), 0.0))
    await asyncio.sleep(0)
    assert channel.is_busy
    await channel.settled()
    assert all(follower.connection.sequences == [1] for follower in followers)
    channel.move(followers[0], followers[0].viewer.following(frozenset({"other"})))
    await broadcasting
    await channel.broadcast(messages(2), 0.0)
    assert (followers[0].connection.sequences, followers[1].connection.sequences) == ([1], [1, 2])


async def test_prev_names_the_last_message_that_the_group_could_see(channel):
    everything, only_b = follow(channel), follow(channel, patterns=frozenset({"b"}))
    for number, kind in enumerate("abaab", start=1):
        await channel.broadcast(messages(number, kind=kind), 0.0)
    assert all("prev" not in message for message in everything.connection.messages)
    assert [(m["sequence"], m["prev"]) for m in only_b.connection.messages] == [(2, 0), (5, 2)]
    late = follow(channel, Caller(BEN), patterns=frozenset({"b"}))
    await channel.broadcast(messages(6, kind="b"), 0.0)
    await channel.broadcast(messages(7, kind="a"), 0.0)
    await channel.broadcast(messages(8, kind="b"), 0.0)
    assert [(m["sequence"], m.get("prev", m["sequence"] - 1)) for m in late.connection.messages] == [(6, 5), (8, 6)]


@pytest.mark.req(210)
async def test_the_buffer_holds_the_last_100_and_none_across_a_hole(channel):
    await channel.broadcast(messages(1, 100), 0.0)
    assert channel.state.oldest == 1
    await channel.broadcast(messages(101), 0.0)
    assert (channel.state.oldest, channel.state.top) == (2, 101)
    await channel.broadcast(messages(105, 2), 0.0)
    assert (channel.state.oldest, channel.state.top) == (105, 106)


async def test_who_left_gets_nothing_and_leaves_nothing_behind(channel, registry):
    follower, other = follow(channel, Caller(ANN, team_ids=(TEAM,))), follow(channel, client_id="d")
    channel.leave(follower)
    await channel.broadcast(messages(1), 0.0)
    assert (follower.connection.sequences, other.connection.sequences) == ([], [1])
    channel.leave(other)
    assert channel.size == 0
    assert list(channel._groups) == []
    assert (channel._devices, channel._groups._by_user, channel._groups._by_team) == ({}, {}, {})
    assert registry.get_sample_value("sightline_live_connections", {"stream": "events"}) == 0


async def test_only_what_was_sent_and_wants_it_is_owed(channel):
    named, narrow = follow(channel), follow(channel, patterns=frozenset({"other"}))
    await channel.broadcast([*messages(1), *messages(2, requires_ack=True)], 100.0)
    assert [one.number for one, _ in named.pending_acks.due(105.0)] == [2]
    assert len(narrow.pending_acks) == 0
