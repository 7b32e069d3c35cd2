"""File types by the first bytes and never by the name. Pure, and imports nothing: the command line uses it without the platform."""

HEAD_BYTES = 4096
WEBP = "webp"
"""An animation that no demuxer reads; it is unpacked and handed on as Matroska."""
BARE_DEMUXERS = ("h264", "hevc", "mpegvideo")
"""Streams without a container, and so without times."""
DEMUXERS = ("mov", "matroska", "avi", "mpegts", "flv", "ogg", "mpeg", "asf", "gif", *BARE_DEMUXERS)

MP4_BOXES = (b"ftyp", b"moov", b"mdat", b"free", b"skip", b"wide", b"pnot")
_TS_PACKETS = ((0, 188), (4, 192))
"""Offset of the first packet and length of each: plain, and as discs and cameras write them."""

# Known types that are not accepted, in words for people.
_OTHERS: tuple[tuple[bytes, str], ...] = (
    (b"#EXTM3U", "an HLS playlist, which leads to other files"),
    (b"ffconcat", "a concat script, which leads to other files"),
    (b"v=0", "a session description (SDP), which leads to other addresses"),
    (b"[playlist]", "a playlist, which leads to other files"),
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"\x89PNG", "a PNG picture"),
    (b"GIF8", "a GIF picture"),
    (b"ID3", "an MP3 sound file"),
    (b"fLaC", "a FLAC sound file"),
    (b"\x00\x00\x00\x01", "a bare stream of a codec that is not known"),
    (b"\x7fELF", "a program"),
)


def demuxer_name(head: bytes) -> str | None:
    """The demuxer for a video that starts with these bytes; None for anything else."""
    if head[4:8] in MP4_BOXES:
        return "mov"
    if head.startswith(b"\x1a\x45\xdf\xa3"):
        return "matroska"
    if head.startswith(b"RIFF") and head[8:12] == b"AVI ":
        return "avi"
    if head.startswith(b"FLV\x01"):
        return "flv"
    if head.startswith(b"OggS"):
        return "ogg"
    if head.startswith(b"\x00\x00\x01\xba"):
        return "mpeg"
    if head.startswith(b"\x30\x26\xb2\x75\x8e\x66\xcf\x11"):
        return "asf"
    if head.startswith(b"GIF8") and _is_animated_gif(head):
        return "gif"
    if head.startswith(b"RIFF") and head[8:16] == b"WEBPVP8X" and len(head) > 20 and head[20] & 2:
        return WEBP
    if (bare := _bare_stream(head)) is not None:
        return bare
    return "mpegts" if any(_is_transport_stream(head, *form) for form in _TS_PACKETS) else None


def _is_animated_gif(head: bytes) -> bool:
    """Whether it says that it repeats, or that its first picture is shown for a time. A GIF picture says neither."""
    control = head.find(b"\x21\xf9\x04")
    has_delay = 0 <= control < len(head) - 5 and any(head[control + 4 : control + 6])
    return has_delay or b"NETSCAPE2.0" in head or b"ANIMEXTS1.0" in head


def _bare_stream(head: bytes) -> str | None:
    """By the first unit after a start code, which has to be one that a stream begins with."""
    for start in (b"\x00\x00\x00\x01", b"\x00\x00\x01"):
        if head.startswith(start) and len(head) > len(start) + 1:
            first, second = head[len(start)], head[len(start) + 1]
            if start == b"\x00\x00\x01" and first == 0xB3:
                return "mpegvideo"
            if first & 0x9F in (0x07, 0x09):  # parameters of a sequence, or a delimiter
                return "h264"
            if second == 1 and first >> 1 in (32, 33, 35):  # likewise
                return "hevc"
    return None


def _is_transport_stream(head: bytes, first: int, length: int) -> bool:
    """Text may start with a G too, but does not repeat it at this distance."""
    marks = head[first::length]
    return len(marks) >= 2 and marks[:8] == b"G" * len(marks[:8])


def describe_other(head: bytes) -> str:
    """What a file that is no video is, in words for people."""
    if not head:
        return "the file is empty"
    kind = _kind(head)
    return f"the file is not a video but {kind}" if kind else "this file isn't a video we can read"


def _kind(head: bytes) -> str | None:
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    for beginning, name in _OTHERS:
        if text.startswith(beginning) or head.startswith(beginning):
            return name
    lowered = text[:2048].lower()
    if b"<mpd" in lowered:
        return "a DASH manifest, which leads to other files"
    if lowered.startswith((b"<?xml", b"<smoothstreamingmedia", b"<asx", b"<smil")):
        return "an XML document"
    if lowered.startswith((b"<!doctype", b"<html")):
        return "a web page"
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return "a WebP picture"
    if head.startswith(b"RIFF"):
        return "a RIFF file without pictures"
    if _is_text(head):
        return "a text file"
    return None


def _is_text(head: bytes) -> bool:
    return not any(byte < 9 or 13 < byte < 32 for byte in head)
