"""Playlists name initialization and media of each segment, and where players must not expect one clock."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

from sightline.cameras.recording import Recording, live_playlist, newest_segments, playable, recording_playlist
from sightline.cameras.recording.segment import new_run

NOON = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)
RUN = UUID(hex=new_run(NOON.timestamp()))
LATER_RUN = UUID(hex=new_run(NOON.timestamp() + 100))


def one(
    number: int,
    *,
    run: UUID = RUN,
    at_s: float | None = None,
    is_independent: bool = True,
    sequence: int | None = None,
    breaks: int = 0,
) -> Recording:
    started_at = NOON + timedelta(seconds=4 * number if at_s is None else at_s)
    return Recording(
        recording_id=UUID(int=number),
        camera_key=UUID(int=0),
        run=run,
        number=number,
        started_at=started_at,
        ended_at=started_at + timedelta(seconds=4),
        key=f"{run.hex[:12]}/{number}",
        bytes=10_000,
        init_bytes=800,
        codec="h264",
        width=640,
        height=360,
        has_audio=False,
        is_independent=is_independent,
        sequence=1000 + number if sequence is None else sequence,
        breaks=breaks,
    )


def addresses(recordings: list[Recording]) -> dict[str, str]:
    return {recording.key: f"https://store/{recording.number}" for recording in recordings}


def test_a_break_has_a_discontinuity_and_an_initialization_of_its_own() -> None:
    found = [one(0), one(1), one(3), one(0, run=LATER_RUN, at_s=100)]
    text = recording_playlist(found, addresses(found), NOON + timedelta(seconds=1.5))
    assert text.count("#EXT-X-DISCONTINUITY\n") == 2
    assert text.count("#EXT-X-MAP:") == 3
    assert text.count("#EXT-X-BYTERANGE:9200@800\n") == 4
    assert '#EXT-X-MAP:URI="https://store/3",BYTERANGE="800@0"' in text
    assert "#EXT-X-START:TIME-OFFSET=1.500,PRECISE=YES" in text
    assert "#EXT-X-PROGRAM-DATE-TIME:2026-03-04T12:00:12.000Z" in text
    assert text.endswith("#EXT-X-ENDLIST\n")


def test_segments_that_repeat_or_cannot_be_decoded_are_left_out() -> None:
    dependent = one(4, is_independent=False)
    assert playable([one(2, is_independent=False), one(3), dependent]) == [one(3), dependent]
    assert playable([one(3), one(5, is_independent=False), one(6)]) == [one(3), one(6)]
    again = one(0, run=LATER_RUN, at_s=5)  # another process watched the camera at the same time
    assert playable([one(0), one(1), again, one(2)]) == [one(0), one(1), one(2)]


def test_live_numbers_go_on_over_a_break_of_the_stream() -> None:
    stream = [
        *(one(number) for number in range(8)),
        *(one(number, run=LATER_RUN, at_s=100 + 4 * number, sequence=1008 + number, breaks=1) for number in range(8)),
    ]
    heads = []
    for last in range(1, len(stream) + 1):
        shown = newest_segments(stream[:last])
        text = live_playlist(shown, addresses(shown))
        assert "#EXT-X-ENDLIST" not in text
        assert text.count("#EXT-X-DISCONTINUITY\n") == int(shown[0].breaks == 0 and shown[-1].breaks == 1)
        heads.append(
            tuple(int(text.split(f"#EXT-X-{name}-SEQUENCE:")[1].split()[0]) for name in ("MEDIA", "DISCONTINUITY"))
        )
    assert heads == [
        *[(1000, 0)] * 6,
        *[(1000 + more, 0) for more in range(1, 8)],
        *[(1008 + more, 1) for more in range(3)],
    ]


def test_live_view_begins_with_a_key_frame_and_after_what_is_missing() -> None:
    assert newest_segments([one(0), one(1), one(3), one(4)]) == [one(3), one(4)]
    assert newest_segments([one(1), one(2, is_independent=False)]) == [one(1), one(2, is_independent=False)]
    assert newest_segments([one(2, is_independent=False)]) == []
    rare = [one(number, is_independent=number % 8 == 0) for number in range(8)]
    assert newest_segments(rare) == rare
