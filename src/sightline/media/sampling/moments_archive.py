"""Moments of a video as one ZIP file: a picture and the text of each, and a manifest. Streamed, with one moment in memory."""

import json
from bisect import bisect_right
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sightline.errors import NotFound
from sightline.media.sampling.frames_archive import FrameObject
from sightline.objects import ObjectStore
from sightline.zip_stream import ZipStream


@dataclass(frozen=True, slots=True)
class VideoMoment:
    """A range of a video, in ms of its time."""

    start_ms: int
    end_ms: int


ReadTexts = Callable[[VideoMoment], Awaitable[Sequence[dict[str, Any]]]]
"""What is on screen and said in a moment, as JSON values that each have a `text`."""


async def moments_archive(
    objects: ObjectStore,
    frames: Sequence[FrameObject],
    moments: Sequence[VideoMoment],
    read_texts: ReadTexts,
    about: dict[str, Any],
) -> AsyncIterator[bytes]:
    """`about` stands at the head of the manifest. A picture that is gone is left out, and the manifest says so."""
    file = ZipStream()
    entries: list[dict[str, Any]] = []
    for number, moment in enumerate(moments, start=1):
        name = f"{number:03}_{_file_time(moment.start_ms)}"
        texts = await read_texts(moment)
        picture = await _picture(objects, frames, moment)
        if picture is not None:
            yield file.add(f"{name}.jpg", picture)
        lines = "".join(f"{' '.join(str(one['text']).split())}\n" for one in texts)
        yield file.add(f"{name}.txt", lines.encode(), is_text=True)
        entries.append(
            {
                "start_ms": moment.start_ms,
                "end_ms": moment.end_ms,
                "picture": None if picture is None else f"{name}.jpg",
                "text_file": f"{name}.txt",
                "texts": list(texts),
            }
        )
    manifest = json.dumps({**about, "moments": entries}, ensure_ascii=False, indent=2)
    yield file.add("manifest.json", manifest.encode(), is_text=True)
    yield file.close()


def frame_of_moment(frames: Sequence[FrameObject], moment: VideoMoment) -> FrameObject | None:
    """The key frame that is on screen in the middle of the moment; frames are in the order of time."""
    middle = (moment.start_ms + moment.end_ms) // 2
    at = bisect_right(frames, middle, key=lambda frame: frame.timestamp_ms)
    return frames[max(0, at - 1)] if frames else None


async def _picture(objects: ObjectStore, frames: Sequence[FrameObject], moment: VideoMoment) -> bytes | None:
    frame = frame_of_moment(frames, moment)
    if frame is None:
        return None
    try:
        return await objects.get(frame.key)
    except NotFound:
        return None  # removed by a retention rule in the meantime


def _file_time(ms: int) -> str:
    seconds, thousandths = divmod(ms, 1000)
    return f"{seconds // 3600:02}-{seconds // 60 % 60:02}-{seconds % 60:02}.{thousandths:03}"
