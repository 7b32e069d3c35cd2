"""The main job in one line: a file in, every word that was on screen out, and found by search."""

import json
from pathlib import Path

import pytest

from sightline.text.settings import TextSettings
from support.clip_maker import make_clip
from support.platform_process import ask, prepare, up
from support.waiting import until

AS_SHIPPED = {"SIGHTLINE_TEXT_ENGINE": TextSettings().engine}


@pytest.mark.req(93, 121, 304)
async def test_a_local_file_is_cut_sampled_read_indexed_and_found(tmp_path: Path):
    state, film = tmp_path / "state", tmp_path / "film.mp4"
    await prepare(state)
    clip = make_clip(film, "slides", seconds=3, size=(640, 360))
    code, out, err = await ask("process", str(film), "--state-dir", str(state), "--json", within_s=110, **AS_SHIPPED)
    assert code == 0, err
    found = json.loads(out)
    assert set(found) == {"video_id", "duration_ms", "stages", "segments", "entities", "frames"}
    assert [stage["name"] for stage in found["stages"]] == ["transcode", "sample", "ocr", "segment_index"]
    assert found["duration_ms"] == pytest.approx(3000, abs=60)
    assert found["frames"] > 0
    texts = {segment["text"]: segment for segment in found["segments"]}
    for event in clip.events:
        assert event.text in texts, (event, sorted(texts))
        assert abs(texts[event.text]["t_start"] - event.start_ms) <= 100
    async with up(state, **AS_SHIPPED) as running:
        word = max(clip.events[0].text.split(), key=len)
        code, out, err = await ask("search", word, "--state-dir", str(state), "--json")
        assert code == 0, err
        assert found["video_id"] in out
        code, out, _ = await ask("upload", str(film), "--state-dir", str(state), "--watch", "--json", within_s=110)
        assert code == 0, out
        (outcome,) = json.loads(out)
        assert outcome["status"] == "COMPLETED"

        async def both_are_found():
            _, hits, _ = await ask("search", word, "--state-dir", str(state), "--json")
            return found["video_id"] in hits and outcome["video_id"] in hits

        await until(both_are_found)
        assert running.process.returncode is None


@pytest.mark.parametrize(("content", "reason"), [("no film", "notes.mp4: "), ("", "notes.mp4: the file is empty")])
async def test_what_is_no_video_is_refused_before_anything_is_started_or_stored(
    tmp_path: Path, content: str, reason: str
):
    state, notes = tmp_path / "state", tmp_path / "notes.mp4"
    notes.write_text(content)
    code, out, err = await ask("process", str(notes), "--state-dir", str(state), within_s=110)
    assert (code, out) == (1, "")
    assert reason in err
    assert err.count("\n") == 1  # no progress bars
    assert not state.exists()
