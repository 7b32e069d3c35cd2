"""The bundled sample clip as a camera would send it: the empty yard, and a real person who walks through it."""

from collections.abc import Iterator
from functools import cache

import av
import numpy as np

from sightline.cameras.sample import SAMPLE_CLIP
from support.camera_clips import CodedPicture, code_pictures

Clip = tuple[CodedPicture, ...]
WIDTH = 768
_STILL, _WALK = slice(0, 45), slice(48, 132)
"""Pictures of the sample clip, which has ten a second."""


@cache
def still_and_walk() -> tuple[Clip, Clip]:
    """Takes some seconds; run it in a thread."""
    pictures = list(_pictures())
    return code_pictures(pictures[_STILL]), code_pictures(pictures[_WALK])


def _pictures() -> Iterator[np.ndarray]:
    with av.open(str(SAMPLE_CLIP)) as container:
        for frame in container.decode(video=0):
            yield frame.to_ndarray(format="rgb24")
