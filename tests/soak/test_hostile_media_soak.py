"""Hundreds of damaged files through the real sandbox: each ends in a stream or in a reason, and leaves nothing behind."""

import os
import random
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

import psutil
import pytest

from sightline.jobs import LimitExceeded, ProcessCrashed
from sightline.media.input import MediaUnreadable
from sightline.media.input.probe import probe
from sightline.media.stream.proxy_work import make_proxy
from support.coded_clip import Form, make_clip
from support.hostile_files import concat_script, dash_manifest, hls_playlist
from support.media_rig import MEDIA_LIMITS, in_process
from support.waiting import until

pytestmark = [
    pytest.mark.skipif(not os.environ.get("SIGHTLINETEST_SOAK"), reason="a long run; make soak"),
    pytest.mark.time_limit(3600),
]

FILES_PER_FORM = 120
SEED = 16
FORMS = {
    "a.mp4": Form(frames=20),
    "b.mkv": Form(frames=20, codec="libvpx-vp9", sound="libopus"),
    "c.mov": Form(frames=20, sound="aac", rotation=90),
    "d.webm": Form(frames=20, codec="libvpx"),
    "e.avi": Form(frames=20, codec="mpeg4"),
}

Damage = Callable[[bytearray, random.Random], None]


def flip_bytes(content: bytearray, chance: random.Random) -> None:
    for _ in range(chance.choice((1, 10, 100, 1000))):
        content[chance.randrange(len(content))] = chance.randrange(256)


def break_header(content: bytearray, chance: random.Random) -> None:
    for _ in range(20):
        content[chance.randrange(min(2000, len(content)))] = chance.choice((0, 1, 127, 128, 255))


def cut(content: bytearray, chance: random.Random) -> None:
    del content[chance.randrange(1, len(content)) :]


def repeat_part(content: bytearray, chance: random.Random) -> None:
    start = chance.randrange(len(content))
    part = content[start : start + chance.randrange(1, 5000)]
    content[start:start] = part * chance.randrange(1, 50)


def hide_manifest(content: bytearray, chance: random.Random) -> None:
    target = "file:///etc/passwd"
    script = chance.choice((dash_manifest(target), concat_script(target), hls_playlist(target)))
    content[: len(script)] = script


DAMAGES: tuple[Damage, ...] = (flip_bytes, break_header, cut, repeat_part, hide_manifest)


async def outcome_of(path: Path, directory: Path) -> str:
    try:
        await in_process(probe, None, readable=str(path), media_limits=asdict(MEDIA_LIMITS))
        await in_process(make_proxy, directory, readable=str(path), max_height=720, segment_s=6.0)
    except MediaUnreadable:
        return "refused with a reason"
    except LimitExceeded:
        return "ended at a limit"
    except ProcessCrashed:
        return "crashed alone"
    return "made a stream"


async def test_damaged_files_end_in_a_stream_or_a_reason_and_leave_nothing_behind(tmp_path: Path):
    chance = random.Random(SEED)
    outcomes: Counter[str] = Counter()
    for name, form in FORMS.items():
        clean = tmp_path / name
        make_clip(clean, form)
        for number in range(FILES_PER_FORM):
            content = bytearray(clean.read_bytes())
            chance.choice(DAMAGES)(content, chance)
            damaged, directory = tmp_path / f"{number}-{name}", tmp_path / f"work-{number}-{name}"
            damaged.write_bytes(content)
            directory.mkdir()
            outcomes[await outcome_of(damaged, directory)] += 1
            damaged.unlink()
    print(dict(outcomes))
    assert sum(outcomes.values()) == FILES_PER_FORM * len(FORMS)
    assert outcomes["refused with a reason"] > FILES_PER_FORM
    assert outcomes["made a stream"] > FILES_PER_FORM // 5  # not all of the damage is in the header
    await until(lambda: not working_below(tmp_path))


def working_below(directory: Path) -> list[int]:
    """Processes of the sandbox that outlived their work: each stands in a directory of its own."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if Path(process.cwd()).is_relative_to(directory):
                found.append(process.pid)
    return found
