"""The live feed: numbered messages that browsers follow, with replay and acknowledgements."""

from sightline.live.build import OpenTransport, open_transport
from sightline.live.catch_up import ConnectRequest
from sightline.live.feed import LiveFeed
from sightline.live.follower import Connection, Follower
from sightline.live.frames import Frames, close_frame
from sightline.live.housekeeping import LiveSweep
from sightline.live.hub import LiveHub
from sightline.live.message import FeedRecord, LiveMessage
from sightline.live.metrics import LiveMetrics
from sightline.live.resume import ResumePoint, StreamState
from sightline.live.retry import BroadcastRetryMetrics
from sightline.live.settings import LiveSettings
from sightline.live.store import StoredAck, read_after, stream_state
from sightline.live.streams import STREAMS, Stream, stream_named
from sightline.live.viewer import EVERYTHING, check_patterns

__all__ = [
    "EVERYTHING",
    "STREAMS",
    "BroadcastRetryMetrics",
    "ConnectRequest",
    "Connection",
    "FeedRecord",
    "Follower",
    "Frames",
    "LiveFeed",
    "LiveHub",
    "LiveMessage",
    "LiveMetrics",
    "LiveSettings",
    "LiveSweep",
    "OpenTransport",
    "ResumePoint",
    "StoredAck",
    "Stream",
    "StreamState",
    "check_patterns",
    "close_frame",
    "open_transport",
    "read_after",
    "stream_named",
    "stream_state",
]
