"""How well text is read, style by style: ours, the last release, and readers of single frames, on the same clips in one run.

.venv/bin/python benchmarks/reading.py [--family one|two|three|four|five|six|real|all] [--quick] [--only STYLE] [--seconds LIMIT]
    [--before CHECKOUT] [--contestants ours,before,tesseract,rapidocr] [--clips DIRECTORY] [--alone] [--missed] [--json]

Ours is `sightline process` on a running platform: upload, frames, ocr and segment_index, with the settings of a fresh installation.
`--before` names another checkout, whose `src` (and environment, if it has one) is run the same way. The naive readers, Tesseract
and RapidOCR with its own detector, read every frame that our platform kept. A text is exact if one segment has
the whole of it, case kept, while it was shown; every style has the same weight. Clips are drawn once and kept in
`.reports/reading`. `--family real` reads clips of public repositories, whose checkouts are below `--clips`, against
`reading_real.json`. `--family all` reads every family in one run, the real clips too if `--clips` is given, and ends with the
sums by family. `--seconds` draws no more than the beginning of each clip. `--alone` reads in a process of its own, as the jobs do,
without a platform: for machines that are too busy to start one, and for states between which only `text` differs.
"""

import argparse
import asyncio
import importlib
import json
import tempfile
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from harness import ROOT, machine
from reading_contestants import Platforms, Run, gather_models, read_alone, read_frames, sample_alone
from reading_drawing import MadeClip, Style
from reading_real import real_clips
from reading_score import Score, score
from reading_tables import Scores, as_json, as_markdown, by_family

CONTESTANTS = ("ours", "before", "tesseract", "rapidocr")
QUICK = ("counters", "photo captions", "wordless film")
FAMILIES = {name: f"reading_styles_{name}" for name in ("one", "two", "three", "four", "five", "six")}


@dataclass(frozen=True, slots=True)
class Options:
    families: tuple[str, ...]
    only: str
    limit_s: float | None
    is_quick: bool
    contestants: tuple[str, ...]
    before: Path | None
    clips: Path | None
    is_alone: bool
    shows_missed: bool
    as_json: bool


def options() -> Options:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--family", choices=(*FAMILIES, "real", "all"), default="one")
    parser.add_argument("--quick", action="store_true", help="three styles, to see that it works")
    parser.add_argument(
        "--only", default="", help="run only styles whose name contains this, or one of several, separated by |"
    )
    parser.add_argument("--seconds", type=float, help="draw at most so many seconds of each clip")
    parser.add_argument("--contestants", default=",".join(CONTESTANTS), help="who reads, comma-separated")
    parser.add_argument(
        "--before", type=Path, help="checkout of the last release; without it, that contestant is left out"
    )
    parser.add_argument("--clips", type=Path, help="directory of the checkouts that hold the real clips")
    parser.add_argument("--alone", action="store_true", help="read without a platform, in one process")
    parser.add_argument("--missed", action="store_true", help="name each text that was not exact, and the junk")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of tables")
    given = parser.parse_args()
    named = tuple(one for one in given.contestants.split(",") if one in CONTESTANTS)
    contestants = tuple(one for one in named if one != "before" or given.before)
    before = given.before.resolve() if given.before else None
    families = (given.family,) if given.family != "all" else (*FAMILIES, *(("real",) if given.clips else ()))
    return Options(
        families,
        given.only,
        given.seconds,
        given.quick,
        contestants,
        before,
        given.clips,
        given.alone,
        given.missed,
        given.json,
    )


def clips_of(family: str, chosen: Options) -> Sequence[MadeClip]:
    if family == "real":
        assert chosen.clips is not None, "--clips names the directory of the checkouts"
        clips = real_clips(chosen.clips)
        return [clip for clip in clips if _is_wanted(clip.style, chosen)]
    styles: tuple[Style, ...] = importlib.import_module(FAMILIES[family]).STYLES
    wanted = [one for one in styles if _is_wanted(one.name, chosen) and (not chosen.is_quick or one.name in QUICK)]
    return [style.clip(family, chosen.limit_s) for style in wanted]


def _is_wanted(style: str, chosen: Options) -> bool:
    return any(part in style for part in chosen.only.split("|"))


async def measure(chosen: Options) -> dict[str, Scores]:
    """Scores by family, contestant and style."""
    found: dict[str, Scores] = {}
    async with AsyncExitStack() as stack:
        platforms = Platforms(stack)
        models = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        for family in chosen.families:
            found[family] = await _measure_family(clips_of(family, chosen), platforms, models, chosen)
            if not chosen.as_json:
                print(as_markdown(family, found[family]), flush=True)
    return found


async def _measure_family(clips: Sequence[MadeClip], platforms: Platforms, models: Path, chosen: Options) -> Scores:
    scores: Scores = {name: {} for name in chosen.contestants}
    for clip in clips:
        if chosen.is_alone:
            frames = await sample_alone(clip, models)
            own = await read_alone(ROOT, clip, frames)
            gather_models(clip.languages or ("eng",), models, models)
        else:
            ours = await platforms.of(ROOT, clip.languages)
            own = await ours.read(clip)
            gather_models(clip.languages or ("eng",), ours.state, models)
        for name in chosen.contestants:
            run = await _run(name, clip, own, platforms, chosen, models)
            made = score(clip.truths, run.segments, seconds=clip.seconds, cpu_s=run.cpu_s)
            scores[name][clip.style] = made
            _tell(name, clip, made, chosen)
    return scores


async def _run(name: str, clip: MadeClip, own: Run, platforms: Platforms, chosen: Options, models: Path) -> Run:
    match name:
        case "ours":
            return own
        case "before":
            assert chosen.before is not None
            if chosen.is_alone:
                return await read_alone(chosen.before, clip, own.frames)
            return await (await platforms.of(chosen.before, clip.languages)).read(clip)
        case _:
            return await read_frames(name, clip, own.frames, models)


def _tell(name: str, clip: MadeClip, made: Score, chosen: Options) -> None:
    if chosen.as_json:
        return
    print(
        f"{clip.style}, {name}: {made.exact}/{made.texts} exact, letters {made.letters_part:.1%}, {made.pieces} pieces, "
        f"{len(made.junk)} junk, {made.cpu_s / clip.seconds:.2f} CPU s/s",
        flush=True,
    )
    if chosen.shows_missed:
        for truth, near in made.missed:
            print(f"    {truth.text!r} {truth.start_ms}-{truth.end_ms}, found {near}")
        for one in made.junk:
            print(f"    junk {one.text!r} {one.start_ms}-{one.end_ms} {one.confidence:.2f}")


def main() -> None:
    chosen = options()
    found = asyncio.run(measure(chosen))
    if chosen.as_json:
        scores = {family: as_json(scores) for family, scores in found.items()}
        print(json.dumps({"machine": machine(), "scores": scores}))
    elif len(found) > 1:
        print(by_family(found))


if __name__ == "__main__":
    main()
