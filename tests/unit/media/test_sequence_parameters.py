"""Sequence parameters are looked for where units have start codes only."""

from sightline.media.stream.track_copier import sequence_parameters


def test_they_are_found_behind_a_start_code():
    assert sequence_parameters(b"\0\0\0\1\x67abc\0\0\0\1\x68d") == b"\x67abc"
    assert sequence_parameters(b"\0\0\0\1\x65abc") is None
