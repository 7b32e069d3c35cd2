"""Permanent errors of input files."""

from sightline.errors import PermanentFailure


class MediaUnreadable(PermanentFailure):
    """The file is not a supported video, is damaged, or exceeds a limit. The message is for people."""


class ObjectMissing(PermanentFailure):
    """The object that the job needs is not in the store."""
