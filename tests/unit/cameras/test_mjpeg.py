"""Motion JPEG in pieces of any size."""

import pytest

from sightline.cameras.sources.mjpeg import MAX_PICTURE_BYTES, MjpegParser, NotMjpeg, boundary_of

PICTURES = [b"\xff\xd8first\r\n--other\xff\xd9", b"\xff\xd8second\xff\xd9", b"\xff\xd8third\xff\xd9"]


def body(*, has_lengths: bool) -> bytes:
    parts = [b"preamble\r\n"]
    for picture in PICTURES:
        length = b"Content-Length: %d\r\n" % len(picture) if has_lengths else b""
        parts.append(b"--frame\r\nContent-Type: image/jpeg\r\n" + length + b"\r\n" + picture + b"\r\n")
    return b"".join([*parts, b"--frame--"])


@pytest.mark.req(570)
@pytest.mark.parametrize("has_lengths", [True, False])
@pytest.mark.parametrize("size", [1, 2, 7, 1000])
def test_pictures_are_found_however_they_are_cut(has_lengths, size):
    data, parser = body(has_lengths=has_lengths), MjpegParser(b"--frame")
    found = [picture for at in range(0, len(data), size) for picture in parser.feed(data[at : at + size])]
    assert found == PICTURES


@pytest.mark.parametrize(
    ("content_type", "boundary"),
    [
        ("multipart/x-mixed-replace; boundary=frame", b"--frame"),
        ('multipart/x-mixed-replace;boundary="--my frame"', b"--my frame"),
        ("Multipart/X-Mixed-Replace; charset=x; Boundary=--b", b"--b"),
    ],
)
def test_boundaries_are_written_in_many_ways(content_type, boundary):
    assert boundary_of(content_type) == boundary


def test_what_is_no_sequence_of_pictures_is_refused():
    with pytest.raises(NotMjpeg):
        boundary_of("text/html")
    with pytest.raises(NotMjpeg):
        MjpegParser(b"--frame").feed(b"--frame\r\nContent-Length: 999999999\r\n\r\n")
    with pytest.raises(NotMjpeg):
        MjpegParser(b"--frame").feed(b"--frame" + b"x" * 9000)
    with pytest.raises(NotMjpeg):
        MjpegParser(b"--frame").feed(bytes(MAX_PICTURE_BYTES + 1))
