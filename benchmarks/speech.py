"""Speech: how many words are wrong, when they are said, and what a minute costs.

.venv/bin/python benchmarks/speech.py [--json] [--real CLIP=WORDS.txt …]

Talks are spoken by eSpeak voices in four languages, without and with noise; a synthetic voice is harder to hear than a person.
`--real` adds any sound or video with the words that are said in it. Each clip runs through the job `transcribe` as a platform
runs it: with decoding, voice activity detection, windows and the database. Beside it, in the same run, faster-whisper is called
on the whole sound at once. CPU time is that of all processes, the loading of the model included.
"""

import argparse
import asyncio
import json
import os
import re
import sys
import tempfile
import time
import unicodedata
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import av
import numpy as np
import psutil
import structlog

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from harness import machine, postgres
from sightline.contracts.jobs import Transcribe
from sightline.speech import SpeechSettings, speech_status
from speech_texts import TALKS, Talk
from support.pipeline_rig import PipelineRig, open_pipeline_rig
from support.postgres import ADMIN_URL_VARIABLE, SERVICE_URL_VARIABLE, DatabaseAddresses
from support.speaking_clip import RATE, make_sound_clip, say

PAUSE_S = 0.7
NOISES = {"quiet": 0.0, "noisy": 0.01}
"""White noise, as a share of the loudest sample."""


@dataclass(frozen=True)
class Case:
    name: str
    sound: Path
    words: list[str]
    starts_ms: list[int]
    """When each sentence begins; none for real clips."""


@dataclass
class Outcome:
    case: str
    contestant: str
    wrong: int
    words: int
    cpu_s: float
    sound_s: float
    start_errors_ms: list[int]

    @property
    def error_rate(self) -> float:
        return self.wrong / max(1, self.words)


def words_of(text: str) -> list[str]:
    """Words as they are compared: without case, punctuation and hyphens."""
    folded = unicodedata.normalize("NFC", text.casefold()).replace("-", " ").replace("’", "'")
    return re.findall(r"[\w']+", folded)


def wrong_words(said: list[str], heard: list[str]) -> int:
    """Substitutions, insertions and deletions: the distance between two lists of words."""
    row = list(range(len(heard) + 1))
    for at, one in enumerate(said, start=1):
        above, row[0] = row[0], at
        for column, other in enumerate(heard, start=1):
            above, row[column] = row[column], min(row[column] + 1, row[column - 1] + 1, above + (one != other))
    return row[-1]


def spoken_case(talk: Talk, noise: str, folder: Path) -> Case:
    pieces: list[np.ndarray[Any, Any]] = []
    starts, at = [], 0
    for sentence in talk.sentences:
        voice, pause = say(sentence, talk.voice), np.zeros(round(PAUSE_S * RATE), np.int16)
        starts.append(round((at + len(pause)) * 1000 / RATE))
        pieces += [pause, voice]
        at += len(pause) + len(voice)
    sound = np.concatenate(pieces).astype(np.float64)
    sound += np.random.default_rng(1).normal(0, 1, len(sound)) * NOISES[noise] * np.abs(sound).max()
    path = make_sound_clip(folder / f"{talk.name}-{noise}.mp4", np.clip(sound, -32768, 32767).astype(np.int16))
    return Case(f"{talk.name}, {noise}", path, words_of(" ".join(talk.sentences)), starts)


def real_case(argument: str, folder: Path) -> Case:
    """The sound becomes a clip like the others: a bare sound file is no video."""
    sound, _, words = argument.partition("=")
    path = make_sound_clip(folder / f"{Path(sound).stem}.mp4", _decoded(Path(sound)))
    return Case(f"real: {Path(sound).name}", path, words_of(Path(words).read_text(encoding="utf-8")), [])


def _decoded(path: Path) -> np.ndarray[Any, Any]:
    resampler = av.AudioResampler(format="s16", layout="mono", rate=RATE)
    with av.open(str(path)) as opened:
        pieces = [piece for frame in opened.decode(audio=0) for piece in resampler.resample(frame)]
    return np.concatenate([piece.to_ndarray()[0] for piece in [*pieces, *resampler.resample(None)]])


async def ours(rig: PipelineRig, case: Case) -> Outcome:
    video_id = await rig.add(case.sound)
    seconds = _seconds(case.sound)
    await rig.sql("UPDATE videos SET duration_ms = $2 WHERE id = $1", video_id, round(seconds * 1000))
    begun = _cpu_s()
    done = await rig.run(Transcribe(video_id=video_id))
    assert done.status == "done", done.error
    used = _cpu_s() - begun
    rows = await rig.sql("SELECT text, t_start FROM segments WHERE video_id = $1 ORDER BY t_start", video_id)
    heard = words_of(" ".join(row["text"] for row in rows))
    errors = [min((abs(row["t_start"] - start) for row in rows), default=99_999) for start in case.starts_ms]
    return Outcome(case.name, "sightline", wrong_words(case.words, heard), len(case.words), used, seconds, errors)


async def bare(case: Case, folder: Path) -> Outcome:
    """faster-whisper on the whole sound, in a process of its own: the cost of loading the model counts for both."""
    begun = _cpu_s()
    program = (
        "import sys; from faster_whisper import WhisperModel\n"
        "model = WhisperModel(sys.argv[1], device='cpu', compute_type='int8', cpu_threads=1)\n"
        "found, _ = model.transcribe(sys.argv[2], word_timestamps=True)\n"
        "print(' '.join(one.text for one in found))"
    )
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, str(folder), str(case.sound), stdout=asyncio.subprocess.PIPE
    )
    out, _ = await process.communicate()
    assert process.returncode == 0
    heard = words_of(out.decode())
    used, seconds = _cpu_s() - begun, _seconds(case.sound)
    return Outcome(case.name, "faster-whisper", wrong_words(case.words, heard), len(case.words), used, seconds, [])


def _cpu_s() -> float:
    """CPU time of this process and of all that it started: confined processes have a parent of their own."""
    used = 0.0
    this = psutil.Process()
    for one in [this, *this.children(recursive=True)]:
        with suppress(psutil.NoSuchProcess):
            used += sum(one.cpu_times()[:4])
    return used


def _seconds(path: Path) -> float:
    with av.open(str(path)) as opened:
        return float(opened.duration or 0) / av.time_base


def show(outcomes: list[Outcome]) -> None:
    print(f"{'clip':<34} {'contestant':<15} {'wrong words':>12} {'start p90 ms':>13} {'CPU s/min':>10}")
    for one in outcomes:
        late = f"{np.percentile(one.start_errors_ms, 90):.0f}" if one.start_errors_ms else "–"
        print(
            f"{one.case:<34} {one.contestant:<15} {one.error_rate:>12.1%} {late:>13}"
            f" {one.cpu_s / one.sound_s * 60:>10.1f}"
        )
    for name in dict.fromkeys(one.contestant for one in outcomes):
        own = [one for one in outcomes if one.contestant == name]
        rate = sum(one.wrong for one in own) / sum(one.words for one in own)
        cpu = sum(one.cpu_s for one in own) / sum(one.sound_s for one in own) * 60
        print(f"{'all':<34} {name:<15} {rate:>12.1%} {'':>13} {cpu:>10.1f}")


async def run(arguments: argparse.Namespace) -> list[Outcome]:
    status = speech_status(SpeechSettings(), state_dir=Path())
    if status.folder is None:
        raise SystemExit("speech recognition is not installed: make speech")
    outcomes = []
    with tempfile.TemporaryDirectory(prefix="sightline-speech-") as made:
        cases = [spoken_case(talk, noise, Path(made)) for talk in TALKS for noise in NOISES]
        cases += [real_case(one, Path(made)) for one in arguments.real]
        async with postgres() as server:
            os.environ |= {ADMIN_URL_VARIABLE: server.admin_url, SERVICE_URL_VARIABLE: server.url}
            database = DatabaseAddresses(urlsplit(server.url).path.removeprefix("/"))
            async with open_pipeline_rig(database, Path(made) / "state") as rig:
                for case in cases:
                    print(case.name, file=sys.stderr)
                    outcomes += [await ours(rig, case), await bare(case, status.folder)]
    return outcomes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    parser.add_argument(
        "--real", action="append", default=[], metavar="CLIP=WORDS", help="a clip, and its words in a file"
    )
    arguments = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    begun = time.monotonic()
    outcomes = asyncio.run(run(arguments))
    if arguments.json:
        print(json.dumps({"machine": machine(), "results": [vars(one) for one in outcomes]}))
    else:
        show(outcomes)
        print(f"took {time.monotonic() - begun:.0f} s; {machine()}")


if __name__ == "__main__":
    main()
