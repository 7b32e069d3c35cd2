"""The stream that browsers play and the poster: the transcode job and signed URLs for playback."""

from sightline.media.stream.playback import part_of_stream, signed_original, signed_playlist, signed_poster
from sightline.media.stream.playlist import render_playlist
from sightline.media.stream.playlist_part import PlaylistPart
from sightline.media.stream.transcode import TranscodeJob

__all__ = [
    "PlaylistPart",
    "TranscodeJob",
    "part_of_stream",
    "render_playlist",
    "signed_original",
    "signed_playlist",
    "signed_poster",
]
