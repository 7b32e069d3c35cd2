"""Uploading videos from the command line, and waiting until they are processed."""

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

import httpx
import typer
from rich.console import Console
from rich.filesize import decimal
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)

from sightline.cli.options import AsJson, StateDir, as_id, running_address
from sightline.cli.video_file import check_is_file, check_video_file
from sightline.client import ApiClient, UploadClient
from sightline.errors import PlatformError, TransientFailure

WATCH_EVERY_S = 1.0
STATUSES_IN_ORDER = ("UPLOADED", "PROCESSING", "SPLITTING", "PRINTING", "COMPLETED")


def register(app: typer.Typer) -> None:
    app.command()(upload)


def upload(
    files: Annotated[list[Path], typer.Argument(help="Videos: mp4, mov, avi, mkv, webm, ts, wmv, gif and others.")],
    server: Annotated[
        str | None, typer.Option("--server", help="Address of the platform. Unset: the one on the state directory.")
    ] = None,
    token: Annotated[
        str | None, typer.Option("--token", envvar="SIGHTLINE_TOKEN", help="Bearer token, where one is needed.")
    ] = None,
    parallel: Annotated[int, typer.Option("--parallel", min=1, max=32, help="Parts to send in parallel.")] = 4,
    team: Annotated[str | None, typer.Option("--team", help="Id of the team that the videos belong to.")] = None,
    new: Annotated[bool, typer.Option("--new", help="Start over instead of resuming an earlier upload.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Upload files that do not look like videos, too.")] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Wait until the videos are searchable.")] = False,
    as_json: AsJson = False,
    state_dir: StateDir = None,
) -> None:
    """Upload videos in parts. After a crash or Ctrl-C, repeat the command to resume."""
    for file in files:
        (check_is_file if force else check_video_file)(file)
    team_id = None if team is None else as_id(team, "team")
    address = server or running_address(state_dir)
    headers = {"authorization": f"Bearer {token}"} if token else {}
    try:
        outcomes = asyncio.run(_upload_all(files, address, headers, parallel, team_id, new, watch, quiet=as_json))
    except KeyboardInterrupt:
        typer.echo("\nInterrupted. Uploaded parts are kept; repeat the command to resume.", err=True)
        raise typer.Exit(130) from None
    if as_json:
        typer.echo(json.dumps(outcomes))
    else:
        for outcome in outcomes:
            typer.echo(_line(outcome))
    if any("error" in outcome or outcome["status"] == "FAILED" for outcome in outcomes):
        raise typer.Exit(1)


async def _upload_all(
    files: list[Path],
    address: str,
    headers: dict[str, str],
    parallel: int,
    team_id: UUID | None,
    new: bool,
    watch: bool,
    *,
    quiet: bool,
) -> list[dict[str, Any]]:
    console = Console(stderr=True, quiet=quiet or (not sys.stderr.isatty() and "PYTEST_CURRENT_TEST" in os.environ))
    columns = (
        TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn(),
        TextColumn("{task.fields[doing]}"),
    )  # fmt: skip
    timeout = httpx.Timeout(30.0, read=600.0, write=600.0)
    async with httpx.AsyncClient(base_url=address, timeout=timeout) as http:
        api = ApiClient(http, headers=headers, sign_in_hint="pass --token or set SIGHTLINE_TOKEN")
        client = UploadClient(api, parallel=parallel, team_id=team_id)
        outcomes = []
        with Progress(*columns, console=console) as bars:
            for file in files:
                bar = bars.add_task(file.name, total=file.stat().st_size, doing="")
                outcomes.append(await _upload_one(client, file, new, bars, bar))
        if watch:
            await _watch(http, headers, [one for one in outcomes if "video_id" in one], console)
    return outcomes


async def _upload_one(client: UploadClient, file: Path, new: bool, bars: Progress, bar: TaskID) -> dict[str, Any]:
    def progress(more: int, doing: str) -> None:
        if more <= 0 and client.started is not None:  # not on its way at the moment
            doing += f", {_kept(client.started.kept_bytes, client.started.total_size)}"
        bars.update(bar, advance=more, doing=doing)

    try:
        video_id = await client.upload(file, is_new=new, progress=progress)
    except (PlatformError, BaseExceptionGroup) as error:
        bars.update(bar, doing="failed")
        first = _first(error)
        outcome: dict[str, Any] = {"file": str(file), "error": first.message}
        if client.started is not None and isinstance(first, TransientFailure):
            outcome |= {"kept_bytes": client.started.kept_bytes, "total_bytes": client.started.total_size}
        return outcome
    except asyncio.CancelledError:
        if client.started is not None:
            typer.echo(f"\n{file}: {_kept(client.started.kept_bytes, client.started.total_size)}", err=True)
        raise
    bars.update(bar, doing="uploaded")
    return {"file": str(file), "video_id": video_id, "status": "UPLOADED"}


async def _watch(
    http: httpx.AsyncClient, headers: dict[str, str], outcomes: list[dict[str, Any]], console: Console
) -> None:
    waiting = list(outcomes)
    shown: dict[str, str] = {}
    while waiting:
        for outcome in list(waiting):
            answer = await http.get(f"/videos/{outcome['video_id']}", headers=headers)
            if answer.status_code == 404:
                outcome["status"] = "REMOVED"
                waiting.remove(outcome)
                continue
            if answer.status_code != 200:
                continue
            video = answer.json()
            outcome["status"] = video["status"]
            if shown.get(outcome["video_id"]) != video["status"]:
                shown[outcome["video_id"]] = video["status"]
                console.print(f"{outcome['file']}: {_progress_line(video['status'])}")
            if video["status"] in ("COMPLETED", "FAILED"):
                if video["errorReason"]:
                    outcome["reason"] = video["errorReason"]
                waiting.remove(outcome)
        if waiting:
            await asyncio.sleep(WATCH_EVERY_S)


def _progress_line(status: str) -> str:
    """The statuses so far in one line, the current one in bold."""
    if status not in STATUSES_IN_ORDER:
        return status
    at = STATUSES_IN_ORDER.index(status)
    return " > ".join(
        f"[bold]{step}[/]" if index == at else step for index, step in enumerate(STATUSES_IN_ORDER[: at + 1])
    )


def _first(error: BaseException) -> PlatformError:
    """Parts that are sent in parallel fail as a group; the first error is reported."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if not isinstance(error, PlatformError):
        raise error
    return error


def _kept(kept_bytes: int, total_bytes: int) -> str:
    return f"{decimal(kept_bytes)} of {decimal(total_bytes)} kept"


def _line(outcome: dict[str, Any]) -> str:
    if "error" in outcome:
        kept = ""
        if "kept_bytes" in outcome:
            kept = f". {_kept(outcome['kept_bytes'], outcome['total_bytes'])}; repeat the command to resume"
        return f"{outcome['file']}: not uploaded: {outcome['error']}{kept}"
    reason = f" ({outcome['reason']})" if "reason" in outcome else ""
    return f"{outcome['file']}: video {outcome['video_id']} {outcome['status']}{reason}"
