"""Ids that begin like the id of their video. Pure; queries do the same where the database makes the rest of an id.

Rows of one video then lie side by side in the index of ids. With ids that are random from their first digit, each row of a video
changes another page of that index, and the more videos there are, the more pages are read and logged for each.
"""

from uuid import UUID

SHARED_BYTES = 6


def local_id(video_id: UUID, own: UUID) -> UUID:
    return UUID(bytes=video_id.bytes[:SHARED_BYTES] + own.bytes[SHARED_BYTES:])
