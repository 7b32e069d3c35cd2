"""The detector on a server, against a server on this machine."""

import numpy as np
import pytest

from sightline.errors import BackendUnavailable, PermanentFailure
from sightline.vision import VisionSettings, detector_status
from support.local_http import LocalHttp
from support.vision_models import opened

PICTURE = np.full((100, 200, 3), 120, np.uint8)
LARGE = np.zeros((1080, 1920, 3), np.uint8)


@pytest.fixture
async def server():
    server = LocalHttp()
    server.answer = {"success": True, "predictions": []}
    await server.start()
    yield server
    server.stop()


def prediction(label, confidence, *corners):
    return {"label": label, "confidence": confidence} | dict(
        zip(("x_min", "y_min", "x_max", "y_max"), corners, strict=True)
    )


@pytest.mark.req(528)
async def test_a_picture_is_posted_as_jpeg_and_boxes_come_back_in_parts_of_it(server):
    server.answer = {
        "success": True,
        "predictions": [prediction("Motorbike", 0.8, 50, 25, 150, 75), prediction("cup", 0.9, 0, 0, 10, 10)],
    }
    async with opened(VisionSettings(url=f"{server.url}/", api_key="secret")) as detector:
        (found,) = await detector.detect(PICTURE)
    assert (found.label, found.score, found.box) == ("motorcycle", 0.8, pytest.approx((0.25, 0.25, 0.5, 0.5)))
    assert server.asked == [("POST", "/v1/vision/detection")]
    (body,) = server.bodies
    assert b'name="image"' in body
    assert b"\xff\xd8\xff" in body
    assert b'name="api_key"\r\n\r\nsecret' in body


@pytest.mark.req(528, 530)
async def test_tiles_around_motion_are_posted_too(server):
    async with opened(VisionSettings(url=server.url)) as detector:
        await detector.detect(LARGE, regions=[(0.5, 0.5, 0.01, 0.02)])
    assert len(server.bodies) == 2


@pytest.mark.req(1126)
async def test_of_a_part_only_that_part_is_posted_and_boxes_are_of_the_whole(server):
    server.answer = {"success": True, "predictions": [prediction("car", 0.8, 25, 25, 75, 75)]}
    async with opened(VisionSettings(url=server.url)) as detector:
        (found,) = await detector.detect(PICTURE, part=(0.5, 0.0, 0.5, 1.0))
    assert found.box == pytest.approx((0.625, 0.25, 0.25, 0.5))


@pytest.mark.req(528)
async def test_a_refusal_of_the_server_is_said_in_its_words(server):
    server.answer = {"success": False, "error": "no model is loaded"}
    async with opened(VisionSettings(url=server.url)) as detector:
        with pytest.raises(PermanentFailure, match="no model is loaded"):
            await detector.detect(PICTURE)
        assert "no model is loaded" in detector.problem


@pytest.mark.req(528)
@pytest.mark.parametrize("answer", [[], {"success": True}, {"predictions": [{"label": "car"}]}, "text"])
async def test_a_response_of_another_form_is_named(server, answer):
    server.answer = answer
    async with opened(VisionSettings(url=server.url)) as detector:
        with pytest.raises(BackendUnavailable, match="of another form"):
            await detector.detect(PICTURE)


@pytest.mark.req(528)
async def test_a_server_that_is_gone_can_be_tried_again(server):
    async with opened(VisionSettings(url=server.url)) as detector:
        server.stop()
        with pytest.raises(BackendUnavailable, match="cannot be reached"):
            await detector.detect(PICTURE)
        await server.start()
        assert await detector.detect(PICTURE) == []
        assert detector.problem is None


@pytest.mark.req(528)
async def test_boxes_that_are_none_are_left_out(server):
    server.answer = {
        "predictions": [
            prediction("car", 0.9, 150, 75, 50, 25),
            prediction("car", 7, 0, 0, 9, 9),
            prediction("car", 0.9, 300, 0, 400, 9),
        ]
    }
    async with opened(VisionSettings(url=server.url)) as detector:
        assert await detector.detect(PICTURE) == []


@pytest.mark.req(657)
async def test_credentials_in_the_address_are_shown_nowhere(server, log_lines):
    url = server.url.replace("http://", "http://user:s3cret@") + "/?token=t0ken"
    settings = VisionSettings(url=url)
    async with opened(settings) as detector:
        server.status = 500
        with pytest.raises(BackendUnavailable) as failed:
            await detector.detect(PICTURE)
        shown = [failed.value.message, detector.problem, detector.models, detector_status(settings), log_lines()]
    assert server.url in str(shown[0])
    assert not [text for text in map(str, shown) if "s3cret" in text or "t0ken" in text]
