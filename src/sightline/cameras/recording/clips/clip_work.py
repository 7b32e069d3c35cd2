"""Cutting of an event's clip: joins segments without transcoding, and makes a poster and a preview of it. Runs in the sandbox."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import av
import cv2
import numpy as np
from av import Packet, VideoFrame
from av.audio.stream import AudioStream
from av.container import InputContainer, OutputContainer
from av.video.stream import VideoStream

from sightline.cameras.recording.clips.clip import CLIP_FILE, POSTER_FILE, PREVIEW_FILE
from sightline.jobs import Progress

POSTER_WIDTH = 1280
PREVIEW_WIDTH = 320
PREVIEW_FPS = 4
MAX_PREVIEW_PICTURES = 40
JPEG_QUALITY = 85
_TOLERANCE_S = 0.001

Form = tuple[object, ...]
"""Segments of the same form can be joined without transcoding."""


def cut_event_clip(argument: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """Sandboxed work: `files` are segments in the working directory with the time at which they begin, all in seconds."""
    clip = _Clip(since_s=argument["since_s"], until_s=argument["until_s"])
    files = argument["files"]
    chosen = alike_around(
        [_form_in(file["name"]) for file in files], [file["starts_s"] for file in files], argument["event_s"]
    )
    clip.left_out = len(files) - len(chosen)
    with ExitStack() as stack:
        clip.output = stack.enter_context(av.open(CLIP_FILE, "w", options={"movflags": "+faststart"}))
        for count, number in enumerate(chosen):
            try:
                source = stack.enter_context(av.open(files[number]["name"]))
                clip.append(source, files[number]["starts_s"])
            except (av.FFmpegError, IndexError):
                clip.left_out += 1  # one damaged segment does not cost the others
            progress(0.8 * (count + 1) / len(chosen), None)
    if clip.began_s is None:
        return {"pictures": 0}
    _make_pictures(argument["event_s"] - clip.began_s)
    return {
        "pictures": clip.pictures,
        "began_s": clip.began_s,
        "ended_s": clip.reached_s,
        "left_out": clip.left_out,
    }


def alike_around(forms: Sequence[Form | None], starts_s: Sequence[float], event_s: float) -> list[int]:
    """The segments that can be joined to the one that shows the event, up to a change of the form on either side. Pure.

    None are damaged ones, which are left out. A clip has no part of another form beyond a change: it would jump.
    """
    whole = [number for number, form in enumerate(forms) if form is not None]
    if not whole:
        return []
    shown = max((number for number in whole if starts_s[number] <= event_s + _TOLERANCE_S), default=whole[0])
    before, after = [], []
    for number in reversed([one for one in whole if one < shown]):
        if forms[number] != forms[shown]:
            break
        before.append(number)
    for number in [one for one in whole if one > shown]:
        if forms[number] != forms[shown]:
            break
        after.append(number)
    return [*reversed(before), shown, *after]


def _form_in(name: str) -> Form | None:
    try:
        with av.open(name) as source:
            return _form_of(source.streams.video[0])
    except (av.FFmpegError, IndexError):
        return None


@dataclass(slots=True)
class _Clip:
    since_s: float
    until_s: float
    output: OutputContainer = field(init=False)
    pictures: int = 0
    left_out: int = 0
    """Segments that are not in it: damaged, or of another resolution."""
    began_s: float | None = None
    reached_s: float = 0.0
    _video: VideoStream | None = None
    _audio: AudioStream | None = None
    _clock: Fraction = Fraction(0)
    """Where the next segment begins in the clip."""
    _heard: int | None = None

    def append(self, source: InputContainer, starts_s: float) -> None:
        video = source.streams.video[0]
        audio = source.streams.audio[0] if source.streams.audio else None
        packets = [packet for packet in source.demux([one for one in (video, audio) if one is not None]) if packet.size]
        pictures = [packet for packet in packets if packet.stream_index == video.index]
        origin = min(_shown(packet) for packet in pictures)
        moments = [starts_s + float(_shown(packet) - origin) for packet in pictures]
        pictures = self._within(pictures, moments)
        if not pictures:
            return
        if self._video is None:
            self._begin(video, audio)
        shown = [starts_s + float(_shown(packet) - origin) for packet in pictures]
        self.began_s = min(shown) if self.began_s is None else self.began_s
        self.reached_s = max(shown) + float((pictures[-1].duration or 0) * pictures[-1].time_base)
        self._write(pictures, [one for one in packets if audio is not None and one.stream_index == audio.index])

    def _within(self, pictures: list["Packet[Any]"], moments: list[float]) -> list["Packet[Any]"]:
        """From the last key frame before the beginning, or the first one after it, up to the end."""
        keys = [number for number, packet in enumerate(pictures) if packet.is_keyframe]
        if self.began_s is None:
            if not keys:
                return []
            first = max((at for at in keys if moments[at] <= self.since_s + _TOLERANCE_S), default=keys[0])
        else:
            first = 0
        last = next((at for at in keys if moments[at] >= self.until_s and at > first), len(pictures))
        if moments[first] >= self.until_s:
            return []
        return pictures[first:last]

    def _begin(self, video: VideoStream, audio: AudioStream | None) -> None:
        self._video = self.output.add_stream_from_template(video)
        if audio is not None:
            self._audio = self.output.add_stream_from_template(audio)

    def _write(self, pictures: list["Packet[Any]"], sounds: list["Packet[Any]"]) -> None:
        assert self._video is not None
        tick = pictures[0].time_base
        began = (pictures[0].dts or 0) * tick
        until = (pictures[-1].dts or 0) * tick + (pictures[-1].duration or 0) * tick
        shift = self._clock - began
        for packet in pictures:
            _move(packet, shift)
            packet.stream = self._video
            self.output.mux_one(packet)
        if self._audio is not None:
            for packet in sounds:
                if not began <= (packet.pts or 0) * packet.time_base < until:
                    continue
                _move(packet, shift)
                if self._heard is not None and (packet.dts or 0) <= self._heard:
                    continue
                self._heard = packet.dts
                packet.stream = self._audio
                self.output.mux_one(packet)
        self._clock = until + shift
        self.pictures += len(pictures)


def _shown(packet: "Packet[Any]") -> Fraction:
    return (packet.pts or 0) * packet.time_base


def _move(packet: "Packet[Any]", shift: Fraction) -> None:
    ticks = round(shift / packet.time_base)
    packet.pts = (packet.pts or 0) + ticks
    packet.dts = (packet.dts or 0) + ticks


def _form_of(video: VideoStream) -> Form:
    context = video.codec_context
    return context.name, context.width, context.height, context.extradata


def _make_pictures(event_s: float) -> None:
    """The picture of the moment at which the event began, and key frames in a row as a small video for hovering."""
    with av.open(CLIP_FILE) as source:
        poster = _picture_at(source, event_s)
        cv2.imwrite(POSTER_FILE, _small(poster, POSTER_WIDTH, "bgr24"), [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    with av.open(CLIP_FILE) as source:
        source.streams.video[0].codec_context.skip_frame = "NONKEY"
        _write_preview(list(_spread(source)))


def _picture_at(source: InputContainer, at_s: float) -> VideoFrame:
    stream = source.streams.video[0]
    stream.codec_context.thread_count = 1
    if at_s > 0:
        source.seek(round(at_s * av.time_base))
    found: VideoFrame | None = None
    for frame in source.decode(stream):
        found = frame
        if frame.pts is not None and frame.time >= at_s - _TOLERANCE_S:
            break
    if found is None:
        raise ValueError("the clip has no picture")
    return found


def _spread(source: InputContainer) -> Iterator[VideoFrame]:
    """Key frames over the whole clip; every second, third … one if there are many."""
    frames = list(source.decode(video=0))
    step = max(1, -(-len(frames) // MAX_PREVIEW_PICTURES))
    yield from frames[::step]


def _write_preview(frames: list[VideoFrame]) -> None:
    with av.open(PREVIEW_FILE, "w", options={"movflags": "+faststart"}) as output:
        stream = output.add_stream("libx264", rate=PREVIEW_FPS)
        assert isinstance(stream, VideoStream)
        height, width = _small(frames[0], PREVIEW_WIDTH, "rgb24").shape[:2]
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.codec_context.thread_count = 1
        stream.codec_context.options = {"preset": "veryfast", "crf": "28"}
        for number, frame in enumerate(frames):
            small = frame.reformat(width=width, height=height, format="yuv420p")
            small.pts, small.time_base = number, Fraction(1, PREVIEW_FPS)
            small.pict_type = av.video.frame.PictureType.NONE
            output.mux(stream.encode(small))
        output.mux(stream.encode(None))


def _small(frame: VideoFrame, max_width: int, pixel_format: str) -> "np.ndarray[Any, np.dtype[np.uint8]]":
    width = min(max_width, frame.width) // 2 * 2
    height = max(2, round(frame.height * width / frame.width / 2) * 2)
    pixels: Any = frame.reformat(width=width, height=height, format=pixel_format).to_ndarray()
    return np.ascontiguousarray(pixels, np.uint8)
