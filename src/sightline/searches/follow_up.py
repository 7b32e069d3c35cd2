"""What follows when a video was indexed: its words can be suggested, and saved searches notify their owners."""

from urllib.parse import urlencode
from uuid import UUID

import structlog

from sightline.contracts import Caller
from sightline.db import Database, Transaction
from sightline.errors import PlatformError
from sightline.live import LiveFeed, LiveMessage
from sightline.messages import EventNotifications, MessageStore
from sightline.searches.box import BoxRequest, search_box
from sightline.searches.saved import SavedSearch, SearchToRun, note_alert, searches_to_run_on
from sightline.searches.words import count_words, forget_change, lock_changes, next_change, postpone_change
from sightline.supervisor import Every
from sightline.text import SearchFilter, SearchRequest
from sightline.videos import Video, VideoStatus, get_video

CHECK_EVERY_S = 5.0
RETRY_AFTER_S = 300.0
STREAM = "videos"
ALERT_TYPE = "search.alert"

log = structlog.get_logger(__name__)


class SearchFollowUp:
    """Each change is dealt with in one transaction: killed half-way, it is done again, and nobody is notified twice."""

    def __init__(
        self,
        database: Database,
        notifications: EventNotifications,
        messages: MessageStore,
        live: LiveFeed,
        *,
        page_url: str,
    ) -> None:
        self._database = database
        self._notifications = notifications
        self._messages = messages
        self._live = live
        self._page_url = page_url.rstrip("/")

    def service(self) -> Every:
        return Every("search-follow-up", CHECK_EVERY_S, self.follow_up)

    async def follow_up(self) -> int:
        """Deals with all changes; returns how many. One that fails is tried again later."""
        done = 0
        while await self._follow_up_one() is not None:
            done += 1
        return done

    async def _follow_up_one(self) -> UUID | None:
        created: list[str] = []
        video_id: UUID | None = None
        try:
            async with self._database.transaction() as tx:
                if not await lock_changes(tx) or (video_id := await next_change(tx)) is None:
                    return None
                created = await self._handle(tx, video_id)
        except Exception:
            if video_id is None:
                raise
            # The other videos do not wait for the one that cannot be handled.
            log.exception("search.follow_up_failed", video_id=str(video_id))
            async with self._database.transaction() as tx:
                await postpone_change(tx, video_id, seconds=RETRY_AFTER_S)
        for message_id in created:
            await self._messages.ensure_stored(message_id)
        return video_id

    async def _handle(self, tx: Transaction, video_id: UUID) -> list[str]:
        """Returns the ids of the messages that were created."""
        video = await get_video(tx, video_id)
        if video is not None and video.status is not VideoStatus.COMPLETED:
            video = None  # what is written when it is completed is another change
        await count_words(tx, video_id, video)
        created: list[str] = []
        told: list[LiveMessage] = []
        for one in [] if video is None else await searches_to_run_on(tx, video_id):
            assert video is not None
            hits = await self._hits(one, video_id)
            if hits == 0 or not await note_alert(tx, one.search.search_id, video_id, hits):
                continue
            created += await self._notify(tx, one.search, video, hits)
            told.append(_live_message(one.search, video, hits))
            log.info("search.alerted", search_id=str(one.search.search_id), video_id=str(video_id), hits=hits)
        await forget_change(tx, video_id)
        for message in told:
            await self._live.append(tx, message)
        return created

    async def _hits(self, one: SearchToRun, video_id: UUID) -> int:
        """Searches as the owner would, with the rights that the owner has."""
        request = SearchRequest(one.search.q, filters=SearchFilter(video_id=video_id), page_size=1)
        owner = Caller(user_id=one.search.owner_id, team_ids=one.team_ids)
        try:
            async with self._database.as_caller(owner.claims()) as tx:
                found = await search_box(tx, BoxRequest(request))
        except PlatformError as error:
            if error.is_retryable:
                raise
            log.warning("search.not_run", search_id=str(one.search.search_id), reason=error.message)
            return 0
        return found.total + len(found.named)

    async def _notify(self, tx: Transaction, search: SavedSearch, video: Video, hits: int) -> list[str]:
        facts = {
            "search_id": search.search_id,
            "search_name": search.name,
            "query": search.q,
            "hits": hits,
            "video_id": video.id,
            "video_name": video.name,
            "click_url": f"{self._page_url}/ui/search?{urlencode({'q': search.q, 'video': video.id})}",
        }
        if search.owner_email is not None:
            facts["user_email"] = search.owner_email
        if video.s3_thumb_path is not None:
            facts["thumbnail_key"] = video.s3_thumb_path
        key = f"{search.search_id}/{video.id}"
        return [
            message.message_id
            for message in await self._notifications.notify(tx, "saved_search", search.owner_id, facts, key=key)
        ]


def _live_message(search: SavedSearch, video: Video, hits: int) -> LiveMessage:
    data = {
        "searchId": str(search.search_id),
        "name": search.name,
        "q": search.q,
        "videoId": str(video.id),
        "videoName": video.name,
        "hits": hits,
    }
    return LiveMessage(STREAM, ALERT_TYPE, data, owner_id=search.owner_id)
