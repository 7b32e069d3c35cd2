"""Timers of connections: pings, redelivery of unacknowledged messages, and expiry."""

from collections.abc import Iterable

from sightline.contracts.live import Ping
from sightline.live.channel import Channel
from sightline.live.follower import Follower
from sightline.live.frames import Frames
from sightline.live.metrics import LiveMetrics
from sightline.live.settings import LiveSettings

LOOK_EVERY_S = 1.0
NORMAL = 1000
POLICY = 1008


class ConnectionTimers:
    """Checks all connections with one timer."""

    def __init__(self, settings: LiveSettings, metrics: LiveMetrics, *, shortest_redelivery_s: float) -> None:
        self._settings = settings
        self._metrics = metrics
        shortest = min(settings.heartbeat_s, settings.idle_close_s, shortest_redelivery_s)
        self.every_s = min(LOOK_EVERY_S, shortest / 4)

    def look(self, channels: Iterable[Channel], now: float) -> None:
        for channel in channels:
            # During a broadcast the last number is valid for some followers only; the next check is soon enough.
            if channel.is_busy:
                continue
            pings: dict[tuple[int, str], Frames] = {}
            for group, follower in channel.followers():
                if self._is_over(follower, now):
                    continue
                if follower.ping_at <= now:
                    follower.ping_at = now + self._settings.heartbeat_s
                    position = (group.last, channel.epoch_for(group.viewer))
                    ping = pings.get(position)
                    if ping is None:
                        ping = pings[position] = Frames([Ping(lastSeq=position[0], epoch=position[1]).encode()])
                    follower.send(ping)
                if len(follower.pending_acks):
                    self._redeliver(channel, follower, now)

    def _is_over(self, follower: Follower, now: float) -> bool:
        if follower.ends_at is not None and now >= follower.ends_at:
            follower.close(POLICY, "the token has expired")
        elif now - follower.last_received_at >= self._settings.idle_close_s:
            follower.close(NORMAL, "idle")
        return not follower.is_open

    def _redeliver(self, channel: Channel, follower: Follower, now: float) -> None:
        due = follower.pending_acks.due(now)
        if due and follower.send(Frames([one.message.payload(one.number, redelivery=times) for one, times in due])):
            self._metrics.redelivered.labels(channel.name).inc(len(due))
