"""What can be wrong with a video for good."""

from sightline.errors import PermanentFailure


class MediaUnreadable(PermanentFailure):
    """The file is no video that is taken in, is damaged, or asks for more than it may have. The message says which, for people."""


class ObjectMissing(PermanentFailure):
    """What the job was to work on is not in the store."""
