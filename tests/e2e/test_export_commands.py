"""Exports from the command line: of a local file, and of a video of the running platform."""

import json
from pathlib import Path

import pytest

from support.clip_maker import make_clip
from support.platform_process import ask, prepare, up


@pytest.mark.req(760)
async def test_a_local_file_becomes_subtitles_and_can_be_exported_again(tmp_path: Path):
    state, film, wanted = tmp_path / "state", tmp_path / "film.mp4", tmp_path / "film.srt"
    await prepare(state)
    clip = make_clip(film, "slides", seconds=3, size=(640, 360))
    code, out, err = await ask(
        "process", str(film), "--srt", "-o", str(wanted), "--state-dir", str(state), within_s=110
    )
    assert (code, out) == (0, ""), err
    text = wanted.read_text(encoding="utf-8")
    assert text.startswith("1\n00:00:00,")
    assert all(event.text in text for event in clip.events)
    async with up(state) as running:
        assert running.process.returncode is None
        code, out, _ = await ask("search", clip.events[0].text.split()[0], "--state-dir", str(state), "--json")
        video_id = json.loads(out)["hits"][0]["video_id"]
        code, out, err = await ask("export", video_id, "--format", "srt", "--state-dir", str(state))
        assert (code, out) == (0, text), err
        code, out, err = await ask(
            "export", video_id, "-f", "csv", "--bom", "--kind", "text", "--state-dir", str(state)
        )
        assert out.startswith("\ufeffkind,start,end,"), err
        code, out, err = await ask("export", video_id, "-f", "docx", "--state-dir", str(state))
        assert code == 1
        assert "use one of srt, vtt, txt, json, csv" in err


@pytest.mark.req(760)
@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--srt", "--vtt"], "choose one of --srt and --vtt"),
        (["-o", "out.srt"], "--output needs a format"),
        (["--srt", "-o", "nowhere/out.srt"], "does not exist"),
        (["--srt", "--kind", "smell"], "unknown kind 'smell'"),
    ],
)
async def test_options_that_contradict_are_refused_before_anything_is_started(tmp_path: Path, options, reason):
    state = tmp_path / "state"
    code, _, err = await ask("process", str(tmp_path / "film.mp4"), *options, "--state-dir", str(state), within_s=110)
    assert code == 1
    assert reason in err
    assert not state.exists()
