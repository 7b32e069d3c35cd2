"""Sprite sheet creation: small pictures across a video in one JPEG, taken from its new stream. Runs in the sandbox."""

import hashlib
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import av
import cv2
import numpy as np
from av import VideoFrame
from numpy.typing import NDArray

from sightline.media.input import MediaLimits
from sightline.media.input.source import limit_decoder, video_stream
from sightline.media.sampling.reformat import reformat
from sightline.media.stream.playlist import parse_playlist
from sightline.media.stream.proxy import PLAYLIST_FILE
from sightline.media.stream.sprite_rules import SpriteSheet, plan_sprite_sheet

MAX_FRAMES_READ = 750
"""Of a stream with more frames only key frames are decoded: a picture may then be some seconds early."""
JPEG_QUALITY = 70


def make_sprite_sheet(
    stream: Path, media_limits: MediaLimits, *, duration_ms: int, fps: float, shown_size: tuple[int, int], into: Path
) -> SpriteSheet | None:
    """Writes the sheet; None if no picture of the stream can be decoded, which is no reason to refuse the video."""
    sheet = plan_sprite_sheet(duration_ms, shown_size)
    segments = parse_playlist((stream / PLAYLIST_FILE).read_text())
    painter = _Painter(sheet)
    only_key_frames = duration_ms / 1000 * fps > MAX_FRAMES_READ
    begins_ms = 0.0
    for segment in segments:
        ends_ms = begins_ms + segment.duration_s * 1000
        times = painter.times_before(ends_ms if segment is not segments[-1] else float("inf"))
        if times:
            frames = _frames(stream / segment.name, media_limits, only_key_frames=only_key_frames)
            _paint_segment(painter, times, frames, begins_ms)
        begins_ms = ends_ms
    if not painter.has_painted:
        return None
    content = painter.encode()
    into.write_bytes(content)
    return replace(sheet, version=hashlib.sha256(content).hexdigest()[:12])


def _paint_segment(
    painter: "_Painter", times: Sequence[float], frames: Iterator[tuple[float, VideoFrame]], begins_ms: float
) -> None:
    """Paints the frame that is on screen at each of these times."""
    waiting = deque(times)
    shown: VideoFrame | None = None
    for at_ms, frame in frames:
        while waiting and shown is not None and waiting[0] < begins_ms + at_ms:
            painter.paint(waiting.popleft(), shown)
        shown = frame
        if not waiting:
            return
    for time in waiting:
        if shown is not None:
            painter.paint(time, shown)


def _frames(segment: Path, media_limits: MediaLimits, *, only_key_frames: bool) -> Iterator[tuple[float, VideoFrame]]:
    """Frames of a segment, with their times from its beginning in ms. Ends early where it is damaged."""
    first_s: float | None = None
    try:
        with segment.open("rb") as file, av.open(file, "r", format="mpegts") as container:
            stream = video_stream(container)
            limit_decoder(stream, media_limits, threads=1)
            if only_key_frames:
                stream.codec_context.skip_frame = "NONKEY"
            for frame in container.decode(stream):
                if frame.pts is None:
                    continue
                first_s = frame.time if first_s is None else first_s
                yield (frame.time - first_s) * 1000, frame
    except MemoryError:
        raise
    except av.FFmpegError:
        return


class _Painter:
    def __init__(self, sheet: SpriteSheet) -> None:
        self._sheet = sheet
        self._canvas: NDArray[np.uint8] = np.zeros(
            (sheet.rows * sheet.tile_height, sheet.columns * sheet.tile_width, 3), np.uint8
        )
        self._next = 0
        self.has_painted = False

    def times_before(self, ends_ms: float) -> list[float]:
        """The times of the next tiles, up to here."""
        found = []
        while self._next < self._sheet.tiles and self._next * self._sheet.interval_ms < ends_ms:
            found.append(float(self._next * self._sheet.interval_ms))
            self._next += 1
        return found

    def paint(self, at_ms: float, frame: VideoFrame) -> None:
        sheet = self._sheet
        left, top = sheet.place(round(at_ms / sheet.interval_ms))
        small = reformat(frame, "bgr24", width=sheet.tile_width, height=sheet.tile_height, interpolation="AREA")
        self._canvas[top : top + sheet.tile_height, left : left + sheet.tile_width] = small.to_ndarray()
        self.has_painted = True

    def encode(self) -> bytes:
        is_done, content = cv2.imencode(".jpg", self._canvas, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        if not is_done:
            raise OSError("cannot write the sprite sheet")
        return content.tobytes()
