"""Opening untrusted videos: one stream of bytes, one demuxer, and no access to anything else.

Runs in the sandbox (`sandbox.py`) and does not trust what it reads.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import RawIOBase
from typing import IO, Any

import av
from av import Packet
from av.audio.stream import AudioStream
from av.container import InputContainer
from av.stream import Stream
from av.video.stream import VideoStream

from sightline.errors import TransientFailure
from sightline.file_types import DEMUXERS, HEAD_BYTES, WEBP
from sightline.media.input.animated_webp import as_matroska
from sightline.media.input.byte_source import is_remote, open_bytes
from sightline.media.input.errors import MediaUnreadable
from sightline.media.input.limits import MediaLimits
from sightline.media.input.mp4_boxes import lacks_index
from sightline.media.input.sniff import announced_bytes, demuxer_of
from sightline.media.input.steady_clock import may_jump, steady_packets

MAX_THREADS = 8
BUFFER_BYTES = 64 * 1024
_ATTACHED_PICTURE = 0x400  # AV_DISPOSITION_ATTACHED_PIC: a cover, not a video


@contextmanager
def open_media(readable: str, media_limits: MediaLimits) -> Iterator[InputContainer]:
    """Opens the video that this process was handed, or the one at an absolute path."""
    with open_bytes(readable) as file:
        head = _head(file)
        demuxer = demuxer_of(head)
        content: IO[bytes] | RawIOBase = file
        if demuxer == WEBP:
            content, demuxer = as_matroska(file, media_limits), "matroska"
        try:
            container = av.open(
                content,
                mode="r",
                format=demuxer,
                # A video that refers to something else finds no protocol by which it could be opened.
                options={
                    "protocol_whitelist": "none",
                    "format_whitelist": ",".join(DEMUXERS),
                    "max_streams": str(media_limits.streams + 1),
                },
                buffer_size=BUFFER_BYTES,
                metadata_errors="replace",
            )
        except av.FFmpegError as error:
            raise _reason(error, file, readable) from error
        with container:
            _check(container, media_limits)
            yield container


def lacks_bytes(readable: str) -> bool:
    """Whether the file is shorter than its first bytes say."""
    with open_bytes(readable) as file:
        announced = announced_bytes(_head(file))
        return announced is not None and file.seek(0, os.SEEK_END) < announced


def video_stream(container: InputContainer) -> VideoStream:
    """The video stream that players show: not a cover, and the largest if there are several."""
    streams = video_streams(container)
    if not streams:
        raise MediaUnreadable("there is no picture in the file")
    known = [stream for stream in streams if _is_known(stream)]
    if not known:
        raise MediaUnreadable("the pictures are of a codec that is not known")
    return max(known, key=lambda stream: (stream.codec_context.width * stream.codec_context.height, -stream.index))


def video_streams(container: InputContainer) -> list[VideoStream]:
    return [stream for stream in container.streams.video if not int(stream.disposition) & _ATTACHED_PICTURE]


def audio_stream(container: InputContainer) -> AudioStream | None:
    """The audio stream that players play; None without one of a known codec."""
    found = container.streams.best("audio")
    return found if isinstance(found, AudioStream) and _is_known(found) else None


def _is_known(stream: VideoStream | AudioStream) -> bool:
    context: object = stream.codec_context
    return context is not None


def origin_s(container: InputContainer) -> float:
    """The container's time at the start of the video. Media time counts from there, as in players."""
    start: int | None = container.start_time
    return 0.0 if start is None else start / av.time_base


def seconds_per_tick(stream: VideoStream | AudioStream) -> float:
    if stream.time_base is None:
        raise MediaUnreadable("the file is damaged: its clock has no unit")
    return float(stream.time_base)


def limit_decoder(stream: VideoStream, media_limits: MediaLimits, *, threads: int | None = None) -> None:
    """Call it before decoding: a frame that is too large is then refused before memory is allocated for it."""
    context = stream.codec_context
    context.options = {"max_pixels": str(media_limits.pixels)}
    context.thread_type = "AUTO"
    context.thread_count = decoder_threads() if threads is None else threads


def decoder_threads() -> int:
    """One thread per core up to a limit, because each thread holds frames of its own."""
    return min(MAX_THREADS, os.cpu_count() or 1)


def read_packets(container: InputContainer, streams: Sequence[Stream], readable: str) -> "Iterator[Packet[Any]]":
    """All packets of these streams. Separates errors of reading from errors in the content."""
    packets = steady_packets(container, video_stream(container).index, container.demux(*streams))
    while True:
        try:
            packet = next(packets)
        except StopIteration:
            return
        except MemoryError:
            raise
        except av.FFmpegError as error:
            raise unreadable(error, readable) from error
        yield packet


def unreadable(error: av.FFmpegError, readable: str = "") -> MediaUnreadable | TransientFailure:
    """The reason without the internal path. A failing store is a transient failure, not the file's fault."""
    if is_remote(readable) and not isinstance(error, av.InvalidDataError):
        return TransientFailure(f"the object store did not return the video: {error.strerror}")
    return MediaUnreadable(f"the file is damaged: {error.strerror}")


def _reason(error: av.FFmpegError, file: RawIOBase, readable: str) -> Exception:
    """The error of a failed open: not every failure is the file's fault."""
    if isinstance(error, MemoryError | FileNotFoundError | PermissionError):
        return error
    if not is_remote(readable) and lacks_index(file):
        return MediaUnreadable(
            "the file is cut off: its index (moov) is missing, as when a recording or a copy broke off"
        )
    return unreadable(error, readable)


def _check(container: InputContainer, media_limits: MediaLimits) -> None:
    if len(container.streams) > media_limits.streams:
        raise MediaUnreadable(f"the file has more than {media_limits.streams} streams")
    if container.format.name == "gif" and container.duration is None:
        raise MediaUnreadable("the file is not a video but a GIF picture")
    # Where the clock may jump, the announced length is that of the clock; the length is checked while reading.
    announced = 0 if may_jump(container.format.name) else container.duration or 0
    if announced > media_limits.duration_s * av.time_base:
        hours = announced / av.time_base / 3600
        raise MediaUnreadable(f"the video is {hours:.1f} hours long; {media_limits.duration_s / 3600:.1f} are allowed")
    context = video_stream(container).codec_context
    if context.width * context.height > media_limits.pixels:
        raise MediaUnreadable(
            f"the picture has {context.width} x {context.height} pixels; {media_limits.pixels} in all are allowed"
        )


def _head(file: RawIOBase) -> bytes:
    head = b""
    while len(head) < HEAD_BYTES and (part := file.read(HEAD_BYTES - len(head))):
        head += part
    file.seek(0)
    return head
