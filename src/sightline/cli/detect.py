"""Detecting objects in a local picture or video."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from sightline.cli.options import AsJson, StateDir, read_settings
from sightline.cli.output.durations import media_time
from sightline.cli.output.tables import new_table, print_table
from sightline.cli.video_file import check_is_file
from sightline.config import Settings
from sightline.errors import ConfigurationError, InvalidInput
from sightline.media.pictures import read_pictures
from sightline.observability import configure_logging
from sightline.vision import DetectedObject, detector_status, group_of, open_detector

NOT_INSTALLED = 3
"""Exit code, as of `sightline status` when nothing runs."""


def register(app: typer.Typer) -> None:
    app.command("detect")(detect_command)


def detect_command(
    file: Annotated[Path, typer.Argument(help="Picture (JPEG, PNG, WebP …) or video.")],
    every_s: Annotated[
        float, typer.Option("--every", min=0.04, help="Seconds between the looked-at pictures of a video.")
    ] = 1.0,
    min_score: Annotated[
        float | None, typer.Option("--min-score", min=0.01, max=1, help="Lowest score to print.")
    ] = None,
    labels: Annotated[
        list[str] | None, typer.Option("--label", help="Only this class or group, such as person; may be repeated.")
    ] = None,
    as_json: AsJson = False,
    state_dir: StateDir = None,
) -> None:
    """Print the people, vehicles, animals and bags in a picture or video: time, label, score and box (0 to 1 of the picture).

    Exit code 3 if object detection is not installed; `sightline vision install` adds it.
    """
    check_is_file(file)
    settings = _chosen(read_settings(state_dir).settings, min_score, labels)
    configure_logging(settings.observability.model_copy(update={"log_level": "error"}))
    status = detector_status(settings.vision, state_dir=settings.state_dir)
    if status.how_to_install is not None:
        typer.echo(status.how_to_install, err=True)
        raise typer.Exit(NOT_INSTALLED)
    found = asyncio.run(_detect_all(file, settings, every_s))
    if as_json:
        answer = {"file": str(file), "models": [card.name for card in status.models], "pictures": found}
        typer.echo(json.dumps(answer, ensure_ascii=False))
    else:
        _show(found)


def _chosen(settings: Settings, min_score: float | None, labels: list[str] | None) -> Settings:
    changes: dict[str, Any] = {}
    if min_score is not None:
        changes |= {"min_score": min_score, "min_scores": ()}
    if labels:
        changes["objects"] = tuple(label.strip().lower() for label in labels)
        if "" in changes["objects"]:
            raise InvalidInput("--label needs the name of a class or group")
    return settings.model_copy(update={"vision": settings.vision.model_copy(update=changes)})


async def _detect_all(file: Path, settings: Settings, every_s: float) -> list[dict[str, Any]]:
    return [one async for one in _detect(file, settings, every_s)]


async def _detect(file: Path, settings: Settings, every_s: float) -> AsyncIterator[dict[str, Any]]:
    async with open_detector(
        settings.vision, state_dir=settings.state_dir, may_be_unconfined=settings.media.allow_unconfined
    ) as detector:
        if detector is None:
            raise ConfigurationError("object detection was removed while the command started")
        async for picture in read_pictures(file, settings.media, every_s=every_s):
            objects = await detector.detect(picture.pixels)
            height, width = picture.pixels.shape[:2]
            yield {
                "time_ms": picture.at_ms,
                "width": width,
                "height": height,
                "objects": [_as_json(one) for one in objects],
            }


def _as_json(one: DetectedObject) -> dict[str, Any]:
    return {
        "label": one.label,
        "group": group_of(one.label),
        "score": round(one.score, 3),
        "box": [round(value, 4) for value in one.box],
        **({"keypoints": one.keypoints} if one.keypoints else {}),
    }


def _show(found: list[dict[str, Any]]) -> None:
    console = Console(file=sys.stdout)
    table = new_table(
        "time", "label", "score", "x", "y", "width", "height", right=("score", "x", "y", "width", "height")
    )
    count = 0
    for picture in found:
        time = "–" if picture["time_ms"] is None else media_time(picture["time_ms"])
        for one in picture["objects"]:
            count += 1
            table.add_row(time, one["label"], f"{one['score']:.2f}", *(f"{value:.3f}" for value in one["box"]))
    if count:
        print_table(table, console=console)
    else:
        console.print(f"No objects found in {len(found)} picture{'' if len(found) == 1 else 's'}")
