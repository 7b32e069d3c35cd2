"""Segments hold what the camera sent, bit for bit, and play on from one to the next."""

import io
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import av
import pytest

from sightline.cameras.recording.segments import FinishedSegment, PictureSegments, SegmentWriter
from sightline.cameras.recording.segments import segment_writer as writer_module
from sightline.cameras.recording.segments.parameter_sets import annex_b_units, is_annex_b
from support.camera_stream import FPS, camera_stream, numbered_picture, pictures_of
from support.small_disk import small_disk

START_S = 1_772_000_000.0


def record(directory: Path, stream, *, segment_s: float = 2.0, writer: SegmentWriter | None = None):
    """Everything that the stream sends, as if each packet arrived when it is decoded."""
    writer = writer or SegmentWriter(directory, stream.video, stream.audio, segment_s=segment_s)
    sent, finished = [], []
    for packet in stream.packets():
        if packet.stream_index == stream.video.index:
            sent.append(bytes(packet))
        clock = packet.dts if packet.dts is not None else packet.pts
        finished += writer.write(packet, START_S + float((clock or 0) * packet.time_base))
    return writer, sent, finished + writer.close()


def units(data: bytes) -> list[bytes]:
    """The coded units of a packet, however they are separated."""
    if is_annex_b(data):
        return list(annex_b_units(data))
    found, at = [], 0
    while at < len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        found.append(data[at + 4 : at + 4 + size].rstrip(b"\x00"))
        at += 4 + size
    return found


def is_moved(unit: bytes, codec: str, initialization: bytes) -> bool:
    """H.265 has its parameter sets in the initialization only; everything else is where the camera put it."""
    return codec == "hevc" and (unit[0] >> 1) & 0x3F in (32, 33, 34) and unit in initialization


def stored_packets(directory: Path, segments: list[FinishedSegment]):
    for segment in segments:
        with av.open(str(directory / segment.name)) as container:
            yield from (packet for packet in container.demux(video=0) if packet.size)


@pytest.mark.req(579)
@pytest.mark.parametrize(
    "form",
    [{}, {"b_frames": 2}, {"codec": "libx265"}, {"container": "flv"}, {"sound": "aac"}],
    ids=["h264", "reordered", "h265", "rtmp", "sound"],
)
def test_segments_hold_the_very_bytes_that_the_camera_sent_on_one_clock(tmp_path, form):
    stream = camera_stream(7, **form)
    writer, sent, segments = record(tmp_path, stream)
    packets = list(stored_packets(tmp_path, segments))

    initialization = (tmp_path / segments[0].name).read_bytes()[: segments[0].init_bytes]
    expected = [
        [unit for unit in units(data) if not is_moved(unit, segments[0].codec, initialization)] for data in sent
    ]
    assert [units(bytes(packet)) for packet in packets] == expected
    shown = sorted(packet.pts for packet in packets)
    assert {later - earlier for earlier, later in pairwise(shown)} == {90_000 // FPS}
    decoded = [packet.dts for packet in packets]
    assert all(earlier < later for earlier, later in pairwise(decoded))
    assert [round(one.duration_s, 3) for one in segments] == [2.0, 2.0, 2.0, 1.0]
    assert len({(one.run, one.codec, one.init_bytes) for one in segments}) == 1
    assert [one.number for one in segments] == [0, 1, 2, 3]
    assert all(one.is_independent and one.bytes == (tmp_path / one.name).stat().st_size for one in segments)
    assert all(later.started_at - earlier.ended_at < timedelta(microseconds=2) for earlier, later in pairwise(segments))
    assert (writer.problem, writer.dropped) == (None, 0)
    starts = {(tmp_path / one.name).read_bytes()[: one.init_bytes] for one in segments}
    assert len(starts) == 1  # one initialization serves the run


@pytest.mark.req(579)
def test_initialization_and_media_of_different_segments_play_as_one(tmp_path):
    """As a player does: the initialization once, then the media of each segment."""
    _, _, segments = record(tmp_path, camera_stream(7, b_frames=2, sound="aac"))
    contents = [(tmp_path / one.name).read_bytes() for one in segments]
    joined = contents[0][: segments[0].init_bytes] + b"".join(
        content[one.init_bytes :] for one, content in zip(segments, contents, strict=True)
    )
    assert len(pictures_of(joined)) == 7 * FPS
    with av.open(io.BytesIO(joined), "r") as container:
        heard = [packet.pts or 0 for packet in container.demux(audio=0) if packet.size]
        steps = {later - earlier for earlier, later in pairwise(heard)}
        length_s = len(heard) * 1024 / 16000
    assert steps == {1024}
    assert length_s == pytest.approx(7, abs=0.3)


@pytest.mark.req(580)
def test_sound_that_mp4_cannot_play_is_left_out_and_named(tmp_path):
    writer, _, segments = record(tmp_path, camera_stream(3, sound="mp2"))
    assert writer.left_out == "mp2"
    assert not any(one.has_audio for one in segments)


@pytest.mark.req(580)
def test_a_changed_resolution_begins_a_new_run_with_its_own_initialization(tmp_path):
    """The camera changes its pictures without a word in the stream's description."""
    small, large = camera_stream(3), camera_stream(3, width=320, height=192, starts_s=3)
    writer = SegmentWriter(tmp_path, small.video, segment_s=2.0)
    segments = []
    for number, packet in enumerate([*small.packets(), *large.packets()]):
        segments += writer.write(packet, START_S + number / FPS)
    segments += writer.close()

    assert [(one.width, one.height, one.number) for one in segments] == [
        (160, 96, 0),
        (160, 96, 1),
        (320, 192, 0),
        (320, 192, 1),
    ]
    assert len({one.run for one in segments}) == 2
    assert [pictures_of((tmp_path / one.name).read_bytes())[0].width for one in segments] == [160, 160, 320, 320]
    assert sum(one.duration_s for one in segments) == pytest.approx(6)


@pytest.mark.req(580)
def test_a_clock_that_jumps_back_ends_the_run_and_loses_only_what_cannot_be_decoded(tmp_path):
    early, late = camera_stream(3, starts_s=50), camera_stream(3, starts_s=0)
    writer = SegmentWriter(tmp_path, early.video, segment_s=2.0)
    segments = []
    for number, packet in enumerate([*early.packets(), *late.packets()]):
        segments += writer.write(packet, START_S + number / FPS)
    segments += writer.close()
    assert len({one.run for one in segments}) == 2
    assert sum(len(pictures_of((tmp_path / one.name).read_bytes())) for one in segments) == 6 * FPS
    offsets = [one.started_at.timestamp() - START_S for one in segments]
    assert offsets == pytest.approx([0, 2, 3, 5], abs=0.02)


@pytest.mark.req(580)
def test_packets_without_times_are_recorded_as_they_arrive(tmp_path):
    stream = camera_stream(5)
    writer = SegmentWriter(tmp_path, stream.video, segment_s=2.0)
    segments = []
    for number, packet in enumerate(stream.packets()):
        packet.pts = packet.dts = None
        segments += writer.write(packet, START_S + number / FPS)
    segments += writer.close()
    assert [round(one.duration_s, 2) for one in segments] == [2.0, 2.0, 1.0]
    assert sum(len(pictures_of((tmp_path / one.name).read_bytes())) for one in segments) == 5 * FPS


@pytest.mark.req(580)
def test_a_stream_with_rare_key_frames_is_cut_between_them(tmp_path, monkeypatch):
    monkeypatch.setattr(writer_module, "MAX_SEGMENT_S", 3.0)
    _, _, segments = record(tmp_path, camera_stream(8, gop=80))
    assert [one.is_independent for one in segments] == [True, False, False]
    joined = b"".join(
        (tmp_path / one.name).read_bytes()[one.init_bytes if number else 0 :] for number, one in enumerate(segments)
    )
    assert len(pictures_of(joined)) == 8 * FPS


@pytest.mark.req(581)
def test_the_files_that_wait_are_bounded_and_what_is_dropped_is_counted(tmp_path):
    stream = camera_stream(9)
    writer = SegmentWriter(tmp_path, stream.video, segment_s=2.0, max_waiting_bytes=6000)
    _, _, segments = record(tmp_path, stream, writer=writer)
    assert writer.dropped == 5 - len(segments) > 0
    assert writer.problem == "segments are taken too slowly"
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 6000


@pytest.mark.req(585)
def test_a_full_disk_costs_segments_and_recording_resumes_when_there_is_room(tmp_path):
    disk = tmp_path / "disk"
    with small_disk(disk, 1):
        ballast = disk / "ballast"
        ballast.write_bytes(bytes(1024 * 1024 - 8192))
        stream = camera_stream(9)
        writer = SegmentWriter(disk, stream.video, segment_s=2.0)
        finished = []
        for number, packet in enumerate(stream.packets()):
            finished += writer.write(packet, START_S + number / FPS)
            if writer.dropped == 2:
                assert writer.problem == "No space left on device"
                ballast.unlink(missing_ok=True)
        finished += writer.close()
        assert (writer.dropped, writer.problem) == (2, None)
        assert {path.name for path in disk.iterdir()} == {one.name for one in finished}
        assert len(finished) == 3


@pytest.mark.req(582)
def test_pictures_of_a_camera_without_video_become_segments_at_a_low_rate(tmp_path):
    pictures = PictureSegments(tmp_path, max_fps=2.0, segment_s=2.0)
    segments = []
    for number in range(60):  # ten pictures per second for six seconds
        size = (160, 96) if number < 40 else (320, 192)
        segments += pictures.write(numbered_picture(number, *size), START_S + number / 10)
    segments += pictures.close()
    found = [pictures_of((tmp_path / one.name).read_bytes()) for one in segments]
    assert [len(one) for one in found] == [4, 4, 4]
    assert [one[0].width for one in found] == [160, 160, 320]
    assert all(one.codec == "h264" and one.is_independent for one in segments)
    assert [one.started_at.timestamp() - START_S for one in segments] == pytest.approx([0, 2, 4], abs=0.11)
    bright = found[0][3].to_ndarray(format="gray")[48]
    assert bright[15 * 4 + 4] > 150 > bright[15 * 4 + 40]  # the picture that was received after 1.5 s
