"""Recording, in the camera process: segments are written into its own directory, and each is reported when it is finished."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import av
import numpy as np
from av.audio.stream import AudioStream
from av.video.stream import VideoStream
from numpy.typing import NDArray

from sightline.cameras.recording.segments import FinishedSegment, PictureSegments, SegmentWriter, is_copyable
from sightline.jobs import ChildChannel, ProcessMessage

OWN_DIRECTORY = Path(".")


class StreamRecording:
    """Off until the parent asks for it. A stream whose coding cannot be copied is not recorded, and says so once."""

    def __init__(
        self, channel: ChildChannel, stream: VideoStream, sound: AudioStream | None, argument: dict[str, Any]
    ) -> None:
        self._channel = channel
        self._stream = stream
        self._sound = sound
        self._segment_s = float(argument.get("segment_s", 4.0))
        self._writer: SegmentWriter | None = None
        self._problem: str | None = None

    def obey(self, message: ProcessMessage) -> None:
        if message.kind != "record":
            return
        is_on = message.fields.get("on") is True
        if is_on and self._writer is None:
            if not is_copyable(self._stream):
                self._channel.send("recording_problem", {"reason": f"{self._stream.codec.name} cannot be recorded"})
                return
            self._writer = SegmentWriter(OWN_DIRECTORY, self._stream, self._sound, segment_s=self._segment_s)
        elif not is_on and self._writer is not None:
            writer, self._writer = self._writer, None
            _report(self._channel, writer.close())

    def write(self, packet: "av.Packet[Any]") -> None:
        if self._writer is None:
            return
        _report(self._channel, self._writer.write(packet))
        if self._writer.problem != self._problem:
            self._problem = self._writer.problem
            if self._problem is not None:
                self._channel.send("recording_problem", {"reason": self._problem[:200]})


class StillRecording:
    def __init__(self, channel: ChildChannel, argument: dict[str, Any]) -> None:
        self._channel = channel
        self._fps = float(argument.get("picture_fps", 2.0))
        self._segment_s = float(argument.get("segment_s", 4.0))
        self._segments: PictureSegments | None = None

    def obey(self, message: ProcessMessage) -> None:
        if message.kind != "record":
            return
        is_on = message.fields.get("on") is True
        if is_on and self._segments is None:
            self._segments = PictureSegments(OWN_DIRECTORY, max_fps=self._fps, segment_s=self._segment_s)
        elif not is_on and self._segments is not None:
            segments, self._segments = self._segments, None
            _report(self._channel, segments.close())

    def write(self, picture: NDArray[np.uint8]) -> None:
        if self._segments is not None:
            _report(self._channel, self._segments.write(av.VideoFrame.from_ndarray(picture, format="rgb24")))


def _report(channel: ChildChannel, finished: Sequence[FinishedSegment]) -> None:
    for segment in finished:
        channel.send("segment", segment.to_json())
