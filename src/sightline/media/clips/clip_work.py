"""Cuts a clip out of a video, exact to the picture at both ends. Runs in a process of its own with limits.

The picture that is on screen at the first moment is the first of the clip, also when it came up earlier; the last one ends with
the last moment. What lies before the nearest key frame is never read, so a clip costs the same wherever it begins.
"""

from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import av
from av import Packet, VideoFrame
from av.audio.stream import AudioStream
from av.container import InputContainer
from av.stream import Stream
from av.video.stream import VideoStream

from sightline.jobs.process import Progress
from sightline.media.clips.clip import CLIP
from sightline.media.input.errors import MediaUnreadable
from sightline.media.input.limits import Caps
from sightline.media.input.orientation import Orientation
from sightline.media.input.probe import Facts, look_at
from sightline.media.input.source import (
    limit_decoder,
    open_media,
    picture_stream,
    read_packets,
    seconds_per_tick,
    sound_stream,
    unreadable,
)
from sightline.media.progress import Teller
from sightline.media.stream.copy_lane import USUAL_FPS
from sightline.media.stream.lanes import MOST_BROKEN
from sightline.media.stream.picture_encoder import PictureEncoder, PictureForm
from sightline.media.stream.sound_encoder import SoundEncoder
from sightline.media.stream.stream_plan import fitted

LARGEST_HEIGHT = 2160
CRF = 20
TOLERANCE_S = 0.0005
"""Times are asked for in whole milliseconds; a picture at 66.667 ms is the one at 67."""
BEHIND_S = 5.0
"""How much later than its picture a sound may lie in the file."""
STEPS_BACK_S = (0.0, 1.0, 5.0, 30.0, 120.0)
"""Not every container finds the key frame before a time at the first try."""


def cut_clip(argument: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """Work for a process: writes the clip into the directory it works in."""
    caps = Caps(**argument["caps"])
    start_s, end_s = argument["start_ms"] / 1000, argument["end_ms"] / 1000
    readable: str = argument["readable"]
    with open_media(readable, caps) as container:
        facts = look_at(container, caps)
    with ExitStack() as stack:
        source = stack.enter_context(open_media(readable, caps))
        if not _seek_before(source, start_s + facts.origin_s):
            source = stack.enter_context(open_media(readable, caps))  # from its beginning, then
        output = stack.enter_context(av.open(str(Path.cwd() / CLIP), "w", options={"movflags": "+faststart"}))
        picture = picture_stream(source)
        limit_decoder(picture, caps)
        shown = _Shown(PictureEncoder(output, _form(facts), output.mux_one), start_s, end_s)
        sound = sound_stream(source)
        heard = None
        if sound is not None:
            heard = SoundEncoder(output, sound, output.mux_one, start_s=start_s, end_s=end_s)
        cut = _Cut(facts.origin_s, picture, shown, sound, heard)
        cut.run(source, readable, Teller(progress, end_s - start_s))
        return {"pictures": shown.count}


def _form(facts: Facts) -> PictureForm:
    width, height = fitted(facts.shown_size, LARGEST_HEIGHT)
    return PictureForm(
        width=width,
        height=height,
        orientation=Orientation[facts.orientation],
        is_interlaced=facts.is_interlaced,
        is_hdr=facts.is_hdr,
        fps=facts.fps or USUAL_FPS,
        fastest_fps=None,
        crf=CRF,
    )


def _seek_before(container: InputContainer, at_s: float) -> bool:
    """To a key frame that is shown at that time or earlier; False if there is no way to it but from the beginning."""
    stream = picture_stream(container)
    second = seconds_per_tick(stream)
    for back_s in STEPS_BACK_S:
        target = round((at_s - back_s) * av.time_base)
        try:
            container.seek(target)
            keyframe = next((packet for packet in container.demux(stream) if packet.is_keyframe), None)
            if keyframe is not None and keyframe.pts is not None and keyframe.pts * second <= at_s + TOLERANCE_S:
                container.seek(target)
                return True
        except MemoryError:
            raise
        except av.FFmpegError:
            return False
    return False


@dataclass(slots=True)
class _Shown:
    """The pictures of the clip, from those that come by."""

    encoder: PictureEncoder
    start_s: float
    end_s: float
    count: int = 0
    is_over: bool = False
    _standing: VideoFrame | None = None
    """The one on screen when the clip begins, as far as is known yet."""

    def pass_by(self, frame: VideoFrame, at_s: float) -> None:
        if at_s <= self.start_s + TOLERANCE_S:
            self._standing = frame
            return
        self._begin()
        if at_s >= self.end_s - TOLERANCE_S:
            self.is_over = True
        elif not self.is_over:
            self._show(frame, at_s - self.start_s)

    def end(self) -> None:
        self._begin()
        if not self.count:
            raise MediaUnreadable(f"there is no picture at {self.start_s:.3f} s")
        self.encoder.end(self.end_s - self.start_s)

    def _begin(self) -> None:
        if self._standing is not None:
            self._show(self._standing, 0.0)
            self._standing = None

    def _show(self, frame: VideoFrame, at_s: float) -> None:
        self.encoder.show(frame, at_s)
        self.count += 1


@dataclass(slots=True)
class _Cut:
    origin_s: float
    picture: VideoStream
    shown: _Shown
    sound: AudioStream | None
    heard: SoundEncoder | None
    _broken: int = field(default=0)

    def run(self, source: InputContainer, readable: str, teller: Teller) -> None:
        wanted: list[Stream] = [
            stream for stream in (self.picture, self.sound if self.heard else None) if stream is not None
        ]
        for packet in read_packets(source, wanted, readable):
            if packet.stream_index != self.picture.index:
                self._hear(packet)
                continue
            self._see(packet, teller)
            if self.shown.is_over and self._is_far_behind(packet):
                break
        self.shown.end()
        if self.heard is not None:
            self.heard.end()

    def _is_far_behind(self, packet: "Packet[Any]") -> bool:
        if self.heard is None or packet.pts is None:
            return True
        return packet.pts * seconds_per_tick(self.picture) - self.origin_s > self.shown.end_s + BEHIND_S

    def _see(self, packet: "Packet[Any]", teller: Teller) -> None:
        if self.shown.is_over:
            return
        try:
            frames: list[Any] = packet.decode()
        except MemoryError:
            raise
        except av.FFmpegError as error:
            self._broken += 1
            if self._broken > MOST_BROKEN:
                raise unreadable(error) from error
            return
        for frame in frames:
            if frame.pts is not None:
                at_s = frame.pts * seconds_per_tick(self.picture) - self.origin_s
                self.shown.pass_by(frame, at_s)
                teller.tell(at_s - self.shown.start_s)

    def _hear(self, packet: "Packet[Any]") -> None:
        assert self.heard is not None
        assert self.sound is not None
        try:
            frames: list[Any] = packet.decode()
        except MemoryError:
            raise
        except av.FFmpegError:
            return  # broken sound is left out
        for frame in frames:
            if frame.pts is not None:
                at_s = frame.pts * seconds_per_tick(self.sound) - self.origin_s
                if self.shown.start_s - BEHIND_S < at_s < self.shown.end_s:
                    self.heard.hear(frame, at_s)
