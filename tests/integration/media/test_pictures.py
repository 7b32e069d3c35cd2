"""Pictures of local files, decoded in the sandbox."""

import asyncio
from itertools import pairwise

import cv2
import numpy as np
import pytest

from sightline.media import MediaSettings
from sightline.media.input import MediaUnreadable
from sightline.media.pictures import read_pictures
from support.sample_film import HARBOUR_S, make_film

RED = np.zeros((40, 60, 3), np.uint8)
RED[:, :, 2] = 255  # blue comes first


async def pictures_of(file, every_s=1.0):
    return [one async for one in read_pictures(file, MediaSettings(), every_s=every_s)]


@pytest.mark.req(535)
@pytest.mark.parametrize("kind", ["jpg", "png", "webp", "bmp"])
async def test_a_picture_of_any_usual_kind_is_read_in_its_colours(tmp_path, kind):
    file = tmp_path / f"red.{kind}"
    cv2.imwrite(str(file), RED)
    (found,) = await pictures_of(file)
    assert found.at_ms is None
    assert found.pixels.shape == (40, 60, 3)
    assert found.pixels[20, 30].tolist() == pytest.approx([255, 0, 0], abs=4)


@pytest.mark.req(535)
async def test_a_large_picture_is_made_smaller(tmp_path):
    file = tmp_path / "large.png"
    cv2.imwrite(str(file), np.zeros((1000, 4000, 3), np.uint8))
    (found,) = await pictures_of(file)
    assert found.pixels.shape == (480, 1920, 3)


@pytest.mark.req(535)
@pytest.mark.parametrize("content", [b"", b"\xff\xd8\xff" + b"\0" * 500, b"\x89PNG\r\n\x1a\n" + b"x" * 300, b"text"])
async def test_what_is_no_picture_is_refused(tmp_path, content):
    file = tmp_path / "broken.jpg"
    file.write_bytes(content)
    with pytest.raises(MediaUnreadable):
        await pictures_of(file)


@pytest.mark.req(535)
async def test_a_video_is_read_at_the_requested_distance(tmp_path):
    file = tmp_path / "sample.mp4"
    await asyncio.to_thread(make_film, file, *HARBOUR_S)
    found = await pictures_of(file, every_s=0.5)
    times = [one.at_ms for one in found]
    assert len(times) >= 11
    assert times == sorted(set(times))
    assert all(450 <= later - earlier <= 550 for earlier, later in pairwise(times))
    assert found[0].pixels.shape[2] == 3
