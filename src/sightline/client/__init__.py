"""Client library: follow Sightline's live feeds from Python. It knows the protocols and nothing of the server's code."""

from sightline.client.live import LiveClient
from sightline.client.live_rules import FeedGap, FeedMessage, FeedPosition

__all__ = ["FeedGap", "FeedMessage", "FeedPosition", "LiveClient"]
