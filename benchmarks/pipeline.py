"""The whole pipeline on clips whose every word is known: what it costs, against the naive one, and what it finds.

.venv/bin/python benchmarks/pipeline.py [--quick] [--json] [--only contest]

Ours is `sightline process` on a platform that runs already: the whole command, with queue, database and store; CPU time is that
of the command and of all processes of the platform. The naive pipeline is in `contestants/naive_pipeline.py`: x264 medium, OpenCV
with imagehash.phash at 0.95, pytesseract on every kept frame, one after the other. Both get the same clips, which are short because
the naive one takes minutes. Clips are drawn once and kept in `.reports/clips`.
"""

import asyncio
import json
import os
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any

import asyncpg
import psutil

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from harness import ROOT, Result, main
from made_clips import ClipSpec, scored
from media import clips
from support.clip_maker import Clip, Score, make_clip
from support.platform_process import Up, ask, database_url, up
from support.waiting import until

PEERS = ROOT / ".venv" / "peers" / "bin" / "python"
CONTESTANTS = ROOT / "benchmarks" / "contestants"
TIMEOUT_S = 3600

CONTEST = {"copied": ClipSpec("mixed", "held-out", 11, 32), "encoded": ClipSpec("mixed", "held-out", 11, 32, "hevc")}
QUICK_CONTEST = {"copied": ClipSpec("mixed", "plain", 1, 8), "encoded": ClipSpec("mixed", "plain", 1, 8, "hevc")}
FOUND = (
    ClipSpec("mixed", "plain", 1, 60),
    ClipSpec("mixed", "held-out", 3, 60),
    ClipSpec("mixed", "held-out-serif", 4, 60),
    ClipSpec("busy", "held-out", 6, 60),
    ClipSpec("digits", "held-out", 21, 20),
    ClipSpec("subtitles", "held-out", 22, 20),
    ClipSpec("film subtitles", "held-out-serif", 23, 20),
    ClipSpec("slides", "held-out", 24, 20),
    ClipSpec("clock", "held-out", 25, 20),
    ClipSpec("thirds", "held-out-serif", 26, 20),
    ClipSpec("terminal", "held-out-serif", 27, 20),
    ClipSpec("wordless", "plain", 7, 60),
)
QUICK_FOUND = (ClipSpec("mixed", "plain", 1, 8), ClipSpec("wordless", "plain", 7, 6))


@dataclass
class PipelineRun:
    """Cost and output of one pipeline run."""

    wall_s: float
    cpu_s: float
    output: dict[str, Any]
    command_cpu_s: float = 0.0
    """Share of the CPU time that the command used."""


class Platform:
    """A running platform without other work."""

    def __init__(self, running: Up, state: Path) -> None:
        self._running = running
        self._state = state

    async def process(self, film: Path) -> PipelineRun:
        used, commands, begun = self._cpu_s(), _children_cpu_s(), time.monotonic()
        code, out, err = await ask("process", str(film), "--state-dir", str(self._state), "--json", within_s=TIMEOUT_S)
        assert code == 0, err
        wall_s, command = time.monotonic() - begun, _children_cpu_s() - commands
        return PipelineRun(wall_s, self._cpu_s() - used + command, json.loads(out), command)

    async def from_first_to_last_job_s(self, video_id: str) -> float:
        """How long the video was worked on, waiting for the next stage included."""
        connection = await asyncpg.connect(await database_url(self._state))
        try:
            return float(
                await connection.fetchval(
                    "SELECT extract(epoch FROM max(finished_at) - min(created_at)) FROM jobs WHERE video_id = $1",
                    video_id,
                )
            )
        finally:
            await connection.close()

    async def is_at(self, stage: str) -> None:
        """Returns when a job of the stage is at work and has got somewhere."""
        connection = await asyncpg.connect(await database_url(self._state))
        begun = (
            "SELECT count(*) FROM jobs WHERE job_type = $1::text::job_type AND status = 'processing' AND progress > 0"
        )
        try:
            await until(partial(connection.fetchval, begun, stage), within_s=TIMEOUT_S)
        finally:
            await connection.close()

    async def waits_s(self, video_id: str) -> dict[str, float]:
        """How long the job of each stage waited before a worker took it up."""
        connection = await asyncpg.connect(await database_url(self._state))
        asked = "SELECT job_type, extract(epoch FROM started_at - created_at) FROM jobs WHERE video_id = $1 ORDER BY created_at"
        try:
            return {stage: float(waited) for stage, waited in await connection.fetch(asked, video_id)}
        finally:
            await connection.close()

    def _cpu_s(self) -> float:
        total = 0.0
        for process in self._running.tree():
            with suppress(psutil.Error):
                times = process.cpu_times()
                total += times.user + times.system + times.children_user + times.children_system
        return total


def _children_cpu_s() -> float:
    """Of the commands that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@asynccontextmanager
async def platform() -> AsyncIterator[Platform]:
    """Has done a first video already: nothing is loaded for the first time."""
    with tempfile.TemporaryDirectory(prefix="sightline-bench-", ignore_cleanup_errors=True) as name:
        state = Path(name) / "state"
        async with up(state) as running:
            made = Platform(running, state)
            make_clip(Path(name) / "first.mp4", "digits", seconds=2)
            await made.process(Path(name) / "first.mp4")
            yield made


async def _run_script(python: Path | str, script: str, *arguments: str) -> PipelineRun:
    used, begun = _children_cpu_s(), time.monotonic()
    process = await asyncio.create_subprocess_exec(
        str(python), str(CONTESTANTS / script), *arguments, stdout=asyncio.subprocess.PIPE
    )
    out, _ = await asyncio.wait_for(process.communicate(), TIMEOUT_S)
    assert process.returncode == 0, f"{script} ended with {process.returncode}"
    return PipelineRun(time.monotonic() - begun, _children_cpu_s() - used, json.loads(out.splitlines()[-1]))


async def naive(clip: Clip) -> PipelineRun:
    assert PEERS.is_file(), "the naive pipeline needs what `make .venv/.peers` installs"
    with tempfile.TemporaryDirectory() as directory:
        return await _run_script(PEERS, "naive_pipeline.py", str(clip.path), directory)


async def contest(is_quick: bool) -> Result:
    figures: dict[str, float] = {}
    ratios: dict[str, float] = {}
    notes: list[str] = []
    async with platform() as running:
        for way, wanted in (QUICK_CONTEST if is_quick else CONTEST).items():
            clip = wanted.clip()
            own = await running.process(clip.path)
            other = await naive(clip)
            length_s = clip.duration_ms / 1000
            for name, run in (("Sightline", own), ("naive", other)):
                result = scored(clip, run.output["segments"])
                figures |= {f"{way}, {name}: wall s": run.wall_s, f"{way}, {name}: CPU s": run.cpu_s}
                figures[f"{way}, {name}: events exact %"] = 100 * result.exact_part
                figures[f"{way}, {name}: letters %"] = 100 * result.letters
                notes.append(f"{way}, {name}: {run.output['frames']} frames kept, {_by_kind(result.by_kind)}")
            ratios |= {
                f"{way}: wall, naive / ours": other.wall_s / own.wall_s,
                f"{way}: CPU, naive / ours": other.cpu_s / own.cpu_s,
                f"{way}: wall / length": own.wall_s / length_s,
                f"{way}: wall / length, naive": other.wall_s / length_s,
            }
            notes.append(
                f"{way}: our stages {_stages(own)}; the naive ones {other.output['stages_wall_s']} wall s; {_load()}"
            )
    return Result(f"against the naive pipeline, {length_s:.0f} s of 1080p", figures, "s, %", ratios, notes)


def _load() -> str:
    """Walls say little where others are at work too."""
    return f"load of the machine {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


def _by_kind(found: dict[str, tuple[int, int]]) -> str:
    return ", ".join(f"{kind} {exact}/{all_}" for kind, (exact, all_) in found.items())


def _stages(run: PipelineRun) -> str:
    return ", ".join(f"{stage['name']} {stage['wall_s']:.1f}/{stage['cpu_s']:.1f}" for stage in run.output["stages"])


async def found(is_quick: bool) -> Result:
    """How much of the truth is found, clip by clip."""
    figures: dict[str, float] = {}
    ratios: dict[str, float] = {}
    notes: list[str] = []
    exact: Counter[str] = Counter()
    events: Counter[str] = Counter()
    letters = 0.0
    async with platform() as running:
        for wanted in QUICK_FOUND if is_quick else FOUND:
            clip = wanted.clip()
            run = await running.process(clip.path)
            result = scored(clip, run.output["segments"])
            name = f"{wanted.kind}, {wanted.style}"
            _note(name, wanted, result, figures, notes)
            ratios[f"{name}: wall / length"] = run.wall_s * 1000 / clip.duration_ms
            ratios[f"{name}: CPU / length"] = run.cpu_s * 1000 / clip.duration_ms
            letters += result.letters * len(clip.events)
            for kind, (right, all_) in result.by_kind.items():
                exact[kind] += right
                events[kind] += all_
    notes.append(_load())
    figures["all events exact %"] = 100 * exact.total() / events.total()
    figures["all letters %"] = 100 * letters / events.total()
    for kind in sorted(events):
        figures[f"{kind}: exact %"] = 100 * exact[kind] / events[kind]
    return Result("text found, right to the letter and to 100 ms", figures, "%", ratios, notes)


def _note(name: str, wanted: ClipSpec, result: Score, figures: dict[str, float], notes: list[str]) -> None:
    if result.events:
        figures |= {f"{name}: exact %": 100 * result.exact_part, f"{name}: letters %": 100 * result.letters}
    figures[f"{name}: junk per minute"] = len(result.junk) * 60 / wanted.seconds
    missed = [f"{event.text!r} {event.start_ms}-{event.end_ms}, found {near}" for event, near in result.missed]
    notes.append(f"{name}: missed {len(missed)} of {result.events}{': ' if missed else ''}{'; '.join(missed[:4])}")


async def turns(is_quick: bool) -> Result:
    """Short videos that arrive while a long one is read: how long each of their stages waits, and when they are done."""
    long, short = (8, 2) if is_quick else (60, 5)
    clips = [ClipSpec("busy", "held-out", 6, long), *(ClipSpec("digits", "held-out", 31 + n, short) for n in range(3))]
    paths = [wanted.clip().path for wanted in clips]
    async with platform() as running:
        begun = time.monotonic()

        async def process(path: Path) -> tuple[PipelineRun, float]:
            return await running.process(path), time.monotonic() - begun

        first = asyncio.create_task(process(paths[0]))
        await running.is_at("ocr")
        arrived = time.monotonic() - begun
        runs = await asyncio.gather(first, *(process(path) for path in paths[1:]))
        waits = [await running.waits_s(run.output["video_id"]) for run, _ in runs[1:]]
    figures = {f"short videos: mean wait of {stage}": fmean(one[stage] for one in waits) for stage in waits[0]}
    figures["short videos: mean from arrival to searchable"] = fmean(done - arrived for _, done in runs[1:])
    figures["long video: from arrival to searchable"] = runs[0][1]
    return Result(f"three videos of {short} s beside one of {long} s", figures, "s", notes=[_load()])


async def overhead(is_quick: bool) -> Result:
    """The same works without queue, database and store, in turn with ours; the best of each."""
    clip = (QUICK_CONTEST if is_quick else CONTEST)["copied"].clip()
    bare: list[PipelineRun] = []
    own: list[PipelineRun] = []
    async with platform() as running:
        for _ in range(1 if is_quick else 3):
            output = (await _run_script(sys.executable, "bare_pipeline.py", str(clip.path))).output
            bare.append(PipelineRun(output["wall_s"], output["cpu_s"], output))
            run = await running.process(clip.path)
            run.wall_s = await running.from_first_to_last_job_s(run.output["video_id"])
            own.append(run)
    figures = {
        "bare, CPU": min(run.cpu_s for run in bare),
        "Sightline, CPU": min(run.cpu_s - run.command_cpu_s for run in own),
        "the command that asks and watches, CPU": min(run.command_cpu_s for run in own),
        "bare, wall": min(run.wall_s for run in bare),
        "Sightline, wall from first to last job": min(run.wall_s for run in own),
    }
    ratios = {
        "CPU, ours / bare": figures["Sightline, CPU"] / figures["bare, CPU"],
        "wall, ours / bare": figures["Sightline, wall from first to last job"] / figures["bare, wall"],
    }
    notes = [f"texts: bare {bare[0].output['texts']}, ours {len(own[0].output['segments'])}; {_load()}"]
    return Result("queue and store over the bare media work", figures, "s", ratios, notes)


if __name__ == "__main__":
    main(__doc__ or "", {"contest": contest, "found": found, "overhead": overhead, "turns": turns, "clips": clips})
