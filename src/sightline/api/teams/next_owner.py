"""What a video that moves takes along to its next owner beside what the database moves, for the API and the command line."""

from uuid import UUID

from sightline.bootstrap import Platform
from sightline.db import Transaction
from sightline.retention import measure_video, move_stored
from sightline.teams import OwnerChange
from sightline.videos import Video


async def counting_for_next_owner(platform: Platform, video_id: UUID) -> OwnerChange:
    """Holds the video against the quotas of its next owner, and moves its stored bytes to them in the figures of usage."""
    stored = await measure_video(platform.objects, video_id)

    async def on_change(tx: Transaction, video: Video, owner_id: UUID) -> None:
        await platform.admission.admit_move(tx, video.id, owner_id)
        await move_stored(tx, video.owner_id, owner_id, stored)

    return on_change
