"""Cameras over the API: listing, adding, testing and removing them, and finding those of the local network."""

import base64
import json
import sys
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

import typer
from rich.markup import escape

from sightline.cli.cameras.calls import Server, Token, call_api
from sightline.cli.cameras.detect import register_detect
from sightline.cli.options import AsJson, StateDir
from sightline.cli.output.tables import new_table, print_table
from sightline.errors import InvalidInput
from sightline.observability import escape_controls

KINDS = ("stream", "mjpeg", "snapshot", "folder", "mqtt")
MAX_LISTED = 1000

Address = Annotated[str | None, typer.Option(help="Such as rtsp://192.168.1.20:554/stream1.")]
Kind = Annotated[str, typer.Option(help=f"One of {', '.join(KINDS)}.")]
Username = Annotated[str | None, typer.Option(help="The password is asked for, or read from standard input.")]
Insecure = Annotated[bool, typer.Option("--insecure", help="Accept a self-signed certificate of the camera.")]

commands = typer.Typer(invoke_without_command=True)
register_detect(commands)


def register(app: typer.Typer) -> None:
    app.add_typer(commands, name="cameras")


@commands.callback()
def run_command(context: typer.Context) -> None:
    """List, add, test, remove or discover cameras; alone: run only the watching of cameras (needs SIGHTLINE_DATABASE_URL)."""
    if context.invoked_subcommand is None:
        from sightline.cli.run import run_cameras  # imports every part of the platform

        run_cameras()


@commands.command("list")
def list_command(
    as_json: AsJson = False, server: Server = None, token: Token = None, state_dir: StateDir = None
) -> None:
    """List cameras with their source and state."""
    found: list[dict[str, Any]] = []
    cursor = ""
    while len(found) < MAX_LISTED:
        page = call_api(server, token, state_dir, "GET", "/api/cameras", params={"limit": 200, "cursor": cursor})
        found += page["cameras"]
        cursor = page["next_cursor"] or ""
        if not cursor:
            break
    if as_json:
        typer.echo(json.dumps({"cameras": found}))
    elif not found:
        typer.echo("No cameras; add one with `sightline cameras add NAME --address ADDRESS`")
    else:
        table = new_table("id", "name", "kind", "address", "state", "reason")
        for camera in found:
            source, state = camera["source"] or {}, camera["state"] or {}
            cells = (
                camera["camera_id"], camera["name"], source.get("kind", "push"), source.get("address", ""),
                state.get("state", ""), state.get("reason") or "",
            )  # fmt: skip
            table.add_row(*(_shown(cell) for cell in cells))
        print_table(table)


@commands.command("add")
def add_command(
    name: Annotated[str, typer.Argument(help="Such as 'Front door'.")],
    address: Address = None,
    kind: Kind = "stream",
    username: Username = None,
    insecure: Insecure = False,
    zone: Annotated[str, typer.Option(help="Time zone; used to decide when it is night.")] = "UTC",
    as_json: AsJson = False,
    server: Server = None,
    token: Token = None,
    state_dir: StateDir = None,
) -> None:
    """Add a camera, which is watched from then on."""
    body = {"name": name, "zone": zone, "source": _source(address, kind, username, insecure)}
    added = call_api(server, token, state_dir, "POST", "/api/cameras", json=body)
    typer.echo(json.dumps(added) if as_json else f"Camera added: {added['camera_id']}")
    if not as_json and added["upload"] is not None:
        _show_upload(added["upload"])


@commands.command("test")
def try_command(
    address: Annotated[str, typer.Argument(help="Such as rtsp://192.168.1.20:554/stream1.")],
    kind: Kind = "stream",
    username: Username = None,
    insecure: Insecure = False,
    picture: Annotated[Path | None, typer.Option(help="Write the first picture to this file.")] = None,
    as_json: AsJson = False,
    server: Server = None,
    token: Token = None,
    state_dir: StateDir = None,
) -> None:
    """Connect to a camera without saving it: its size and codec, or why there is no picture."""
    body = {"source": _source(address, kind, username, insecure)}
    tried = call_api(server, token, state_dir, "POST", "/api/cameras/test", json=body)
    if picture is not None:
        picture.write_bytes(base64.b64decode(tried["picture"].partition(",")[2]))
    if as_json:
        typer.echo(json.dumps(tried))
    else:
        fps = "" if tried["fps"] is None else f", {tried['fps']:g} pictures per second"
        typer.echo(
            f"{tried['codec']}, {tried['width']}×{tried['height']}{fps}, first picture after {tried['took_ms']} ms"
        )


@commands.command("remove")
def remove_command(
    camera_id: Annotated[str, typer.Argument(help="As `sightline cameras list` shows it.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    server: Server = None,
    token: Token = None,
    state_dir: StateDir = None,
) -> None:
    """Remove a camera with its zones and recordings. Its events stay."""
    if not yes:
        typer.confirm(f"Remove camera {camera_id} with its zones and recordings?", abort=True)
    call_api(server, token, state_dir, "DELETE", f"/api/cameras/{quote(camera_id, safe='')}")
    typer.echo(f"Camera removed: {camera_id}")


@commands.command("discover")
def discover_command(
    xaddr: Annotated[str | None, typer.Argument(help="A discovered camera: lists its streams.")] = None,
    username: Username = None,
    insecure: Insecure = False,
    as_json: AsJson = False,
    server: Server = None,
    token: Token = None,
    state_dir: StateDir = None,
) -> None:
    """Find ONVIF cameras in the local network of the platform, or list the streams of one."""
    if xaddr is None:
        found = call_api(server, token, state_dir, "GET", "/api/cameras/discover")
        names: tuple[str, ...] = ("name", "hardware", "address", "xaddr")
        rows, empty = (
            found["devices"],
            "No camera answered. Cameras must be in the same network and have ONVIF switched on.",
        )
    else:
        body: dict[str, Any] = {"xaddr": xaddr, "verifies_certificate": not insecure}
        if username is not None:
            body |= {"username": username, "password": _password()}
        found = call_api(server, token, state_dir, "POST", "/api/cameras/discover", json=body)
        names = ("name", "address", "width", "height", "codec", "fps")
        rows, empty = found["streams"], "The camera has no streams."
    if as_json:
        typer.echo(json.dumps(found))
    elif not rows:
        typer.echo(empty)
    else:
        table = new_table(*names)
        for row in rows:
            table.add_row(*("" if row[name] is None else _shown(str(row[name])) for name in names))
        print_table(table)


def _source(address: str | None, kind: str, username: str | None, insecure: bool) -> dict[str, Any]:
    if kind not in KINDS:
        raise InvalidInput(f"unknown kind {kind!r}; one of {', '.join(KINDS)}")
    source: dict[str, Any] = {"kind": kind, "verifies_certificate": not insecure}
    if address is not None:
        source["address"] = address
    if username is not None:
        source |= {"username": username, "password": _password()}
    return source


def _show_upload(upload: dict[str, Any]) -> None:
    """What a person has to type into a camera that uploads files."""
    if upload["folder"] is not None:
        typer.echo(f"Folder: {upload['folder']}")
    port = f"port {upload['ftp_port']}" if upload["ftp_port"] else "off, switch it on with SIGHTLINE_FTP_PORT"
    typer.echo(f"FTP user name: {upload['ftp_username']} (server: {port})")


def _password() -> str:
    """Never an argument: other users of the machine see those."""
    if sys.stdin.isatty():
        return str(typer.prompt("Password", hide_input=True, default="", show_default=False))
    return sys.stdin.readline().rstrip("\n")


def _shown(text: str) -> str:
    return escape(escape_controls(text))
