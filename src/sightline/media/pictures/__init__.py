"""Pictures of a local file, picture or video, decoded in the sandbox, as arrays that can be looked at."""

from sightline.media.pictures.read_pictures import TimedPicture, read_pictures

__all__ = ["TimedPicture", "read_pictures"]
