"""HLS playlists."""

import pytest

from sightline.media.input import MediaUnreadable
from sightline.media.stream.playlist import PlaylistSegment, parse_playlist, render_playlist, with_length

SEGMENTS = [PlaylistSegment("segment_00000.ts", 6.0), PlaylistSegment("segment_00001.ts", 2.5)]


def test_what_is_written_is_read_again():
    assert parse_playlist(render_playlist(SEGMENTS)) == SEGMENTS


def test_addresses_take_the_place_of_names():
    text = render_playlist(SEGMENTS, {segment.name: f"https://x/{segment.name}?sig=1" for segment in SEGMENTS})
    lines = text.splitlines()
    assert lines[0] == "#EXTM3U"
    assert "#EXT-X-TARGETDURATION:6" in lines
    assert lines[-5:] == [
        "#EXTINF:6.000000,",
        "https://x/segment_00000.ts?sig=1",
        "#EXTINF:2.500000,",
        "https://x/segment_00001.ts?sig=1",
        "#EXT-X-ENDLIST",
    ]


def test_no_segment_is_longer_than_the_target():
    assert "#EXT-X-TARGETDURATION:7" in render_playlist([PlaylistSegment("segment_0.ts", 6.2)])
    assert "#EXT-X-TARGETDURATION:1" in render_playlist([PlaylistSegment("segment_0.ts", 0.1)])


@pytest.mark.parametrize(
    "name", ["http://evil/segment_0.ts", "../segment_0.ts", "segment_0.ts?x", "other.ts", "segment_x.ts"]
)
def test_anything_but_a_segment_is_refused(name):
    with pytest.raises(MediaUnreadable, match="not a segment"):
        parse_playlist(f"#EXTM3U\n#EXTINF:1.0,\n{name}\n")


def test_the_last_segment_lasts_until_the_end():
    assert with_length(SEGMENTS, 10.0) == [SEGMENTS[0], PlaylistSegment("segment_00001.ts", 4.0)]
    assert with_length(SEGMENTS, 5.0)[1].duration_s > 0
