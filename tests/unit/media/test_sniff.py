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
