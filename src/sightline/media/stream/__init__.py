"""The stream that browsers play and the poster: the transcode job and signed URLs for playback."""

from sightline.media.stream.playback import signed_original, signed_playlist, signed_poster
from sightline.media.stream.transcode import TranscodeJob

__all__ = ["TranscodeJob", "signed_original", "signed_playlist", "signed_poster"]
