"""Video moves on the live feed, for people who may see the video."""

from sightline.contracts.video_events import VideoStatusChanged
from sightline.db import Transaction
from sightline.live import LiveFeed, LiveMessage
from sightline.videos.video import Video

STREAM = "videos"
STATUS_TYPE = "video.status"


class VideoFeed:
    def __init__(self, feed: LiveFeed) -> None:
        self._feed = feed

    async def video_moved(self, tx: Transaction, video: Video, change: VideoStatusChanged) -> None:
        # Subscribers see what the API would show them, which does not include the email address.
        data = {name: value for name, value in change.to_detail().items() if name not in ("userEmail", "userId")}
        data["indexStatus"] = video.index_status
        message = LiveMessage(STREAM, STATUS_TYPE, data, owner_id=video.owner_id, team_id=video.team_id)
        await self._feed.append(tx, message)
