"""The live feed: numbered messages that browsers follow, with replay and acknowledgements."""

from sightline.live.build import OpenTransport, open_transport
from sightline.live.catch_up import ConnectRequest
from sightline.live.feed import LiveFeed
from sightline.live.follower import Connection, Follower
from sightline.live.frames import Frames, close_frame
from sightline.live.housekeeping import LiveSweep
from sightline.live.hub import LiveHub
from sightline.live.message import FeedRecord, LiveMessage, Numbered
from sightline.live.metrics import LiveMetrics
from sightline.live.resume import ResumePoint, StreamState, epoch_for
from sightline.live.retry import BroadcastRetryMetrics
from sightline.live.settings import LiveSettings
from sightline.live.store import EventNote, StoredAck, messages_after, numbers_of, place_of, read_numbered, stream_state
from sightline.live.streams import STREAMS, Stream, stream_named
from sightline.live.viewer import EVERYTHING, check_patterns

__all__ = [
    "EVERYTHING",
    "STREAMS",
    "BroadcastRetryMetrics",
    "ConnectRequest",
    "Connection",
    "EventNote",
    "FeedRecord",
    "Follower",
    "Frames",
    "LiveFeed",
    "LiveHub",
    "LiveMessage",
    "LiveMetrics",
    "LiveSettings",
    "LiveSweep",
    "Numbered",
    "OpenTransport",
    "ResumePoint",
    "StoredAck",
    "Stream",
    "StreamState",
    "check_patterns",
    "close_frame",
    "epoch_for",
    "messages_after",
    "numbers_of",
    "open_transport",
    "place_of",
    "read_numbered",
    "stream_named",
    "stream_state",
]
