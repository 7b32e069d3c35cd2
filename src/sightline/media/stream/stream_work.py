"""Makes the stream that browsers play: an HLS playlist and its segments. Runs in a process of its own with limits."""

from dataclasses import dataclass
from pathlib import Path

import av
from av.container import InputContainer, OutputContainer

from sightline.jobs.process import Progress
from sightline.media.input.limits import Caps
from sightline.media.input.orientation import Orientation
from sightline.media.input.probe import Facts, cut_off
from sightline.media.input.source import (
    limit_decoder,
    open_media,
    picture_stream,
    read_packets,
    sound_stream,
    unreadable,
)
from sightline.media.progress import Teller
from sightline.media.stream.copy_lane import USUAL_FPS, CopyLane, NotCopyable
from sightline.media.stream.lanes import Lane, PictureLane, SoundLane
from sightline.media.stream.picture_encoder import PictureEncoder, PictureForm
from sightline.media.stream.playlist import parse_playlist, render_playlist, with_length
from sightline.media.stream.proxy import PLAYLIST
from sightline.media.stream.segment_files import SegmentFiles
from sightline.media.stream.sound_encoder import SoundEncoder
from sightline.media.stream.stream_plan import StreamPlan, plan_stream, without_copying

SEGMENTS = "segment_%05d.ts"
REPEAT_AFTER_S = 0.5
MISSING_S = 1.0
MISSING_PART = 0.02
"""A file that ends so much earlier than it announces is cut off. Announcements are rounded, and sounds may be padded."""

# Of these the announced length is written in a header, whatever follows; of others it is found by looking at the end.
_ANNOUNCED = ("matroska", "avi", "flv")


@dataclass(frozen=True, slots=True)
class StreamMade:
    duration_s: float
    plan: StreamPlan
    """As it was carried out in the end."""


@dataclass(frozen=True, slots=True)
class StreamOrder:
    readable: str
    caps: Caps
    largest_height: int
    segment_s: float
    into: Path


def make_stream(order: StreamOrder, facts: Facts, progress: Progress) -> StreamMade:
    """Copied where that will play, and encoded anew where it will not or turns out on the way not to."""
    plan = plan_stream(facts, largest_height=order.largest_height)
    while True:
        try:
            return StreamMade(_pass(order, facts, plan, progress), plan)
        except NotCopyable as error:
            reason, is_sound = str(error), error.is_sound
        except (av.InvalidDataError, av.ArgumentError) as error:
            # Of the muxer, which looks into what it is given to copy.
            if not plan.copies_picture:
                raise unreadable(error) from error
            reason, is_sound = f"its packets: {error.strerror}", False
        _remove_all(order.into)
        plan = without_copying(plan, reason, facts, is_sound=is_sound, largest_height=order.largest_height)


def _pass(order: StreamOrder, facts: Facts, plan: StreamPlan, progress: Progress) -> float:
    """Reads the video once, from beginning to end; returns how long it is."""
    playlist = order.into / PLAYLIST
    files = SegmentFiles(order.into)
    with (
        open_media(order.readable, order.caps) as source,
        av.open(str(playlist), "w", format="hls", options=_hls_options(order), io_open=files.open) as output,
    ):
        lanes = _lanes(order, facts, plan, source, output)
        pictures = lanes[picture_stream(source).index]
        teller = Teller(progress, facts.duration_s)
        for packet in read_packets(
            source, [stream for stream in source.streams if stream.index in lanes], order.readable
        ):
            lane = lanes[packet.stream_index]
            lane.take(packet)
            teller.tell(lane.reached_s)
        reached_s = max(lane.reached_s for lane in lanes.values())
        _check_end(facts, reached_s)
        end_s = max(reached_s, _announced_s(facts))
        for lane in lanes.values():
            lane.end(end_s)
    files.check()
    segments = with_length(parse_playlist(playlist.read_text()), end_s - pictures.begins_s)
    playlist.write_text(render_playlist(segments))
    return end_s


def _hls_options(order: StreamOrder) -> dict[str, str]:
    return {
        "hls_time": f"{order.segment_s:g}",
        "hls_playlist_type": "vod",
        "hls_list_size": "0",
        "hls_flags": "independent_segments",
        "hls_segment_filename": str(order.into / SEGMENTS),
    }


def _lanes(
    order: StreamOrder, facts: Facts, plan: StreamPlan, source: InputContainer, output: OutputContainer
) -> dict[int, Lane]:
    picture = picture_stream(source)
    sound = sound_stream(source)
    lanes: dict[int, Lane] = {}
    if plan.copies_picture:
        lanes[picture.index] = CopyLane(output, picture, output.mux_one, origin_s=facts.origin_s, caps=order.caps)
    else:
        limit_decoder(picture, order.caps)
        encoder = PictureEncoder(output, _form(facts, plan), output.mux_one)
        lanes[picture.index] = PictureLane(
            encoder, picture, origin_s=facts.origin_s, fps=facts.fps or USUAL_FPS, caps=order.caps
        )
    if sound is not None:
        if plan.copies_sound:
            lanes[sound.index] = CopyLane(output, sound, output.mux_one, origin_s=facts.origin_s, caps=order.caps)
        else:
            sound_encoder = SoundEncoder(output, sound, output.mux_one, keeps_priming=False)
            lanes[sound.index] = SoundLane(sound_encoder, sound, origin_s=facts.origin_s)
    return lanes


def _form(facts: Facts, plan: StreamPlan) -> PictureForm:
    return PictureForm(
        width=plan.width,
        height=plan.height,
        orientation=Orientation[facts.orientation],
        is_interlaced=facts.is_interlaced,
        is_hdr=facts.is_hdr,
        fps=facts.fps or USUAL_FPS,
        repeat_after_s=REPEAT_AFTER_S,
    )


def _check_end(facts: Facts, reached_s: float) -> None:
    if facts.container not in _ANNOUNCED or facts.duration_s is None:
        return
    missing_s = facts.duration_s - reached_s
    if missing_s > max(MISSING_S, MISSING_PART * facts.duration_s):
        raise cut_off(reached_s, facts.duration_s)


def _announced_s(facts: Facts) -> float:
    """MP4 says exactly how long its last picture stands; others say about when it was shown."""
    return facts.duration_s or 0.0 if facts.container == "mov" else 0.0


def _remove_all(directory: Path) -> None:
    for path in directory.iterdir():
        path.unlink()
