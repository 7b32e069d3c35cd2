"""Reading a video stream, in the camera process: RTSP, RTMP and HTTP through libav, or a clip played in a loop.

Runs confined: it reaches the relay's port or one open file, and nothing else. Its messages name problems by code: texts of
libav's errors repeat the address with its password.
"""

import errno
import os
import time
from collections.abc import Iterator
from typing import Any

import av
import av.error
from av.audio.stream import AudioStream
from av.container import InputContainer
from av.stream import Discard
from av.video.stream import VideoStream

from sightline.cameras.problems import ProblemCode
from sightline.cameras.sources.looking import DecodedFrame, Looker
from sightline.cameras.sources.recording_child import StreamRecording
from sightline.jobs import ChildChannel

MAX_BAD_PACKETS = 300
"""Packets in a row that cannot be decoded: about ten seconds."""
MAX_CLOCK_STEP_S = 2.0
"""A larger step between two pictures, or one back, is a jump of the camera's clock."""

av.logging.set_level(None)  # libav writes addresses with passwords


def read_stream(argument: dict[str, Any], channel: ChildChannel) -> None:
    """Sends what it sees until the stream ends; then `problem` with a code, and ends."""
    code: ProblemCode = "ended"
    try:
        with _open(argument) as container:
            try:
                _watch(container, argument, channel)
            except av.error.ExitError:
                code = "stalled"
            except av.error.FFmpegError:
                pass  # a connection that broke, in one of many ways
    except av.error.FFmpegError as error:
        code = code_of(error, has_user=bool(argument.get("has_user")))
    except _NoVideo:
        code = "not_video"
    channel.send("problem", {"code": code})


class _NoVideo(Exception):
    """There is no video in what was opened."""


def _open(argument: dict[str, Any]) -> InputContainer:
    timeouts = (float(argument["open_timeout_s"]), float(argument["read_timeout_s"]))
    if "clip" in argument:
        # By its number: the process may open no file by name.
        file = os.fdopen(os.dup(int(argument["clip"])), "rb")
        file.seek(0)
        return av.open(file, "r", metadata_errors="replace")
    opened: InputContainer = av.open(
        argument["url"],
        "r",
        format=argument.get("format"),
        options={str(name): str(value) for name, value in argument.get("options", {}).items()},
        timeout=timeouts,
        metadata_errors="replace",
    )
    return opened


def _watch(container: InputContainer, argument: dict[str, Any], channel: ChildChannel) -> None:
    if not container.streams.video:
        raise _NoVideo
    stream = container.streams.video[0]
    sound = container.streams.audio[0] if container.streams.audio else None
    for other in container.streams:
        if other is not stream and other is not sound:
            other.discard = Discard.all
    context = stream.codec_context
    if context is None:
        raise _NoVideo
    context.thread_count = 1  # one core is enough for one camera, and each thread holds pictures in memory
    looker = Looker(channel, argument)
    recording = StreamRecording(channel, stream, sound, argument)
    looker.on_message = recording.obey
    pacing = _Pacing(float(argument["looks_per_s"]))
    is_played = "clip" in argument
    decodes = bool(argument.get("decodes", True))
    bad_packets = 0
    is_open = False

    def announce(width: int, height: int) -> None:
        nonlocal is_open
        is_open = True
        size = {"width": width, "height": height}
        channel.send("opened", {"codec": stream.codec.name[:40], "fps": _fps(stream), **size})

    for packet in _packets(container, stream, sound, is_played=is_played):
        looker.obey()
        recording.write(packet)
        if packet.stream_index != stream.index:
            continue
        if not decodes and not is_open and context.width:
            announce(context.width, context.height)
        if not decodes and is_open:
            looker.pass_by()
            continue
        try:
            frames = packet.decode()
        except av.error.InvalidDataError:
            bad_packets += 1
            if bad_packets > MAX_BAD_PACKETS:
                raise _NoVideo from None
            continue
        for frame in frames:
            bad_packets = 0
            if not is_open:
                # By its first picture: of a stream that begins between two key frames the size is not known before.
                announce(frame.width, frame.height)
            if not decodes:
                break  # its size is all that was wanted
            at_s = None if frame.pts is None or stream.time_base is None else float(frame.pts * stream.time_base)
            if is_played:
                pacing.wait_for(at_s, looker)
            looker.see(DecodedFrame(frame), is_look=pacing.is_look(at_s))


def _packets(
    container: InputContainer, stream: VideoStream, sound: AudioStream | None, *, is_played: bool
) -> Iterator["av.Packet[Any]"]:
    while True:
        yield from container.demux(*(one for one in (stream, sound) if one is not None))
        if not is_played:
            return
        container.seek(0)
        stream.codec_context.flush_buffers()


class _Pacing:
    """Which pictures are looked at, by the camera's clock as far as it can be trusted."""

    def __init__(self, looks_per_s: float) -> None:
        self._every_s = 1 / looks_per_s
        self._last_look = float("-inf")
        self._last_at = float("-inf")
        self._started: tuple[float, float] | None = None

    def is_look(self, at_s: float | None) -> bool:
        at = time.monotonic() if at_s is None else at_s
        if not 0 <= at - self._last_at < MAX_CLOCK_STEP_S:
            self._last_look = float("-inf")  # after a jump, the next picture is looked at
        self._last_at = at
        # A tenth of an interval early is better than a whole picture late.
        if at - self._last_look < self._every_s * 0.9:
            return False
        self._last_look = at
        return True

    def wait_for(self, at_s: float | None, looker: Looker) -> None:
        """Plays a file at its own speed, and takes messages in the meantime."""
        now = time.monotonic()
        if at_s is None:
            return
        if self._started is None or at_s < self._last_at:
            self._started = (now, at_s)
        due = self._started[0] + at_s - self._started[1]
        while (left := due - time.monotonic()) > 0:
            looker.obey(left)


def _fps(stream: VideoStream) -> float | None:
    rate = stream.average_rate or stream.guessed_rate
    return None if not rate or not 0 < rate <= 240 else round(float(rate), 2)


def code_of(error: av.error.FFmpegError, *, has_user: bool) -> ProblemCode:
    """Pure."""
    match error:
        case av.error.HTTPUnauthorizedError():
            return "wrong_password" if has_user else "password_needed"
        case av.error.HTTPForbiddenError():
            return "wrong_password"
        case av.error.HTTPNotFoundError():
            return "not_found"
        case av.error.HTTPError():
            return "camera_error"
        case av.error.ExitError() | av.error.TimeoutError():
            return "timed_out"
        case av.error.EOFError():
            return "ended"  # a camera that restarts hangs up at any moment
        case av.error.InvalidDataError():
            return "not_video"
        case av.error.DecoderNotFoundError() | av.error.ProtocolNotFoundError() | av.error.PatchWelcomeError():
            return "unsupported"
        case av.error.ConnectionRefusedError():
            return "connection_refused"
        case av.error.OSError(errno=errno.EPROTONOSUPPORT):
            return "transport_refused"
    return "camera_error"
