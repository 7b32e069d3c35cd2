"""What a file is, by its first bytes."""

import pytest

from sightline.media.input import MediaUnreadable
from sightline.media.input.sniff import announced_bytes, demuxer_of

MPD = b'<?xml version="1.0"?>\n<MPD xmlns="urn:mpeg:dash:schema:mpd:2011"><BaseURL>http://evil/</BaseURL></MPD>'


@pytest.mark.parametrize(
    ("head", "demuxer"),
    [
        (b"\0\0\0\x20ftypisom", "mov"),
        (b"\0\0\0\x08wide\0\0\0\0mdat", "mov"),
        (b"\x1a\x45\xdf\xa3\x01\0\0\0", "matroska"),
        (b"RIFF\x10\0\0\0AVI LIST", "avi"),
        (b"FLV\x01\x05", "flv"),
        (b"OggS\0\x02", "ogg"),
        (b"\x00\x00\x01\xba\x44", "mpeg"),
        (b"\x30\x26\xb2\x75\x8e\x66\xcf\x11\xa6\xd9", "asf"),
        (b"GIF89a" + bytes(7) + b"\x21\xff\x0bNETSCAPE2.0\x03", "gif"),
        (b"GIF89a" + bytes(7) + b"\x21\xf9\x04\x00\x0a\x00\x00\x00", "gif"),
        (b"RIFF\x10\0\0\0WEBPVP8X\x0a\0\0\0\x12\0\0\0", "webp"),
        (b"\0\0\0\x01\x67\x64\x00\x0c", "h264"),
        (b"\0\0\x01\x09\xf0", "h264"),
        (b"\0\0\0\x01\x40\x01\x0c", "hevc"),
        (b"\0\0\x01\xb3\x14\x00", "mpegvideo"),
        ((b"G" + b"\0" * 187) * 5, "mpegts"),
        (b"\0\0\0\0" + (b"G" + b"\0" * 191) * 5, "mpegts"),
    ],
)
def test_videos_are_known_by_their_first_bytes(head, demuxer):
    assert demuxer_of(head) == demuxer


@pytest.mark.parametrize(
    ("head", "said"),
    [
        (b"", "empty"),
        (MPD, "a DASH manifest, which leads to other files"),
        (b"\xef\xbb\xbf  \n" + MPD[22:], "a DASH manifest"),
        (b"ffconcat version 1.0\nfile other.mp4\n", "a concat script"),
        (b"#EXTM3U\n#EXTINF:1,\nother.ts\n", "an HLS playlist"),
        (b"v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\n", "SDP"),
        (b"%PDF-1.7", "a PDF"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "a JPEG picture"),
        (b"RIFF\x10\0\0\0WAVEfmt ", "without pictures"),
        (b"GIF87a" + bytes(100), "a GIF picture"),
        (b"RIFF\x10\0\0\0WEBPVP8 ", "a WebP picture"),
        (b"\0\0\0\x01\x25\x00", "a codec that is not known"),
        (b"ID3\x04", "an MP3"),
        (b"G is how this begins, and it is no transport stream. " * 20, "a text"),
        (b"\x01\x02\x03\x04", "this file isn't a video we can read"),
        (b"<html><body>", "a web page"),
    ],
)
def test_anything_else_is_refused_by_name(head, said):
    with pytest.raises(MediaUnreadable, match=said):
        demuxer_of(head)


def test_a_riff_file_says_how_large_it_is():
    assert announced_bytes(b"RIFF\x10\x00\x00\x00AVI ") == 24
    assert announced_bytes(b"RIFF\xff\xff\xff\xffAVI ") is None
    assert announced_bytes(b"\0\0\0\x20ftypisom") is None
