"""Decoding of a picture that runs in the sandbox: it is written as plain bytes, which its reader need not decode."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sightline.jobs import Progress
from sightline.media.input import MediaLimits, MediaUnreadable
from sightline.media.input.byte_source import open_bytes
from sightline.media.pictures.read_pictures import MAX_SIDE, PICTURE_FILE

cv2.setNumThreads(1)

MAX_PICTURE_FILE_BYTES = 256 * 1024 * 1024


def decode_picture(argument: dict[str, Any], _progress: Progress) -> dict[str, Any]:
    """Sandboxed work: the picture in a JPEG, PNG, WebP, TIFF or BMP file."""
    with open_bytes(argument["readable"]) as file:
        content = file.read(MAX_PICTURE_FILE_BYTES + 1)
    if len(content) > MAX_PICTURE_FILE_BYTES:
        raise MediaUnreadable("the file is larger than a picture may be")
    try:
        picture = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR_RGB) if content else None
    except cv2.error as error:
        raise MediaUnreadable(f"the picture cannot be decoded: {error.err or error}") from error
    if picture is None:
        raise MediaUnreadable("this file isn't a picture or video we can read")
    if picture.shape[0] * picture.shape[1] > MediaLimits(**argument["media_limits"]).pixels:
        raise MediaUnreadable(f"the picture has {picture.shape[1]}×{picture.shape[0]} pixels, more than is accepted")
    return _write(np.asarray(picture, np.uint8))


def _write(picture: NDArray[np.uint8]) -> dict[str, Any]:
    scale = MAX_SIDE / max(picture.shape[:2])
    if scale < 1:
        size = max(1, round(picture.shape[1] * scale)), max(1, round(picture.shape[0] * scale))
        picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    Path(PICTURE_FILE).write_bytes(np.ascontiguousarray(picture).tobytes())
    return {"width": picture.shape[1], "height": picture.shape[0]}
