"""What the API says about object detection."""

import pytest

from sightline.vision import VisionSettings
from support.vision_models import need_model


@pytest.fixture
def installed_model():
    """Comes before the platform, which looks for models when it is opened."""
    need_model()


@pytest.mark.req(536)
async def test_what_is_looked_for_is_listed_and_how_to_install_models_where_there_are_none(client):
    answer = (await client.get("/api/vision")).json()
    assert answer["installed"] == (answer["how_to_install"] is None)
    assert answer["objects"] == ["person", "vehicle", "animal", "bag"]


@pytest.mark.req(536)
async def test_models_are_listed_with_licence_hash_and_limits(installed_model, client):
    answer = (await client.get("/api/vision")).json()
    assert answer["models"]
    for model in answer["models"]:
        assert model["licence"]
        assert model["cannot_see"]
        assert len(model["sha256"]) == 64


@pytest.mark.req(536)
async def test_a_detection_server_is_named_in_the_overview_of_health(client_with):
    client = await client_with(vision=VisionSettings(url="http://127.0.0.1:32168"))
    answer = (await client.get("/api/vision")).json()
    assert answer["installed"]
    assert [model["name"] for model in answer["models"]] == ["detection server"]
    health = (await client.get("/api/health?deep=true")).json()
    assert health["parts"]["vision"]["detail"] == "objects are detected by detection server"
