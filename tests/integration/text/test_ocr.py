"""The job `ocr`: readings of the key frames, and the way on to a video that can be searched."""

import asyncio
from contextlib import chdir
from dataclasses import asdict

import pytest

from sightline import job_types
from sightline.contracts.jobs import Ocr, Sample, SegmentIndex
from sightline.jobs import SharedPlaces, retry_one_job
from sightline.media.sampling.sample_work import sample_range
from sightline.objects import original_key
from sightline.text import LanguageStore, find_language
from sightline.text.reading import ocr as ocr_module
from sightline.videos import VideoStatus
from support.clip_maker import make_clip
from support.installed import FRENCH, wait_for
from support.language_registry import language_registry
from support.media_rig import MEDIA_LIMITS
from support.waiting import soon
from support.written_frame import written_frame


async def sampled(use, path, seconds):
    """A video whose key frames are there, and their keys."""
    video_id = await use.add(path, status=VideoStatus.PRINTING)
    await use.sql("UPDATE videos SET duration_ms = $2 WHERE id = $1", video_id, int(seconds * 1000))
    job = await use.run(Sample(video_id=video_id, s3_original_path=original_key(video_id)))
    assert job.status == "done", job.error
    await use.sql("DELETE FROM jobs WHERE video_id = $1", video_id)
    keys = await use.keys(f"frames/{video_id}/")
    return video_id, tuple(sorted(keys, key=lambda key: int(key.rpartition("/")[2][:-4])))


async def readings(use, video_id):
    rows = await use.sql("SELECT * FROM segments WHERE video_id = $1 ORDER BY t_start, text", video_id)
    return [dict(row) for row in rows]


@pytest.fixture(scope="module")
def digits_sampled(tmp_path_factory):
    """A clip of changing digits, and its key frames by their times."""
    directory = tmp_path_factory.mktemp("digits")
    clip = make_clip(directory / "digits.mp4", "digits", seconds=2, size=(640, 360))
    order = {"target_fps": 10.0, "threshold": 0.95, "duration_s": 2.0, "range": [0, None], "threads": 1}
    with chdir(directory):
        found = sample_range(
            {"readable": str(clip.path), "media_limits": asdict(MEDIA_LIMITS)} | order, lambda *_: None
        )
    return clip, {at_ms: (directory / f"{at_ms}.jpg").read_bytes() for at_ms in found["kept"]}


@pytest.fixture
async def digits(use, digits_sampled):
    """The clip, a video of it whose key frames are there, and their keys."""
    clip, frames = digits_sampled
    video_id = await use.add(clip.path, status=VideoStatus.PRINTING)
    await use.sql("UPDATE videos SET duration_ms = 2000 WHERE id = $1", video_id)
    for at_ms, content in frames.items():
        await use.platform.objects.put(f"frames/{video_id}/{at_ms}.jpg", content)
    return clip, video_id, tuple(f"frames/{video_id}/{at_ms}.jpg" for at_ms in frames)


@pytest.mark.req(102, 103, 104, 106, 107, 111)
async def test_each_region_of_each_frame_is_a_row_and_the_index_follows(use, digits):
    clip, video_id, keys = digits
    job = await use.run(Ocr(video_id=video_id, frame_paths=keys))
    assert job.status == "done", job.error
    rows = await readings(use, video_id)
    assert {event.text for event in clip.events} <= {row["text"] for row in rows}
    times = [int(key.rpartition("/")[2][:-4]) for key in keys]
    video = await use.video(video_id)
    for row in rows:
        at = times.index(row["t_start"])
        assert row["t_end"] == (times[at + 1] if at + 1 < len(times) else 2000)
        assert 0.6 <= row["confidence"] <= 1
        assert row["normalized_text"] == " ".join(row["text"].lower().split())
        assert (row["owner_id"], row["team_id"], row["language"]) == (video.owner_id, video.team_id, "eng")
        box = row["bounding_box"]
        assert set(box) == {"x", "y", "width", "height"}
        assert 0 <= box["x"] < 640
        assert box["height"] > 0
    assert len(await use.jobs_of(video_id, "segment_index")) == 1


@pytest.mark.req(108, 109)
async def test_reading_again_and_in_parallel_leaves_the_same_rows(use, digits, monkeypatch):
    _, video_id, keys = digits
    monkeypatch.setattr(ocr_module, "FRAMES_PER_CHUNK", 5)
    found = []
    for processes in (1, 3):
        kind = job_types.ocr(use.platform)
        kind._processes = processes
        await use.sql("DELETE FROM jobs WHERE video_id = $1", video_id)
        assert (await use.run(Ocr(video_id=video_id, frame_paths=keys), kind)).status == "done"
        rows = await readings(use, video_id)
        found.append([(row["text"], row["t_start"], row["t_end"], row["bounding_box"]) for row in rows])
    assert found[0] == found[1] != []


@pytest.mark.req(103)
async def test_text_below_the_requested_confidence_is_dropped(use, digits):
    _, video_id, keys = digits
    assert (await use.run(Ocr(video_id=video_id, frame_paths=keys, min_confidence=1.0))).status == "done"
    assert [row for row in await readings(use, video_id) if row["confidence"] < 1] == []


@pytest.mark.req(72, 295)
async def test_a_language_that_is_not_installed_fails_at_once_and_says_how_to_add_it(use, digits):
    _, video_id, keys = digits
    job = await use.run(Ocr(video_id=video_id, frame_paths=keys, languages=("eng", "xyz")))
    assert (job.status, job.retry_count) == ("failed", 0)
    video = await use.video(video_id)
    assert video.status is VideoStatus.FAILED
    assert "xyz is not installed" in (video.error_reason or "")


@pytest.mark.req(441, 444)
async def test_a_job_that_failed_for_a_language_is_done_when_the_language_was_added(use):
    use.platform.settings.text.engine = "tesseract"  # PP-OCR reads Portuguese without a model of its own
    text = "Atenção: não há vagas"
    video_id, key = await _frame_that_says(use, text)
    job = await use.run(Ocr(video_id=video_id, frame_paths=(key,), languages=("por",)))
    assert (job.status, job.retry_count) == ("failed", 0)
    assert "the language por is not installed; add with `sightline languages add por`" in job.error["message"]
    async with language_registry() as registry:
        await LanguageStore(use.platform.languages.store.directory, registry.url).add(find_language("por"))
    async with use.platform.database.transaction() as tx:
        await retry_one_job(tx, job.id)
    async with use.working(use.handler("ocr")):
        assert (await use.settled(job.id)).status == "done"
    (row,) = await readings(use, video_id)
    assert (row["text"], row["language"]) == (text, "por")


@pytest.mark.req(102, 446)
async def test_english_german_and_french_are_installed_and_read_together(use):
    wait_for(FRENCH)
    for text in ("Größenänderung möglich", "Déjà vu à l'école"):
        video_id, key = await _frame_that_says(use, text)
        job = await use.run(Ocr(video_id=video_id, frame_paths=(key,), languages=("eng", "deu", "fra")))
        assert job.status == "done", job.error
        assert [row["text"] for row in await readings(use, video_id)] == [text]


async def _frame_that_says(use, text):
    video_id = await use.add(None, status=VideoStatus.PRINTING)
    await use.sql("UPDATE videos SET duration_ms = 1000 WHERE id = $1", video_id)
    key = f"frames/{video_id}/0.jpg"
    await use.platform.objects.put(key, written_frame(text))
    return video_id, key


@pytest.mark.req(72)
async def test_a_frame_that_is_gone_fails_with_its_name(use, digits):
    _, video_id, keys = digits
    await use.platform.objects.delete([keys[0]])
    job = await use.run(Ocr(video_id=video_id, frame_paths=keys))
    assert job.status == "failed"
    assert keys[0] in (job.error or {})["message"]


async def test_a_path_that_names_no_time_is_refused(use, digits):
    _, video_id, _ = digits
    job = await use.run(Ocr(video_id=video_id, frame_paths=(f"frames/{video_id}/first.jpg",)))
    assert (job.status, (job.error or {})["type"]) == ("failed", "InvalidInput")


@pytest.mark.req(110)
async def test_a_video_without_any_text_becomes_ready(use, tmp_path):
    make_clip(tmp_path / "film.mp4", "wordless", seconds=1, size=(320, 180), fps=10)
    video_id, keys = await sampled(use, tmp_path / "film.mp4", 1)
    assert (await use.run(Ocr(video_id=video_id, frame_paths=keys))).status == "done"
    await use.sql("DELETE FROM jobs WHERE video_id = $1", video_id)
    assert (await use.run(SegmentIndex(video_id=video_id))).status == "done"
    video = await use.video(video_id)
    assert (video.status, video.index_status) == (VideoStatus.COMPLETED, "ready")


@pytest.mark.req(110)
async def test_no_frames_at_all_pass_through(use, digits):
    _, video_id, _ = digits
    assert (await use.run(Ocr(video_id=video_id, frame_paths=()))).status == "done"
    assert len(await use.jobs_of(video_id, "segment_index")) == 1


class HeldStore:
    """A store that keeps one object back until it is released."""

    def __init__(self, objects, key):
        self._objects, self._key = objects, key
        self.asked, self.released = asyncio.Event(), asyncio.Event()

    async def get(self, key):
        if key == self._key:
            self.asked.set()
            await self.released.wait()
        return await self._objects.get(key)


@pytest.mark.req(715)
async def test_a_short_video_that_comes_while_a_long_one_is_read_is_done_first(use, digits, monkeypatch):
    _, long_id, keys = digits
    monkeypatch.setattr(ocr_module, "FRAMES_PER_CHUNK", 5)
    kind = job_types.ocr(use.platform)
    kind._places, kind._processes = SharedPlaces(1), 1
    held = HeldStore(use.platform.objects, keys[-1])
    monkeypatch.setattr(kind, "_objects", held)
    async with use.working(kind):
        long_job = await use.enqueue(Ocr(video_id=long_id, frame_paths=keys))
        await soon(held.asked.wait(), within_s=60)
        short_id, key = await _frame_that_says(use, "Meeting at noon")
        short_job = await use.enqueue(Ocr(video_id=short_id, frame_paths=(key,)))
        assert (await use.settled(short_job)).status == "done"
        assert (await use.job(long_job)).status == "processing"
        held.released.set()
        assert (await use.settled(long_job)).status == "done"
    assert [row["text"] for row in await readings(use, short_id)] == ["Meeting at noon"]
    assert len(await readings(use, long_id)) > 0
