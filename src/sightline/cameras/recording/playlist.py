"""HLS playlists of recordings. Pure.

Initialization and media of a segment are byte ranges of one object (ADR 0062).
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from math import ceil

from sightline.cameras.recording.recording import Recording
from sightline.timing import iso_utc

LIVE_SEGMENTS = 6
MAX_OVERLAP_SHARE = 0.5


def playable(recordings: Sequence[Recording]) -> list[Recording]:
    """In order of time, without those that repeat what was shown, and without those that need one that is missing."""
    found: list[Recording] = []
    for one in recordings:
        before = found[-1] if found else None
        plays_on = before is not None and one.continues(before)
        if plays_on or (one.is_independent and (before is None or not _repeats(before, one))):
            found.append(one)
    return found


def _repeats(before: Recording, after: Recording) -> bool:
    """Two processes may have watched the camera at the same time."""
    overlap = (before.ended_at - after.started_at) / timedelta(seconds=1)
    return overlap > MAX_OVERLAP_SHARE * after.duration_s


def newest_segments(recordings: Sequence[Recording]) -> list[Recording]:
    """The last segments of live view: those whose numbers follow each other, beginning with a key frame."""
    found: list[Recording] = []
    for one in reversed(recordings):
        if found and found[0].sequence != one.sequence + 1:
            break
        found.insert(0, one)
        if len(found) >= LIVE_SEGMENTS and one.is_independent:
            break
    while found and not found[0].is_independent:
        del found[0]
    return found


def recording_playlist(recordings: Sequence[Recording], addresses: Mapping[str, str], since: datetime) -> str:
    """Everything that was recorded, with its time; playing starts at `since`. `addresses` are by key."""
    head = ["#EXT-X-MEDIA-SEQUENCE:0", "#EXT-X-PLAYLIST-TYPE:VOD"]
    if recordings and since > recordings[0].started_at:
        offset_s = (since - recordings[0].started_at).total_seconds()
        head.append(f"#EXT-X-START:TIME-OFFSET={offset_s:.3f},PRECISE=YES")
    return "\n".join([*_head(recordings), *head, *_body(recordings, addresses), "#EXT-X-ENDLIST", ""])


def live_playlist(recordings: Sequence[Recording], addresses: Mapping[str, str]) -> str:
    """Without an end. Numbers go on over breaks of the stream, so a player does too."""
    first = recordings[0]
    head = [f"#EXT-X-MEDIA-SEQUENCE:{first.sequence}", f"#EXT-X-DISCONTINUITY-SEQUENCE:{first.breaks}"]
    return "\n".join([*_head(recordings), *head, *_body(recordings, addresses), ""])


def _head(recordings: Sequence[Recording]) -> list[str]:
    longest_s = max((one.duration_s for one in recordings), default=1.0)
    independent = ["#EXT-X-INDEPENDENT-SEGMENTS"] if all(one.is_independent for one in recordings) else []
    return ["#EXTM3U", "#EXT-X-VERSION:7", f"#EXT-X-TARGETDURATION:{max(1, ceil(longest_s))}", *independent]


def _body(recordings: Sequence[Recording], addresses: Mapping[str, str]) -> list[str]:
    lines: list[str] = []
    before: Recording | None = None
    for one in recordings:
        address = addresses[one.key]
        if before is None or not one.continues(before):
            lines += [] if before is None else ["#EXT-X-DISCONTINUITY"]
            lines.append(f'#EXT-X-MAP:URI="{address}",BYTERANGE="{one.init_bytes}@0"')
        lines += [
            f"#EXT-X-PROGRAM-DATE-TIME:{iso_utc(one.started_at)}",
            f"#EXTINF:{one.duration_s:.6f},",
            f"#EXT-X-BYTERANGE:{one.bytes - one.init_bytes}@{one.init_bytes}",
            address,
        ]
        before = one
    return lines
