"""Work on a video that is held half-way until its process is killed.

Stands at the top of a module, by whose name a child can import it.
"""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sightline.jobs import Progress
from sightline.media.clips import clip_work
from sightline.media.sampling import sample_work
from sightline.media.stream import proxy_work
from sightline.media.stream.video_encoder import VideoEncoder

HALF_WAY = "half-way"
"""A file that lies in the work's directory from the moment on at which it is held."""
PICTURES = 45
FRAMES = 5


def make_proxy(argument: dict[str, Any], progress: Progress) -> dict[str, Any]:
    hold_after(PICTURES, VideoEncoder, "show")
    return proxy_work.make_proxy(argument, progress)


def cut_clip(argument: dict[str, Any], progress: Progress) -> dict[str, Any]:
    hold_after(PICTURES, VideoEncoder, "show")
    return clip_work.cut_clip(argument, progress)


def sample_range(argument: dict[str, Any], progress: Progress) -> dict[str, Any]:
    hold_after(FRAMES, sample_work, "_write")
    return sample_work.sample_range(argument, progress)


def hold_after(count: int, owner: object, name: str) -> None:
    """The step is taken so many times; the next time it waits forever."""
    step: Callable[..., Any] = getattr(owner, name)
    taken = 0

    def take(*arguments: Any, **options: Any) -> Any:
        nonlocal taken
        taken += 1
        if taken > count:
            Path(HALF_WAY).write_text("not the end")
            threading.Event().wait()
        return step(*arguments, **options)

    setattr(owner, name, take)
