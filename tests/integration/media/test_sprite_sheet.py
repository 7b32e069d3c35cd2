"""The sprite sheet that `transcode` makes: which frame each of its pictures shows."""

import cv2
import numpy as np
import pytest

from sightline.contracts.jobs import Transcode
from sightline.media.stream import sprite_work
from sightline.objects import original_key, proxy_prefix, sprite_sheet_key
from support.coded_clip import make_clip, number_of
from support.media_rig import MEDIA_LIMITS

FPS = 30
GOP = 15


async def numbers_of(use, path, **form):
    """The numbers of the frames on the sheet, and how it is laid out."""
    make_clip(path, fps=FPS, gop=GOP, **form)
    video_id = await use.add(path)
    job = await use.run(Transcode(video_id=video_id, s3_original_path=original_key(video_id)))
    assert job.status == "done", job.error
    sheet = (await use.video(video_id)).sprite_sheet
    content = await use.platform.objects.get(sprite_sheet_key(video_id))
    picture = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_GRAYSCALE)
    assert picture is not None
    width, height = sheet["tile_width"], sheet["tile_height"]
    assert picture.shape[1] == sheet["columns"] * width
    tiles = [
        picture[top : top + height, left : left + width]
        for top in range(0, picture.shape[0], height)
        for left in range(0, picture.shape[1], width)
    ][: sheet["tiles"]]
    return [number_of(tile) for tile in tiles], sheet


@pytest.mark.req(963)
@pytest.mark.parametrize("form", [{}, {"rotation": 90}, {"codec": "libx265"}], ids=["copied", "rotated", "encoded"])
async def test_a_short_video_shows_the_very_frame_of_each_second(use, tmp_path, form):
    numbers, sheet = await numbers_of(use, tmp_path / "clip.mp4", frames=4 * FPS + 10, **form)
    assert numbers == [0, 30, 60, 90, 120]
    assert (sheet["interval_ms"], sheet["tiles"], len(sheet["version"])) == (1000, 5, 12)


@pytest.mark.req(963)
async def test_a_long_video_shows_key_frames_that_were_on_screen_shortly_before(use, tmp_path):
    count = sprite_work.MAX_FRAMES_READ + 5 * FPS
    numbers, _ = await numbers_of(use, tmp_path / "clip.mp4", frames=count, width=64, height=64)
    assert len(numbers) == count // FPS
    assert all(0 <= number * FPS - shown <= GOP for number, shown in enumerate(numbers)), numbers


@pytest.mark.req(963)
async def test_a_stream_that_cannot_be_decoded_has_no_sheet(use, tmp_path):
    make_clip(tmp_path / "clip.mp4", frames=30)
    video_id = await use.add(tmp_path / "clip.mp4")
    await use.run(Transcode(video_id=video_id, s3_original_path=original_key(video_id)))
    stream = tmp_path / "stream"
    stream.mkdir()
    async for stored in use.platform.objects.find(proxy_prefix(video_id)):
        content = await use.platform.objects.get(stored.key)
        is_playlist = stored.key.endswith(".m3u8")
        (stream / stored.key.rpartition("/")[2]).write_bytes(content if is_playlist else b"\x00" * 2000)
    into = tmp_path / "sprite.jpg"
    made = sprite_work.make_sprite_sheet(
        stream, MEDIA_LIMITS, duration_ms=1000, fps=FPS, shown_size=(160, 96), into=into
    )
    assert (made, into.exists()) == (None, False)
