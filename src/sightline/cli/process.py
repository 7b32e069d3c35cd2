"""Processing one local video: reads all text that was on screen."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

from sightline.bootstrap import Platform
from sightline.cli.exports.command import HasBom, HasTimestamps, Kind, Output, as_kind
from sightline.cli.exports.write_file import check_output, write_export
from sightline.cli.options import AsJson, StateDir, read_settings
from sightline.cli.output.durations import media_time
from sightline.cli.output.tables import new_table, print_table
from sightline.cli.process_run import SPEECH, Processed, Stage, process
from sightline.cli.video_file import check_video_file
from sightline.errors import InvalidInput
from sightline.observability import configure_logging, escape_controls
from sightline.text.exports import ExportFormat, ExportOptions
from sightline.videos import PIPELINE_STAGES, Video

DEFAULT_TEXTS_SHOWN = 40


def register(app: typer.Typer) -> None:
    app.command("process")(process_command)


def process_command(
    file: Annotated[Path, typer.Argument(help="Video file.")],
    show: Annotated[int, typer.Option("--show", min=0, help="Number of texts to print.")] = DEFAULT_TEXTS_SHOWN,
    as_json: AsJson = False,
    as_srt: Annotated[bool, typer.Option("--srt", help="Output SRT subtitles.")] = False,
    as_vtt: Annotated[bool, typer.Option("--vtt", help="Output WebVTT subtitles.")] = False,
    as_txt: Annotated[bool, typer.Option("--txt", help="Output plain text.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Output CSV.")] = False,
    kind: Kind = "both",
    output: Output = None,
    has_timestamps: HasTimestamps = False,
    has_bom: HasBom = False,
    state_dir: StateDir = None,
) -> None:
    """Process a local video and print the text that was on screen, and what was said; or output subtitles.

    Speech is included if speech recognition is installed. Uses the running platform of the state directory, or starts one
    for the duration. The video stays there and can be found with `sightline search`.
    """
    chosen = _one_format({"srt": as_srt, "vtt": as_vtt, "txt": as_txt, "csv": as_csv, "json": as_json})
    if output is not None and chosen is None:
        raise InvalidInput("--output needs a format: --srt, --vtt, --txt, --csv or --json")
    check_output(output)
    options = None
    if chosen is not None and chosen != "json":
        options = ExportOptions(chosen, as_kind(kind), has_timestamps=has_timestamps, has_bom=has_bom)
    check_video_file(file)
    settings = read_settings(state_dir).settings
    configure_logging(settings.observability.model_copy(update={"log_level": "error"}))
    console = Console(stderr=True, quiet=chosen is not None)
    columns = (TextColumn("{task.description:<18}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns, TextColumn("{task.fields[doing]}"), console=console) as bars:
        tasks = {
            stage.job_type: bars.add_task(stage.label, total=1.0, start=False, doing="") for stage in PIPELINE_STAGES
        }

        def report(stages: list[Stage]) -> None:
            for stage in stages:
                if stage.name not in tasks:
                    label = "Transcribing" if stage.name == SPEECH else stage.name
                    tasks[stage.name] = bars.add_task(label, total=1.0, start=False, doing="")
                if stage.status != "waiting":
                    bars.start_task(tasks[stage.name])
                    bars.update(tasks[stage.name], completed=stage.progress, doing=stage.doing)
                if stage.status in ("done", "failed"):
                    bars.stop_task(tasks[stage.name])

        async def export(platform: Platform, video: Video) -> None:
            if options is not None:
                await write_export(platform, video, options, output)

        found = asyncio.run(process(settings, file, report, export))
    for stage in found.stages:
        if stage.name == SPEECH and stage.status == "failed":
            typer.echo(f"sightline: speech was not transcribed: {stage.doing or 'see `sightline jobs`'}", err=True)
    if chosen == "json":
        text = json.dumps(found.as_json(), ensure_ascii=False)
        if output is None:
            typer.echo(text)
        else:
            output.write_text(f"{text}\n", encoding="utf-8")
    elif chosen is None:
        _print_result(found, show)


def _one_format(chosen: dict[ExportFormat, bool]) -> ExportFormat | None:
    names = [name for name, is_chosen in chosen.items() if is_chosen]
    if len(names) > 1:
        raise InvalidInput(f"choose one of --{' and --'.join(names)}")
    return names[0] if names else None


def _print_result(found: Processed, limit: int) -> None:
    console = Console(file=sys.stdout)
    texts = new_table("from", "to", "text", "confidence")
    for segment in found.segments[:limit]:
        texts.add_row(
            media_time(segment.t_start),
            media_time(segment.t_end),
            escape(escape_controls(segment.text)),
            f"{segment.confidence:.2f}",
        )
    if found.segments:
        print_table(texts, console=console)
    else:
        console.print("No text found")
    if len(found.segments) > limit:
        console.print(f"… and {len(found.segments) - limit} more")
    if found.entities:
        kinds: dict[str, list[str]] = {}
        for entity in found.entities:
            kinds.setdefault(entity.entity_type, []).append(escape_controls(entity.value))
        console.print()
        for kind, values in kinds.items():
            console.print(f"{kind:<10}{', '.join(dict.fromkeys(values))}", markup=False)
    timings = new_table("stage", "wall s", "CPU s", right=("wall s", "CPU s"))
    for stage in found.stages:
        timings.add_row(stage.name, f"{stage.wall_s:.1f}", f"{stage.cpu_s:.1f}")
    console.print()
    print_table(timings, console=console)
    seconds = (found.video.duration_ms or 0) / 1000
    console.print(
        f"\nVideo {found.video.id}: {seconds:.1f} s, {found.frames} key frames, {len(found.segments)} texts.",
        soft_wrap=True,
    )
