"""Parameter sets of H.264 and H.265 in key frames, and headers of AAC packets. Pure.

Cameras change their resolution without a word in the container: only the parameter sets in front of a key frame tell.
"""

from collections.abc import Iterator

_START_CODE = b"\x00\x00\x01"
_H264_PARAMETER_SETS = (7, 8)
_HEVC_PARAMETER_SETS = (32, 33, 34)
MAX_HEADER_BYTES = 16 * 1024
"""Parameter sets stand before the first picture; no more than this is searched for them."""
_ADTS_RATES = (96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350)
_ADTS_HEADER_BYTES = 7
_ADTS_CHECKSUM_BYTES = 2


def is_annex_b(data: bytes) -> bool:
    """Whether units are separated by start codes; otherwise each follows its length."""
    return data.startswith((b"\x00\x00\x00\x01", _START_CODE))


def annex_b_units(data: bytes) -> Iterator[bytes]:
    """The units between start codes, without them and without trailing zeros."""
    at = data.find(_START_CODE)
    while at >= 0:
        begins = at + len(_START_CODE)
        at = data.find(_START_CODE, begins)
        unit = data[begins : at if at >= 0 else len(data)].rstrip(b"\x00")
        if unit:
            yield unit


def parameter_sets(data: bytes, codec: str) -> tuple[bytes, ...]:
    """Those in front of the picture, in their order; none if the packet has no start codes or repeats none."""
    if not is_annex_b(data):
        return ()
    found = []
    for unit in annex_b_units(data[:MAX_HEADER_BYTES]):
        kind = unit[0] & 0x1F if codec == "h264" else (unit[0] >> 1) & 0x3F
        if kind in (_H264_PARAMETER_SETS if codec == "h264" else _HEVC_PARAMETER_SETS):
            found.append(unit)
        elif kind <= 5 if codec == "h264" else kind < 32:
            break
    return tuple(found)


def without_adts(data: bytes) -> tuple[bytes, bytes | None]:
    """An AAC packet without its ADTS header, and the configuration that the header stood for; None without a header."""
    if len(data) <= _ADTS_HEADER_BYTES or data[0] != 0xFF or data[1] & 0xF6 != 0xF0:
        return data, None
    profile, rate, channels = data[2] >> 6, (data[2] >> 2) & 0xF, (data[2] & 1) << 2 | data[3] >> 6
    if rate >= len(_ADTS_RATES):
        return data, None
    bits = (profile + 1) << 11 | rate << 7 | channels << 3
    header = _ADTS_HEADER_BYTES + (0 if data[1] & 1 else _ADTS_CHECKSUM_BYTES)
    return data[header:], bits.to_bytes(2, "big")
