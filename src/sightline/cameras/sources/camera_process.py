"""The camera process, seen from its parent: one confined child per camera, and its messages as types.

A child may be taken over by what a hostile camera sends, so every message is checked before it is believed.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightline.cameras.problems import SourceProblem, problem_named
from sightline.cameras.recording.segments import FinishedSegment
from sightline.cameras.sources.rest import Rest, grant
from sightline.cameras.sources.still_child import read_stills
from sightline.cameras.sources.stream_child import read_stream
from sightline.errors import InvalidInput, PlatformError
from sightline.geometry import Box, Point
from sightline.jobs import OpenProcess, ProcessLimits, ProcessMessage, Sandbox, open_process, preload

MAX_REGIONS = 1000
MAX_SIDE = 16384
MAX_GATE_BYTES = 4 * 1024 * 1024
# Unused threads of OpenBLAS, one per core, would count against the limit on address space.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
preload("sightline.cameras.sources.stream_child", "sightline.cameras.sources.still_child", "av.subtitles.stream")
# The code that decodes is the same for all cameras.
CODE_OF_CAMERAS = ("av", "cv2", "numpy", "sightline.cameras.sources.looking")


@dataclass(frozen=True, slots=True)
class Opened:
    """The camera sends pictures."""

    width: int
    height: int
    codec: str
    fps: float | None


@dataclass(frozen=True, slots=True)
class Resized:
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Alive:
    """About once a second while pictures come."""

    at: float
    looks: int


@dataclass(frozen=True, slots=True)
class CameraLook:
    """A picture in which something moved, or in which an object is followed. The next one comes after `CameraProcess.ready`."""

    at: float
    picture: NDArray[np.uint8]
    regions: tuple[Box, ...]
    share: float


@dataclass(frozen=True, slots=True)
class JpegPicture:
    """A picture that was asked for."""

    at: float
    content: bytes


@dataclass(frozen=True, slots=True)
class SegmentWritten:
    """A segment that the recorder may take from the process's directory."""

    segment: FinishedSegment


@dataclass(frozen=True, slots=True)
class NotRecorded:
    """A segment could not be written."""

    reason: str


@dataclass(frozen=True, slots=True)
class GateLearned:
    """What the motion gate has learned so far, every few minutes."""

    state: bytes


CameraMessage = Opened | Resized | Alive | CameraLook | JpegPicture | SegmentWritten | NotRecorded | GateLearned


@dataclass(frozen=True, slots=True)
class StreamInput:
    """A stream that the child reads through the relay's port of this machine, or directly where `port` is None."""

    url: str
    port: int | None
    options: dict[str, str]
    has_user: bool


@dataclass(frozen=True, slots=True)
class ClipInput:
    """An open file that the child plays in a loop, at its own speed."""

    file: int


@dataclass(frozen=True, slots=True)
class StillsInput:
    """Encoded pictures that the parent fetches."""

    pictures: AsyncIterator[bytes]


SourceInput = StreamInput | ClipInput | StillsInput


@dataclass(frozen=True, slots=True, kw_only=True)
class LookOptions:
    looks_per_s: float
    picture_width: int
    jpeg_quality: int
    connect_timeout_s: float
    stall_timeout_s: float
    memory_bytes: int
    segment_s: float = 4.0
    picture_fps: float = 2.0
    """Of recordings of cameras that send pictures."""
    sends_looks: bool = True
    decodes: bool = True
    """False: the stream is only recorded."""
    ca_file: Path | None = None
    """Certificates that the connection trusts beside those of the system."""
    may_be_unconfined: bool = False
    masks: tuple[tuple[Point, ...], ...] = ()
    only_in: tuple[tuple[Point, ...], ...] = ()
    """Only motion inside of these areas counts; empty: all."""


class CameraProcess:
    def __init__(self, process: OpenProcess) -> None:
        self._process = process

    @property
    def pid(self) -> int:
        return self._process.pid

    async def ready(self, rest: Rest | None = None, *, is_known: bool = False) -> None:
        """The next look may come: after the rest, or as soon as anything moves that is not known."""
        await self._process.send("next", grant(rest, is_known=is_known))

    async def request_picture(self) -> None:
        await self._process.send("picture")

    async def follow(self, *, is_on: bool) -> None:
        """While on, there are looks though nothing moves."""
        await self._process.send("follow", {"on": is_on})

    async def record(self, *, is_on: bool) -> None:
        await self._process.send("record", {"on": is_on})

    async def restore_gate(self, state: bytes) -> None:
        """Lets the motion gate begin with what it had learned before."""
        await self._process.send("gate", content=state)

    async def explain(self, boxes: Sequence[Box]) -> None:
        """Objects were seen there, so what moves there is no tree."""
        await self._process.send("explain", {"boxes": [list(box) for box in boxes]})

    async def receive(self) -> CameraMessage:
        """Raises a `SourceProblem` when the camera or its process has ended."""
        while True:
            try:
                message = await self._process.receive()
            except SourceProblem:
                raise
            except PlatformError:
                raise SourceProblem("watcher_failed") from None
            if message.kind == "problem":
                raise problem_named(message.fields.get("code"))
            if (read := read_message(message)) is not None:
                return read


@asynccontextmanager
async def open_camera_process(
    source: SourceInput, options: LookOptions, *, directory: Path | None = None
) -> AsyncIterator[CameraProcess]:
    """The child reads the source until the context ends, and writes recordings into the directory."""
    argument: dict[str, Any] = {
        "looks_per_s": options.looks_per_s,
        "picture_width": options.picture_width,
        "jpeg_quality": options.jpeg_quality,
        "open_timeout_s": options.connect_timeout_s,
        "read_timeout_s": options.stall_timeout_s,
        "looks": options.sends_looks,
        "decodes": options.decodes,
        "segment_s": options.segment_s,
        "picture_fps": options.picture_fps,
    }
    if options.sends_looks:
        argument["gate"] = {"masks": options.masks, "only_in": options.only_in}
    limits = ProcessLimits(memory_bytes=options.memory_bytes, may_be_unconfined=options.may_be_unconfined)
    run = partial(open_process, limits=limits, directory=directory)
    async with AsyncExitStack() as stack:
        match source:
            case StreamInput():
                argument |= {"url": source.url, "options": source.options, "has_user": source.has_user}
                sandbox = Sandbox(
                    modules=CODE_OF_CAMERAS, network="open" if source.port is None else "port", port=source.port
                )
                started = run(read_stream, argument, sandbox=sandbox)
            case ClipInput():
                sandbox = Sandbox(modules=CODE_OF_CAMERAS)
                started = run(read_stream, argument, sandbox=sandbox, handles={"clip": source.file})
            case StillsInput():
                sandbox = Sandbox(modules=CODE_OF_CAMERAS)
                started = run(read_stills, argument, sandbox=sandbox)
        process = await stack.enter_async_context(started)
        if isinstance(source, StillsInput):
            yield await stack.enter_async_context(_fed_with(source.pictures, process))
        else:
            yield CameraProcess(process)


class _FedProcess(CameraProcess):
    """Its pictures come from this process; why they end is known here."""

    def __init__(self, process: OpenProcess, feeding: asyncio.Task[None]) -> None:
        super().__init__(process)
        self._feeding = feeding

    async def receive(self) -> CameraMessage:
        receiving = asyncio.create_task(super().receive())
        try:
            await asyncio.wait((receiving, self._feeding), return_when=asyncio.FIRST_COMPLETED)
            if not receiving.done():
                self._feeding.result()  # raises why
                raise SourceProblem("ended")
            return receiving.result()
        finally:
            receiving.cancel()
            with suppress(asyncio.CancelledError, SourceProblem):
                await receiving


@asynccontextmanager
async def _fed_with(pictures: AsyncIterator[bytes], process: OpenProcess) -> AsyncIterator[CameraProcess]:
    async def feed() -> None:
        async for picture in pictures:
            await process.send("still", content=picture)

    feeding = asyncio.create_task(feed())
    try:
        yield _FedProcess(process, feeding)
    finally:
        feeding.cancel()
        with suppress(asyncio.CancelledError, SourceProblem):
            await feeding


def read_message(message: ProcessMessage) -> CameraMessage | None:
    """None for what is unknown. What has the wrong form is a `SourceProblem`. Pure."""
    fields = message.fields
    try:
        match message.kind:
            case "opened":
                fps = fields.get("fps")
                codec = str(fields["codec"])[:40]
                return Opened(
                    _side(fields["width"]), _side(fields["height"]), codec, None if fps is None else float(fps)
                )
            case "size":
                return Resized(_side(fields["width"]), _side(fields["height"]))
            case "alive":
                return Alive(float(fields["at"]), int(fields["looks"]))
            case "look":
                width, height = _side(fields["width"]), _side(fields["height"])
                picture = np.frombuffer(message.content, np.uint8).reshape(height, width, 3)
                return CameraLook(float(fields["at"]), picture, _regions(fields["regions"]), float(fields["share"]))
            case "segment":
                return SegmentWritten(FinishedSegment.from_json(fields))
            case "gate":
                if not 0 < len(message.content) <= MAX_GATE_BYTES:
                    raise ValueError("a motion gate learns less than that")
                return GateLearned(message.content)
            case "recording_problem":
                return NotRecorded(str(fields["reason"])[:200])
            case "picture":
                if not message.content.startswith(b"\xff\xd8"):
                    raise ValueError("not a JPEG picture")
                return JpegPicture(float(fields["at"]), message.content)
    except (InvalidInput, KeyError, TypeError, ValueError, OverflowError):
        raise SourceProblem("watcher_failed") from None
    return None


def _side(value: Any) -> int:
    side = int(value)
    if not 0 < side <= MAX_SIDE:
        raise ValueError("a picture has no such size")
    return side


def _regions(value: Any) -> tuple[Box, ...]:
    regions = []
    for one in value[:MAX_REGIONS]:
        x, y, width, height = (min(1.0, max(0.0, float(part))) for part in one)
        regions.append((x, y, width, height))
    return tuple(regions)
