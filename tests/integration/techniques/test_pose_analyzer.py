"""The pose analyzer: recorded people, the packaged classifier in its confined process, and what is said and not said."""

from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import numpy as np
import pytest

from sightline.contracts.technique_events import Category
from sightline.errors import ConfigurationError
from sightline.objects import original_key
from sightline.techniques import TechniquesSettings
from sightline.techniques.analyzers import AnalysisTask, AnalyzerParts, build_analyzer, default_analyzer
from sightline.techniques.analyzers import pose as pose_module
from sightline.techniques.analyzers.pose import PoseAnalyzer
from sightline.techniques.clip import check_clips
from sightline.techniques.marks import TechniqueCorrection
from sightline.techniques.pose import open_pose_process, packaged_card
from sightline.techniques.pose.installed import InstalledPoses
from sightline.techniques.pose.learning import lessons_of
from sightline.techniques.pose.model_card import CLASSIFIER
from sightline.techniques.pose.phase_spans import MIN_PROBABILITY
from sightline.techniques.pose.pose_parts import PosePart, PoseParts, stored_looks
from sightline.techniques.pose.pose_process import PoseFiles
from sightline.videos import Video, VideoStatus
from sightline.vision import VisionSettings
from support.posed_pairs import looks_of
from support.technique_process import objects_in
from support.vision_models import need_runtime

ORIGIN = "recorded"
STORED_AS = f"{ORIGIN}@4"


@pytest.fixture
async def objects(tmp_path):
    async with objects_in(tmp_path) as stored:
        yield stored.store


def a_video() -> Video:
    values: dict[str, Any] = dict.fromkeys(Video.__dataclass_fields__)
    now = datetime.now(UTC)
    return Video(
        **values
        | {"id": uuid4(), "owner_id": uuid4(), "name": "match.mp4", "fps": 30.0, "status": VideoStatus.COMPLETED}
        | {"created_at": now, "updated_at": now, "index_status": "ready", "s3_original_path": "x", "moves": 1}
        | {"duration_ms": 30_000}
    )


def installed() -> InstalledPoses:
    """With recorded people no picture is looked at, so any file stands for the model of poses."""
    return InstalledPoses(PoseFiles(CLASSIFIER, 384, CLASSIFIER), packaged_card(), ORIGIN)


@dataclass
class OneLook:
    at_ms: int


class CountedLooks:
    def __init__(self, count: int) -> None:
        self._count = count
        self.pictures = 0

    async def __aiter__(self):
        for number in range(self._count):
            yield OneLook(number * 250)

    async def picture(self):
        self.pictures += 1
        return np.zeros((8, 8, 3), np.uint8)


def analyzer_on(objects, looks: CountedLooks | None = None) -> PoseAnalyzer:
    @asynccontextmanager
    async def open_looks(readable: str, looks_per_s: float):
        assert looks is not None, "recorded people need no video"
        yield looks

    parts = AnalyzerParts(TechniquesSettings(), objects, open_looks=open_looks, may_be_unconfined=True)
    return PoseAnalyzer(parts, installed())


async def record(objects, video: Video, looks) -> None:
    await PoseParts(objects, video.id, STORED_AS).store(0, PosePart(tuple(looks), is_last=True))


@pytest.mark.req(854)
async def test_a_match_becomes_candidates_and_silence_with_its_reason(objects):
    need_runtime()
    video = a_video()
    await record(objects, video, looks_of(("standing", 7), ("top", 8), (None, 6), ("guard", 7)))
    reports: list[float] = []
    analysis = await analyzer_on(objects).analyze(AnalysisTask(video), lambda done, message: reports.append(done))
    said = [(one.category, one.role) for one in analysis.clips]
    assert said[0][0] == "STANDUP_GAME"
    assert ("POSITIONAL_DOMINANCE", "athlete in white gi") in said
    assert any(one.specific_technique == "Takedown" for one in analysis.clips)
    assert any(one.category in ("GUARD_PLAY", "GUARD_PASSING") for one in analysis.clips)
    assert all("Candidate" in one.reasoning for one in analysis.clips)
    assert "candidates" in analysis.match_summary
    assert [one.reason for one in analysis.problems] == ["no candidate: nobody is seen"]
    assert 14_000 <= analysis.problems[0].start_ms < analysis.problems[0].end_ms <= 22_000


@pytest.mark.req(1095)
@pytest.mark.parametrize("seconds", [7, 8])
async def test_what_holds_until_the_video_ends_is_kept(objects, seconds):
    need_runtime()
    video = a_video()
    await record(objects, video, looks_of(("standing", seconds)))
    analysis = await analyzer_on(objects).analyze(AnalysisTask(video), lambda done, message: None)
    checked = check_clips(analysis.clips, fps=analysis.fps, duration_ms=seconds * 1000)
    assert (len(checked.kept), checked.left_out) == (1, [])
    assert seconds * 1000 - 1000 <= checked.kept[0].end_frame <= seconds * 1000
    await record(objects, video, looks_of((None, seconds)))
    silent = await analyzer_on(objects).analyze(AnalysisTask(video), lambda done, message: None)
    assert [one.end_ms <= seconds * 1000 for one in silent.problems] == [True]


@pytest.mark.req(856)
async def test_an_interrupted_run_resumes_after_the_last_whole_part(objects, monkeypatch):
    monkeypatch.setattr(pose_module, "PART_LOOKS", 8)
    video, looks = a_video(), CountedLooks(20)
    await objects.put(original_key(video.id), b"x")
    await PoseParts(objects, video.id, STORED_AS).store(0, PosePart(tuple(looks_of(("guard", 2))), is_last=False))

    class Process:
        async def people(self, picture, *, source=""):
            return []

    process: Any = Process()
    analyzer = analyzer_on(objects, looks)
    parts = [part async for part in analyzer._people(AnalysisTask(video), process, lambda at_ms: None)]
    assert [len(part.looks) for part in parts] == [8, 8, 4]
    assert looks.pictures == 12
    again = [part async for part in analyzer_on(objects)._people(AnalysisTask(video), process, lambda at_ms: None)]
    assert [part.looks[0].at_ms for part in again] == [part.looks[0].at_ms for part in parts]


@pytest.mark.req(856)
async def test_people_who_were_found_by_another_model_are_found_anew(objects):
    video = a_video()
    await record(objects, video, looks_of(("guard", 2)))
    assert await PoseParts(objects, video.id, "another@4").load(0) is None


@pytest.mark.req(858)
async def test_corrections_become_lessons_where_poses_are_stored(objects):
    need_runtime()
    video, now = a_video(), datetime.now(UTC)
    await record(objects, video, looks_of(("top", 5), (None, 5)))

    def correction(start_ms, end_ms, category, verdict="accepted"):
        return TechniqueCorrection(
            uuid4(), video.id, start_ms, end_ms, category, "x", "y", verdict, "pose", None, uuid4(), now
        )

    corrections = [
        correction(0, 4000, Category.POSITIONAL_DOMINANCE),
        correction(0, 4000, Category.GUARD_PLAY, "rejected"),
        correction(6000, 9000, Category.GUARD_PLAY),
        correction(0, 4000, Category.DEFENSE_ESCAPES),
    ]
    async with open_pose_process(installed().files, VisionSettings(), may_be_unconfined=True) as process:
        lessons, unusable = await lessons_of(corrections, objects, process)
    assert [(one.category, one.is_there) for one in lessons] == [
        (Category.POSITIONAL_DOMINANCE, True),
        (Category.GUARD_PLAY, False),
    ]
    assert unusable == 2


@pytest.mark.req(1113)
async def test_while_another_rate_replaces_stored_poses_nothing_is_learned_from_them(objects, monkeypatch):
    monkeypatch.setattr(pose_module, "PART_LOOKS", 8)
    video, found = a_video(), looks_of(("top", 5))
    await objects.put(original_key(video.id), b"x")
    stored = PoseParts(objects, video.id, STORED_AS)
    await stored.store(0, PosePart(tuple(found[:12]), is_last=False))
    assert await stored_looks(objects, video.id) == [], "the analysis has not ended"
    await stored.store(1, PosePart(tuple(found[12:]), is_last=True))
    assert [one.at_ms for one in await stored_looks(objects, video.id)] == [one.at_ms for one in found]

    class Process:
        async def people(self, picture, *, source=""):
            return []

    process: Any = Process()  # knows nothing of `hidden`, which is called for a lesson
    correction = TechniqueCorrection(
        uuid4(), video.id, 0, 2000, Category.GUARD_PLAY, "x", "y", "accepted", "pose", None, uuid4(), datetime.now(UTC)
    )
    at_half_the_rate = AnalysisTask(video, 2)
    seen = []
    async for _ in analyzer_on(objects, CountedLooks(20))._people(at_half_the_rate, process, lambda at_ms: None):
        seen.append(len(await stored_looks(objects, video.id)))
        assert await lessons_of([correction], objects, process) == ([], 1)
    assert seen == [0, 0, 20]
    assert all(one.people == () for one in await stored_looks(objects, video.id))


@pytest.mark.req(857)
def test_without_the_model_of_poses_the_analyzer_says_how_to_install_it(tmp_path, objects, monkeypatch):
    monkeypatch.setattr("sightline.techniques.pose.installed.installed_pose_model", lambda state_dir: None)
    assert default_analyzer(TechniquesSettings(), state_dir=tmp_path) == "annotations"
    with pytest.raises(ConfigurationError, match="sightline vision install"):
        build_analyzer("pose", AnalyzerParts(TechniquesSettings(), objects))


@pytest.mark.req(857)
def test_pose_is_the_default_where_it_is_installed_and_no_model_is_configured(tmp_path, monkeypatch):
    monkeypatch.setattr("sightline.techniques.analyzers.installed.has_poses", lambda state_dir: True)
    assert default_analyzer(TechniquesSettings(), state_dir=tmp_path) == "pose"
    assert default_analyzer(TechniquesSettings(analyzer="annotations"), state_dir=tmp_path) == "annotations"
    with_model = TechniquesSettings(model_url="http://127.0.0.1:9/v1")
    assert default_analyzer(with_model, state_dir=tmp_path) == "vision-llm"


@pytest.mark.req(860)
def test_the_packaged_classifier_is_the_one_that_its_card_describes():
    card = packaged_card()
    assert card.content["data"]["sha256"]
    assert card.content["limits"]
    assert {"frame", "held window", "moving window"} <= set(card.content["accuracy"])
    assert CLASSIFIER.stat().st_size == card.content["size_bytes"] < 2_000_000


@pytest.mark.req(1156)
def test_what_is_spoken_about_was_right_in_nine_of_ten_by_the_card():
    content = packaged_card().content
    held, moving = (content["spoken"][kind]["medium"] for kind in ("held window", "moving window"))
    for table in (held, moving, content["spoken_in_made_clips_at_medium"]):
        (row,) = [one for one in table if one["probability"] == MIN_PROBABILITY]
        assert row["precision"] >= 0.9
        assert row["share"] > 0.2
