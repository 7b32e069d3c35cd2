"""`sightline cameras detect`: looks for people and objects in what a camera recorded."""

import json
import time
from datetime import datetime
from typing import Annotated, Any
from urllib.parse import quote

import typer

from sightline.cli.cameras.calls import Server, Token, call_api
from sightline.cli.options import AsJson, StateDir

POLL_S = 1.0
FORMATS = ["%Y-%m-%dT%H:%M:%S%z", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M"]
Since = Annotated[datetime, typer.Option("--from", formats=FORMATS, help="Begin; local time unless it says otherwise.")]
Until = Annotated[datetime, typer.Option("--until", formats=FORMATS, help="End: 24 hours later at most.")]


def register_detect(commands: typer.Typer) -> None:
    commands.command("detect")(detect_command)


def detect_command(
    camera_id: Annotated[str, typer.Argument(help="As `sightline cameras list` shows it.")],
    since: Since,
    until: Until,
    wait: Annotated[bool, typer.Option("--wait/--no-wait", help="Wait until it is done.")] = True,
    as_json: AsJson = False,
    server: Server = None,
    token: Token = None,
    state_dir: StateDir = None,
) -> None:
    """Look for people and objects in what a camera recorded; they become its events."""
    path = f"/api/cameras/{quote(camera_id, safe='')}/detect"
    body = {"from": since.astimezone().isoformat(), "until": until.astimezone().isoformat()}
    run = call_api(server, token, state_dir, "POST", path, json=body)
    while wait and run["status"] in ("queued", "processing"):
        time.sleep(POLL_S)
        run = call_api(server, token, state_dir, "GET", f"{path}/{run['job_id']}")
    typer.echo(json.dumps(run) if as_json else _in_words(run))
    if run["status"] in ("failed", "cancelled"):
        raise typer.Exit(1)


def _in_words(run: dict[str, Any]) -> str:
    match run["status"]:
        case "done":
            known = f", {run['known']} known before" if run["known"] else ""
            left_out = f"; {run['left_out']} segments could not be read" if run["left_out"] else ""
            return f"{run['reported']} found{known}{left_out}"
        case "failed":
            return f"Failed: {run['error']}"
        case "cancelled":
            return f"Cancelled after {run['reported']} found"
    return f"{run['status']}: job {run['job_id']}"
