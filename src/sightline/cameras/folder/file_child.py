"""Decoding one uploaded file, in a confined process: a picture is one look, a clip several, each after the parent took the last."""

import os
from collections.abc import Iterator
from typing import Any, Literal

import av
import av.error
import cv2
import numpy as np

from sightline.cameras.sources.looking import SMALL_WIDTH, Decoded, DecodedFrame, DecodedStill, read_gate
from sightline.file_types import HEAD_BYTES, demuxer_name
from sightline.jobs import ChildChannel

MAX_PICTURE_BYTES = 64 * 1024**2
MAX_LOOKS = 600
"""Of one clip: five minutes at two looks per second."""
_TAIL_BYTES = 64 * 1024

FileFailure = Literal["empty", "cut_short", "not_media", "too_large"]

av.logging.set_level(None)


class _Unreadable(Exception):
    def __init__(self, code: FileFailure) -> None:
        super().__init__(code)
        self.code = code


def read_file(argument: dict[str, Any], channel: ChildChannel) -> None:
    """Sends `look` for each picture and at the end `done`, or `unreadable` with a code."""
    try:
        channel.send("done", {"looks": _look(argument, channel)})
    except _Unreadable as error:
        channel.send("unreadable", {"code": error.code})


def _look(argument: dict[str, Any], channel: ChildChannel) -> int:
    number = int(argument["file"])
    head = os.pread(number, HEAD_BYTES, 0)
    if not head:
        raise _Unreadable("empty")
    if demuxer_name(head) is not None:
        return _look_at_clip(number, argument, channel)
    size = os.fstat(number).st_size
    if size > MAX_PICTURE_BYTES:
        raise _Unreadable("too_large")
    content = os.pread(number, size, 0)
    if (ending := _ending(head)) is not None and ending not in content[-_TAIL_BYTES:]:
        raise _Unreadable("cut_short")
    picture = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR_RGB)
    if picture is None:
        raise _Unreadable("not_media")
    _send(channel, argument, DecodedStill(np.asarray(picture, np.uint8)), at=0.0, regions=[], share=0.0)
    return 1


def _ending(head: bytes) -> bytes | None:
    """What a whole picture has near its end; a cut one can often be decoded, and is half grey."""
    if head.startswith(b"\xff\xd8"):
        return b"\xff\xd9"
    return b"IEND" if head.startswith(b"\x89PNG") else None


def _look_at_clip(number: int, argument: dict[str, Any], channel: ChildChannel) -> int:
    gate = read_gate(argument.get("gate") or {})
    looks = 0
    try:
        with os.fdopen(os.dup(number), "rb") as file, av.open(file, "r", metadata_errors="replace") as container:
            if not container.streams.video:
                raise _Unreadable("not_media")
            duration_s = 0.0 if container.duration is None else container.duration / av.time_base
            for at_s, decoded in _spaced(container, 1 / float(argument["looks_per_s"])):
                motion = gate.look(decoded.gray(SMALL_WIDTH), at_s)
                regions = [] if motion.is_light_change else [list(region) for region in motion.regions]
                # The file was whole when the clip ended, so its pictures are from before that.
                at = min(0.0, at_s - duration_s)
                _send(channel, argument, decoded, at=at, regions=regions, share=motion.share)
                looks += 1
                if looks >= MAX_LOOKS:
                    break
    except (av.error.FFmpegError, ValueError):
        if looks == 0:
            raise _Unreadable("cut_short") from None
    if looks == 0:
        raise _Unreadable("not_media")
    return looks


def _spaced(container: Any, every_s: float) -> Iterator[tuple[float, Decoded]]:
    stream = container.streams.video[0]
    stream.codec_context.thread_count = 1
    started: float | None = None
    due = 0.0
    for frame in container.decode(stream):
        at = 0.0 if frame.pts is None else float(frame.pts * stream.time_base)
        started = at if started is None else started
        if at - started >= due:
            due = at - started + every_s * 0.9
            yield at - started, DecodedFrame(frame)


def _send(
    channel: ChildChannel, argument: dict[str, Any], decoded: Decoded, *, at: float, regions: list[Any], share: float
) -> None:
    picture = decoded.rgb(int(argument["picture_width"]))
    fields = {"at": at, "width": picture.shape[1], "height": picture.shape[0], "regions": regions, "share": share}
    channel.send("look", fields, picture)
    while (message := channel.receive(60.0)) is None or message.kind != "next":
        pass
