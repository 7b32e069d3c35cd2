"""The variables that S3 clients need to use the object endpoint."""

import json
import shlex
from urllib.parse import urlsplit

import typer

from sightline.cli.options import AsJson, StateDir, read_settings, running_address
from sightline.errors import ConfigurationError
from sightline.objects import OBJECTS_PATH, OBJECTS_REGION, load_signing_key


def register(app: typer.Typer) -> None:
    @app.command("s3-env")
    def s3_env(state_dir: StateDir = None, as_json: AsJson = False) -> None:
        """Print the variables for S3 clients, including the secret key of the object endpoint."""
        settings = read_settings(state_dir).settings
        objects = settings.objects
        if objects.backend != "disk":
            raise ConfigurationError("objects are in S3: clients use S3 itself, with credentials of their own")
        address = running_address(state_dir)
        endpoint = objects.endpoint_url or f"{address}{OBJECTS_PATH}"
        if objects.endpoint_url is None and objects.endpoint_port:
            parts = urlsplit(address)
            host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
            endpoint = f"{parts.scheme}://{host}:{objects.endpoint_port}"
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
