"""The effective settings and their sources, and those that S3 clients need."""

import json
import shlex
from typing import Annotated, Any
from urllib.parse import urlsplit

import typer
from pydantic import SecretStr

from sightline.cli.options import AsJson, StateDir, read_settings, running_address
from sightline.cli.output.tables import new_table, print_table
from sightline.config import Setting
from sightline.errors import ConfigurationError
from sightline.objects import OBJECTS_PATH, OBJECTS_REGION, load_signing_key


def register(app: typer.Typer) -> None:
    @app.command()
    def config(
        state_dir: StateDir = None,
        as_json: AsJson = False,
        describe: Annotated[bool, typer.Option("--describe", help="Include descriptions.")] = False,
    ) -> None:
        """Print the effective settings and their sources; secrets are masked."""
        found = read_settings(state_dir).explain()
        if as_json:
            typer.echo(json.dumps({s.name: {"value": _shown(s), "source": s.source} for s in found}, default=str))
            return
        table = new_table("setting", "value", "source", *(("description",) if describe else ()))
        for setting in found:
            source = "[dim]default[/]" if setting.source == "default" else setting.source
            table.add_row(setting.name, _text(setting), source, *((setting.description,) if describe else ()))
        print_table(table)

    @app.command("s3-env")
    def s3_env(state_dir: StateDir = None, as_json: AsJson = False) -> None:
        """Print the variables for S3 clients, including the secret key of the object endpoint."""
        settings = read_settings(state_dir).settings
        objects = settings.objects
        if objects.backend != "disk":
            raise ConfigurationError("objects are in S3: clients use S3 itself, with credentials of their own")
        address = running_address(state_dir)
        endpoint = objects.endpoint_url or f"{address}{OBJECTS_PATH}"
        if objects.endpoint_url is None and settings.api.aws_port:
            parts = urlsplit(address)
            host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
            endpoint = f"{parts.scheme}://{host}:{settings.api.aws_port}"
        key = load_signing_key(objects.signing_key_id, objects.signing_secret, settings.state_dir)
        variables = {
            "AWS_ACCESS_KEY_ID": key.key_id,
            "AWS_SECRET_ACCESS_KEY": key.secret,
            "AWS_DEFAULT_REGION": OBJECTS_REGION,
            "AWS_ENDPOINT_URL": endpoint,
            "BUCKET": objects.bucket,
        }
        if as_json:
            typer.echo(json.dumps(variables))
            return
        for name, value in variables.items():
            typer.echo(f"export {name}={shlex.quote(value)}")


def _shown(setting: Setting) -> Any:
    value = setting.value
    return str(value) if isinstance(value, SecretStr) else value


def _text(setting: Setting) -> str:
    value = _shown(setting)
    if value is None:
        return ""
    return ", ".join(value) if isinstance(value, tuple) else str(value)
