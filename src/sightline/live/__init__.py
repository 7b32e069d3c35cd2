"""Owns the numbered feed that browsers follow: append, replay, acknowledgements."""

from sightline.live.build import LiveWay, open_way
from sightline.live.catch_up import Wish
from sightline.live.feed import LiveFeed
from sightline.live.follower import Connection, Follower
from sightline.live.frames import Frames, close_frame
from sightline.live.housekeeping import LiveSweep
from sightline.live.hub import LiveHub
from sightline.live.message import LiveMessage, StoredMessage
from sightline.live.metrics import LiveMetrics
from sightline.live.resume import Position, Standing
from sightline.live.retry import BroadcastRetryMetrics
from sightline.live.settings import LiveSettings
from sightline.live.store import StoredAck, read_after, standing
from sightline.live.streams import STREAMS, Stream, stream_named
from sightline.live.viewer import EVERYTHING, check_patterns

__all__ = [
    "EVERYTHING",
    "STREAMS",
    "BroadcastRetryMetrics",
    "Connection",
    "Follower",
    "Frames",
    "LiveFeed",
    "LiveHub",
    "LiveMessage",
    "LiveMetrics",
    "LiveSettings",
    "LiveSweep",
    "LiveWay",
    "Position",
    "Standing",
    "StoredAck",
    "StoredMessage",
    "Stream",
    "Wish",
    "check_patterns",
    "close_frame",
    "open_way",
    "read_after",
    "standing",
    "stream_named",
]
