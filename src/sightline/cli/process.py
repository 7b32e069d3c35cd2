"""The main job in one line: a local file in, every word that was on screen out."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from sightline.cli.options import AsJson, StateDir, read_settings
from sightline.cli.output.jobs import harmless
from sightline.cli.output.search import clock
from sightline.cli.process_run import Processed, Stage, process
from sightline.observability import configure_logging
from sightline.videos import PIPELINE_STAGES

SHOWN = 40


def register(app: typer.Typer) -> None:
    app.command("process")(process_command)


def process_command(
    file: Annotated[Path, typer.Argument(help="A video.")],
    show: Annotated[int, typer.Option("--show", min=0, help="How many texts to list.")] = SHOWN,
    as_json: AsJson = False,
    state_dir: StateDir = None,
) -> None:
    """Cut, sample, read and index a local video, and show what was on screen.

    Works on the platform of the state directory; where none is running, one runs for as long as it takes. The video stays there
    and can be found with `sightline search`.
    """
    settings = read_settings(state_dir).settings
    configure_logging(settings.observability.model_copy(update={"log_level": "error"}))
    console = Console(stderr=True, quiet=as_json)
    columns = (TextColumn("{task.description:<18}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns, TextColumn("{task.fields[doing]}"), console=console) as bars:
        tasks = {
            stage.job_type: bars.add_task(stage.label, total=1.0, start=False, doing="") for stage in PIPELINE_STAGES
        }

        def tell(stages: list[Stage]) -> None:
            for stage in stages:
                if stage.status != "waiting":
                    bars.start_task(tasks[stage.name])
                    bars.update(tasks[stage.name], completed=stage.progress, doing=stage.doing)
                if stage.status in ("done", "failed"):
                    bars.stop_task(tasks[stage.name])

        found = asyncio.run(process(settings, file, tell))
    if as_json:
        typer.echo(json.dumps(found.as_json(), ensure_ascii=False))
    else:
        _show(found, show)


def _show(found: Processed, most: int) -> None:
    console = Console(file=sys.stdout)
    texts = Table(box=None, pad_edge=False)
    for column in ("from", "to", "text", "confidence"):
        texts.add_column(column)
    for segment in found.segments[:most]:
        texts.add_row(
            clock(segment.t_start), clock(segment.t_end), escape(harmless(segment.text)), f"{segment.confidence:.2f}"
        )
    console.print(texts if found.segments else "No text was found.")
    if len(found.segments) > most:
        console.print(f"… and {len(found.segments) - most} more")
    if found.entities:
        kinds: dict[str, list[str]] = {}
        for entity in found.entities:
            kinds.setdefault(entity.entity_type, []).append(harmless(entity.value))
        console.print()
        for kind, values in kinds.items():
            console.print(f"{kind:<10}{', '.join(dict.fromkeys(values))}", markup=False)
    timings = Table(box=None, pad_edge=False)
    for column in ("stage", "wall s", "CPU s"):
        timings.add_column(column, justify="left" if column == "stage" else "right")
    for stage in found.stages:
        timings.add_row(stage.name, f"{stage.wall_s:.1f}", f"{stage.cpu_s:.1f}")
    console.print()
    console.print(timings)
    seconds = (found.video.duration_ms or 0) / 1000
    console.print(
        f"\nVideo {found.video.id}: {seconds:.1f} s, {found.frames} key frames, {len(found.segments)} texts.",
        soft_wrap=True,
    )
