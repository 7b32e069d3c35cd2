"""The demuxer of a file, by its first bytes. Pure.

Only the demuxer named here reads the file, so files that refer to other files or addresses (playlists, manifests, scripts) are
never opened, whatever their name is.
"""

from sightline.file_types import demuxer_name, describe_other
from sightline.media.input.errors import MediaUnreadable


def demuxer_of(head: bytes) -> str:
    """The demuxer for a file that starts with these bytes; refuses files that are not videos."""
    if (known := demuxer_name(head)) is None:
        raise MediaUnreadable(describe_other(head))
    return known


def announced_bytes(head: bytes) -> int | None:
    """The size that the file declares in its first bytes, if it does."""
    if not head.startswith(b"RIFF") or len(head) < 8:
        return None
    size = int.from_bytes(head[4:8], "little")
    return None if size in (0, 0xFFFF_FFFF) else size + 8  # written by recorders that cannot seek back
