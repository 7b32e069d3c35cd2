"""Exporting the text and speech of a video that was processed."""

from pathlib import Path
from typing import Annotated, cast, get_args

import typer

from sightline.bootstrap import Platform
from sightline.cli.connect import with_platform
from sightline.cli.exports.write_file import check_output, write_export
from sightline.cli.options import StateDir, as_id
from sightline.errors import Conflict, InvalidInput
from sightline.text.exports import EXPORT_FORMATS, ExportKind, ExportOptions
from sightline.videos import VideoStatus, need_video

Kind = Annotated[str, typer.Option("--kind", help="text (shown on screen), speech (said) or both.")]
Output = Annotated[Path | None, typer.Option("--output", "-o", help="File to write. Unset: standard output.")]
HasTimestamps = Annotated[bool, typer.Option("--timestamps", help="Plain text: begin each line with its time.")]
HasBom = Annotated[bool, typer.Option("--bom", help="Begin with a byte order mark, which Excel needs to read UTF-8.")]


def register(app: typer.Typer) -> None:
    app.command("export")(export_command)


def export_command(
    video: Annotated[str, typer.Argument(help="The video's id.")],
    file_format: Annotated[str, typer.Option("--format", "-f", help=f"One of {', '.join(EXPORT_FORMATS)}.")] = "srt",
    kind: Kind = "both",
    output: Output = None,
    has_timestamps: HasTimestamps = False,
    has_bom: HasBom = False,
    state_dir: StateDir = None,
) -> None:
    """Export the text and speech of a video as SRT, WebVTT, plain text, JSON or CSV."""
    if file_format not in EXPORT_FORMATS:
        raise InvalidInput(f"unknown format {file_format!r}; use one of {', '.join(EXPORT_FORMATS)}")
    options = ExportOptions(file_format, as_kind(kind), has_timestamps=has_timestamps, has_bom=has_bom)
    video_id = as_id(video, "video")
    check_output(output)

    async def work(platform: Platform) -> None:
        async with platform.database.transaction() as tx:
            found = await need_video(tx, video_id)
        if found.status is not VideoStatus.COMPLETED:
            raise Conflict(f"video {video_id} is {found.status}, not COMPLETED")
        await write_export(platform, found, options, output)

    with_platform(state_dir, work)


def as_kind(text: str) -> ExportKind:
    if text not in get_args(ExportKind):
        raise InvalidInput(f"unknown kind {text!r}; use one of {', '.join(get_args(ExportKind))}")
    return cast(ExportKind, text)
