"""Helpers for tests of media: running work on files as jobs do, and reading the results."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import av

from sightline.jobs import ProcessLimits
from sightline.media import MediaSettings
from sightline.media.input import MediaLimits, process_limits, run_in_sandbox
from sightline.media.input.probe import MediaInfo, probe

SETTINGS = MediaSettings()
MEDIA_LIMITS = MediaLimits.of(SETTINGS)


async def in_process(work: Any, directory: Path | None, limits: ProcessLimits | None = None, **argument: Any) -> Any:
    """Runs the work as a job does: in a sandboxed process."""
    argument.setdefault("media_limits", asdict(MEDIA_LIMITS))
    argument.setdefault("readable", "/dev/null")
    name = f"{work.__module__}:{work.__qualname__}"
    return await run_in_sandbox(name, argument, limits=limits or process_limits(SETTINGS), directory=directory)


async def probed(path: Path | str, media_limits: MediaLimits = MEDIA_LIMITS) -> MediaInfo:
    return MediaInfo.from_json(await in_process(probe, None, readable=str(path), media_limits=asdict(media_limits)))


def playlist_length_s(playlist: Path) -> float:
    lines = playlist.read_text().splitlines()
    return sum(float(line[len("#EXTINF:") : -1]) for line in lines if line.startswith("#EXTINF:"))


def decoded_info(path: Path | str) -> dict[str, Any]:
    """Properties of a written file, as a decoder reads them."""
    options = {"allowed_extensions": "ALL"} if str(path).endswith(".m3u8") else {}
    with av.open(str(path), options=options) as container:
        picture = container.streams.video[0]
        frame = next(container.decode(picture))
        sound = container.streams.audio[0] if container.streams.audio else None
        return {
            "codec": picture.codec_context.name,
            "size": (frame.width, frame.height),
            "pixel_format": frame.format.name,
            "rotation": frame.rotation,
            "pixel_aspect": picture.sample_aspect_ratio or 1,
            "b_frames": picture.codec_context.has_b_frames,
            "sound": None if sound is None else sound.codec_context.name,
            "metadata": dict(container.metadata),
            "duration_s": None if container.duration is None else container.duration / av.time_base,
        }
