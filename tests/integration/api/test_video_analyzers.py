"""What each analyzer lacks on a video, which one is used if nobody names one, and what a model will take."""

import pytest

from sightline.objects import frames_prefix
from sightline.techniques import TechniquesSettings
from sightline.techniques.analyzers import installed
from support.technique_rig import new_video


@pytest.fixture
async def video(platform):
    return await new_video(platform)


async def analyzers_of(client, video, **query):
    found = (await client.get(f"/videos/{video}/analyzers", params=query)).json()["analyzers"]
    return {one["name"]: one for one in found}


@pytest.mark.req(885, 888)
async def test_every_analyzer_says_what_it_lacks(client, platform, video, monkeypatch):
    monkeypatch.setattr(installed, "has_poses", lambda _: False)  # `make vision` may have installed them
    found = await analyzers_of(client, video)
    assert (found["annotations"]["cannot"], found["vision-llm"]["cannot"]) == ("no_annotations", "no_model")
    assert found["annotations"]["is_default"]
    assert found["vision-llm"]["estimate"] is None
    assert found["pose"]["cannot"] in ("not_installed", "not_ready")
    await client.put(f"/videos/{video}/annotations", json=[])
    assert (await analyzers_of(client, video))["annotations"]["cannot"] == "not_ready"


@pytest.mark.req(885)
async def test_a_vision_model_is_estimated_before_it_runs(client_with, platform_with):
    techniques = TechniquesSettings(
        model_server="ollama", model_name="llava", window_frames=4, window_overlap=1, price_per_million_input=2.0
    )
    client = await client_with(techniques=techniques)
    platform = await platform_with()
    video = await new_video(platform)
    assert (await analyzers_of(client, video))["vision-llm"]["estimate"] is None, "there are no key frames yet"
    for at_ms in range(10):
        await platform.objects.put(f"{frames_prefix(video)}{at_ms}.jpg", b"x")
    found = (await analyzers_of(client, video))["vision-llm"]
    assert (found["server"], found["is_default"]) == ("Ollama: llava", True)
    estimate = found["estimate"]
    assert (estimate["calls"], estimate["pictures"], estimate["max_completion_tokens"]) == (3, 12, 3 * 2048)
    assert estimate["max_cost"] == pytest.approx(estimate["prompt_tokens"] * 2 / 1e6)
    half = (await analyzers_of(client, video, sampling_rate=2))["vision-llm"]["estimate"]
    assert (half["calls"], half["pictures"]) == (2, 6)


@pytest.mark.req(888)
async def test_what_a_retention_rule_removed_keeps_analyzers_from_working(client_with, platform_with):
    client = await client_with(techniques=TechniquesSettings(model_server="llama-cpp"))
    platform = await platform_with()
    video = await new_video(platform)
    async with platform.database.transaction() as tx:
        for status in ("UPLOADING", "UPLOADED", "PROCESSING", "SPLITTING", "PRINTING", "COMPLETED"):
            await tx.execute("UPDATE videos SET status = $2::text::video_status WHERE id = $1", video, status)
        await tx.execute(
            "UPDATE videos SET frames_removed_at = now(), original_removed_at = now() WHERE id = $1", video
        )
    found = await analyzers_of(client, video)
    assert found["vision-llm"]["cannot"] == "frames_removed"
    assert found["pose"]["cannot"] in ("original_removed", "not_installed")


async def test_what_people_annotated_goes_before_what_poses_suggest(client, video, monkeypatch):
    monkeypatch.setattr(installed, "has_poses", lambda _: True)
    assert (await analyzers_of(client, video))["pose"]["is_default"]
    await client.put(f"/videos/{video}/annotations", json=[])
    assert (await analyzers_of(client, video))["annotations"]["is_default"]
