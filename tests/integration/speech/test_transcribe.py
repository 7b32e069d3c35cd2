"""The job `transcribe` on clips in which a synthetic voice speaks, with the real model."""

from pathlib import Path

import pytest

from sightline.contracts.jobs import SegmentIndex, Transcode, Transcribe
from sightline.objects import original_key
from sightline.speech import SpeechSettings, TranscribeJob, speech_status
from support.coded_clip import make_clip
from support.speaking_clip import Spoken, make_speaking_clip

REPORT = "The quarterly report shows that revenue has grown."
INVOICE = "Please send the invoice to the office in Berlin."
GERMAN = "Guten Morgen. Heute sprechen wir über das Wetter in den Bergen und über die nächste Woche."


@pytest.fixture(scope="module")
def clip(tmp_path_factory, speech_model):
    """Its sound begins half a second after its pictures; English in the first minute, German in the second."""
    spoken = [
        Spoken(REPORT, at_s=1.0),
        Spoken(INVOICE, at_s=8.0),
        Spoken(GERMAN, at_s=64.0, voice="de"),
    ]
    path = tmp_path_factory.mktemp("speech") / "talk.mp4"
    return make_speaking_clip(path, spoken, seconds=74, sound_offset_s=0.5)


@pytest.fixture
async def video_id(use, clip):
    found = await use.add(clip)
    await use.sql("UPDATE videos SET duration_ms = 74000 WHERE id = $1", found)
    return found


async def said(client, video_id):
    answer = await client.get(f"/videos/{video_id}/segments", params={"kind": "speech"})
    return answer.json()["segments"]


@pytest.mark.req(716, 717, 719)
async def test_what_is_said_becomes_segments_with_times_and_languages_and_is_found(use, client, video_id):
    assert (await client.get(f"/api/videos/{video_id}/transcript")).status_code == 404
    done = await use.run(Transcribe(video_id=video_id))
    assert done.status == "done", done.error
    assert done.result["language"] in ("eng", "deu")
    segments = await said(client, video_id)
    english = [one for one in segments if one["t_start"] < 60_000]
    german = [one for one in segments if one["t_start"] >= 60_000]
    assert "report" in english[0]["text"].lower()
    assert english[0]["t_start"] == pytest.approx(1000, abs=500)
    assert "invoice" in english[-1]["text"].lower()
    assert english[-1]["t_start"] == pytest.approx(8000, abs=500)
    assert {one["language"] for one in english} == {"eng"}
    assert {one["language"] for one in german} == {"deu"}
    assert german[0]["t_start"] == pytest.approx(64_000, abs=500)
    assert "woche" in " ".join(one["text"] for one in german).lower()
    assert [word["text"] for word in english[0]["words"]][:3] == ["The", "quarterly", "report"]
    assert all(one["kind"] == "speech" and one["t_start"] < one["t_end"] for one in segments)
    transcript = (await client.get(f"/api/videos/{video_id}/transcript")).json()
    assert transcript["heard_ms"] == pytest.approx(74_000, abs=500)
    assert transcript["finished_at"] is not None

    assert (await use.run(SegmentIndex(video_id=video_id))).status == "done"
    assert len(await said(client, video_id)) == len(segments)
    (hit,) = (await client.get("/search", params={"q": "invoice berlin"})).json()["hits"]
    assert hit["kind"] == "speech"
    assert hit["t_start"] == english[-1]["t_start"]
    captions = (await client.get(f"/videos/{video_id}/captions.vtt", params={"kind": "speech"})).text
    assert "invoice" in captions
    assert "invoice" not in (await client.get(f"/videos/{video_id}/captions.vtt")).text


@pytest.mark.req(720)
async def test_a_job_that_was_interrupted_continues_where_it_stopped(use, client, video_id):
    job_id = await use.enqueue(Transcribe(video_id=video_id))
    await use.sql(
        "INSERT INTO transcripts (video_id, job_id, model, heard_ms) VALUES ($1, $2, 'base', 61000)", video_id, job_id
    )
    await use.sql(
        "INSERT INTO segments (video_id, owner_id, kind, text, normalized_text, text_hash, t_start, t_end, confidence, "
        "bounding_box, is_merged) SELECT id, owner_id, 'speech', 'heard before', 'heard before', 'x', 1000, 2000, 0.9, "
        """'{"x": 0, "y": 0, "width": 0, "height": 0}', true FROM videos WHERE id = $1""",
        video_id,
    )
    async with use.working(use.handler("transcribe")):
        done = await use.settled(job_id)
    assert done.status == "done"
    first, *rest = await said(client, video_id)
    assert first["text"] == "heard before"
    assert rest
    assert all(one["t_start"] >= 63_000 for one in rest)
    assert done.result == {"segments": 1 + len(rest), "language": "deu"}


@pytest.mark.req(721)
async def test_a_video_without_sound_has_nothing_said_and_is_not_transcribed_by_itself(use, client, tmp_path):
    make_clip(tmp_path / "silent.mp4", frames=20)
    video_id = await use.add(tmp_path / "silent.mp4")
    key = original_key(video_id)
    assert (await use.run(Transcode(video_id=video_id, s3_original_path=key))).status == "done"
    assert await use.jobs_of(video_id, "transcribe") == []
    done = await use.run(Transcribe(video_id=video_id))
    assert (done.status, done.result["segments"]) == ("done", 0)


@pytest.mark.req(721)
async def test_a_video_with_sound_is_transcribed_beside_the_pipeline(use, client, video_id):
    key = original_key(video_id)
    assert (await use.run(Transcode(video_id=video_id, s3_original_path=key))).status == "done"
    (job,) = await use.jobs_of(video_id, "transcribe")
    assert job["status"] == "queued"
    wrong = await client.post(f"/api/videos/{video_id}/transcribe", json={"language": "xx"})
    assert (wrong.status_code, "not one that the models know" in wrong.json()["error"]["message"]) == (400, True)
    again = await client.post(f"/api/videos/{video_id}/transcribe")
    assert (again.status_code, again.json()["error"]["message"]) == (409, "The video is being transcribed already")
    actions = (await client.get(f"/videos/{video_id}/actions")).json()
    assert actions["transcribe"]["cannot"] == "running"
    assert actions["latest_transcription"]["status"] == "queued"


@pytest.mark.req(722)
async def test_without_a_model_the_answer_says_how_to_add_it(use, client, video_id):
    use.platform.settings.speech.model = str(Path("no", "such", "folder"))
    refused = await client.post(f"/api/videos/{video_id}/transcribe")
    assert refused.status_code == 409
    assert "neither a model that" in refused.json()["error"]["message"]
    assert (await client.get("/api/speech")).json()["installed"] is False
    assert (await client.get(f"/videos/{video_id}/actions")).json()["transcribe"]["cannot"] == "not_installed"
    failed = await use.run(Transcribe(video_id=video_id))
    assert (failed.status, failed.retry_count) == ("failed", 0)
    unknown = speech_status(SpeechSettings(model="base"), state_dir=None)
    assert unknown.is_installed
    assert unknown.cannot_hear


@pytest.mark.req(722)
async def test_a_folder_that_holds_no_model_fails_the_job_with_the_reason(use, video_id, tmp_path):
    (tmp_path / "model.bin").write_bytes(b"no weights")
    job = TranscribeJob(
        database=use.platform.database,
        objects=use.platform.objects,
        settings=SpeechSettings(model=str(tmp_path)),
        media=use.platform.settings.media,
        state_dir=tmp_path,
    )
    failed = await use.run(Transcribe(video_id=video_id), job)
    assert failed.status == "failed"
    assert "is not a Whisper model that can be loaded" in failed.error["message"]
