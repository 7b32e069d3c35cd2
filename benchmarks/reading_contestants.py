"""Who reads the clips of `reading.py`: the platform of this tree or of another checkout, and readers of single frames."""

import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import asyncpg
import psutil

from harness import ROOT
from reading_drawing import MadeClip
from reading_score import Found
from sightline.text.languages import need_models

FRAME_READER = ROOT / "benchmarks" / "contestants" / "frame_reader.py"
OWN_READER = ROOT / "benchmarks" / "contestants" / "own_reader.py"
START_LIMIT_S = 180
CLIP_LIMIT_S = 3600
PASSED_ON = ("PATH", "HOME", "TMPDIR", "SSL_CERT_FILE", "SSL_CERT_DIR")
"""Everything else of the environment is left out, so that settings are those of a fresh installation."""
LOOK_EVERY_S = 0.1
STAGE_TIMES = """
SELECT extract(epoch FROM started_at), extract(epoch FROM finished_at) FROM jobs WHERE video_id = $1 AND job_type = 'ocr'
"""


@dataclass(frozen=True, slots=True)
class Run:
    """What a contestant read in one clip."""

    segments: Sequence[Found]
    cpu_s: float
    """Of the OCR stage alone."""
    frames: Sequence[Path] = ()
    """Key frames that the platform kept."""


class Platform:
    """`sightline up` of some checkout, on a state directory of its own."""

    def __init__(self, checkout: Path, state: Path, languages: Sequence[str]) -> None:
        self.state = state
        own = checkout / ".venv" / "bin" / "python"
        # A checkout with an environment of its own runs in it; another one borrows ours.
        self._python = str(own) if own.is_file() else sys.executable
        self._environment = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        self._environment |= {"PYTHONPATH": str(checkout / "src"), "SIGHTLINE_OBSERVABILITY_LOG_LEVEL": "warning"}
        self._languages = languages
        self._pid, self._database = 0, ""
        if languages:
            self._environment["SIGHTLINE_TEXT_LANGUAGES"] = ",".join(languages)

    @asynccontextmanager
    async def running(self) -> AsyncIterator["Platform"]:
        for language in self._languages:
            if language != "eng":
                await self._ask("languages", "add", language)
        process = await self._start("up", "--port", "0")
        assert process.stdout is not None
        try:
            while b"sightline status" not in (line := await asyncio.wait_for(process.stdout.readline(), START_LIMIT_S)):
                assert line, "the platform did not start"
            self._pid = process.pid
            self._database = (await self._ask("db")).decode().strip()
            yield self
        finally:
            for one in (psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)):
                with suppress(psutil.NoSuchProcess):
                    one.kill()
            await process.wait()

    async def read(self, clip: MadeClip) -> Run:
        used: list[tuple[float, float]] = []
        watching = asyncio.create_task(self._watch(used))
        try:
            output = json.loads(await self._ask("process", str(clip.path), "--json"))
        finally:
            watching.cancel()
        used.append((time.time(), self._cpu_s()))
        segments = [
            Found(one["text"], one["t_start"], one["t_end"], one["confidence"], tuple(one["bounding_box"].values()))
            for one in output["segments"]
            if one["bounding_box"]["width"]  # what was said has no place in the picture
        ]
        frames = sorted(self.state.rglob(f"{output['video_id']}/*.jpg"), key=lambda path: path.stem.zfill(12))
        connection = await asyncpg.connect(self._database)
        try:
            ((begun, ended),) = await connection.fetch(STAGE_TIMES, output["video_id"])
        finally:
            await connection.close()
        cpu_s = _at(used, float(ended)) - _at(used, float(begun))
        return Run(segments, cpu_s, [one for one in frames if one.stem.isdecimal()])

    async def _watch(self, used: list[tuple[float, float]]) -> None:
        """Notes the CPU time again and again: a stage may last for less than what the command polls."""
        while True:
            used.append((time.time(), self._cpu_s()))
            await asyncio.sleep(LOOK_EVERY_S)

    def _cpu_s(self) -> float:
        """Of the platform with all that came of it, without the database."""
        total = 0.0
        for process in (psutil.Process(self._pid), *psutil.Process(self._pid).children(recursive=True)):
            with suppress(psutil.Error):
                if not process.name().startswith("postgres"):
                    times = process.cpu_times()
                    total += times.user + times.system + times.children_user + times.children_system
        return total

    async def _ask(self, *arguments: str) -> bytes:
        process = await self._start(*arguments)
        out, err = await asyncio.wait_for(process.communicate(), CLIP_LIMIT_S)
        assert process.returncode == 0, f"sightline {arguments[0]} ended with {process.returncode}: {err.decode()}"
        return out

    async def _start(self, *arguments: str) -> asyncio.subprocess.Process:
        errors = None if arguments[0] == "up" else asyncio.subprocess.PIPE
        command = (self._python, "-m", "sightline", *arguments, "--state-dir", str(self.state))
        return await asyncio.create_subprocess_exec(
            *command, stdout=asyncio.subprocess.PIPE, stderr=errors, env=self._environment
        )


class Platforms:
    """One platform for each checkout and choice of languages, started when it is first needed."""

    def __init__(self, stack: AsyncExitStack) -> None:
        self._stack = stack
        self._known: dict[tuple[Path, tuple[str, ...]], Platform] = {}

    async def of(self, checkout: Path, languages: tuple[str, ...]) -> Platform:
        if (checkout, languages) not in self._known:
            directory = self._stack.enter_context(
                tempfile.TemporaryDirectory(prefix="sightline-reading-", ignore_cleanup_errors=True)
            )
            made = Platform(checkout, Path(directory) / "state", languages)
            self._known[checkout, languages] = await self._stack.enter_async_context(made.running())
        return self._known[checkout, languages]


async def sample_alone(clip: MadeClip, directory: Path) -> list[Path]:
    """The key frames that the job `sample` keeps."""
    frames = Path(tempfile.mkdtemp(dir=directory))
    await _answer_of(OWN_READER, "sample", str(clip.path), str(clip.seconds), str(frames))
    return await asyncio.to_thread(lambda: sorted(frames.glob("*.jpg"), key=lambda path: int(path.stem)))


async def read_alone(checkout: Path, clip: MadeClip, frames: Sequence[Path]) -> Run:
    """As the jobs of this checkout read, in one process."""
    arguments = ("read", str(round(clip.seconds * 1000)), ",".join(clip.languages or ("eng",)), *map(str, frames))
    answer = await _answer_of(OWN_READER, *arguments, source=checkout / "src")
    return Run(_found(answer), answer["cpu_s"], frames)


async def read_frames(engine: str, clip: MadeClip, frames: Sequence[Path], models: Path) -> Run:
    """Every kept frame by itself; `models` is a directory for Tesseract's languages."""
    languages = clip.languages or ("eng",)
    arguments = (engine, str(round(clip.seconds * 1000)), ",".join(languages), str(models), *map(str, frames))
    answer = await _answer_of(FRAME_READER, *arguments)
    return Run(_found(answer), answer["cpu_s"])


async def _answer_of(program: Path, *arguments: str, source: Path = ROOT / "src") -> dict[str, Any]:
    """What the program prints last; an empty answer if it prints nothing."""
    environment = os.environ | {"PYTHONPATH": str(source)}
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(program), *arguments, stdout=asyncio.subprocess.PIPE, env=environment
    )
    out, _ = await asyncio.wait_for(process.communicate(), CLIP_LIMIT_S)
    assert process.returncode == 0, f"{program.name} {arguments[0]} ended with {process.returncode}"
    answer: dict[str, Any] = json.loads(out.splitlines()[-1]) if out else {}
    return answer


def _found(answer: dict[str, Any]) -> list[Found]:
    return [
        Found(one["text"], one["t_start"], one["t_end"], one["confidence"], tuple(one["box"]))
        for one in answer["segments"]
    ]


def _at(used: Sequence[tuple[float, float]], moment: float) -> float:
    """The CPU time at a moment, in proportion between two looks."""
    for (before, spent), (after, more) in pairwise(used):
        if before <= moment <= after:
            return spent + (more - spent) * (moment - before) / (after - before)
    return used[0][1] if moment < used[0][0] else used[-1][1]


def gather_models(languages: Sequence[str], state: Path, into: Path) -> None:
    """Tesseract wants all of its models in one directory."""
    for model in need_models(languages, state / "tessdata"):
        link = into / model.name
        if not link.exists():
            link.symlink_to(model)
