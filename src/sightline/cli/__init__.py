"""Owns the command `sightline`, one file per group of commands."""

import sys

import typer

from sightline import __version__
from sightline.cli import (
    analyzers,
    aws,
    database,
    dead_letters,
    jobs,
    languages,
    messages,
    outbox,
    process,
    queues,
    run,
    search,
    settings,
    status,
    upload,
    watch,
)
from sightline.cli import filter as filters
from sightline.errors import PlatformError

app = typer.Typer(
    name="sightline",
    help="Sightline turns video into things people can search, watch and act on.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
run.register(app)
process.register(app)
status.register(app)
settings.register(app)
database.register(app)
jobs.register(app)
queues.register(app)
search.register(app)
dead_letters.register(app)
outbox.register(app)
messages.register(app)
aws.register(app)
upload.register(app)
watch.register(app)
filters.register(app)
analyzers.register(app)
languages.register(app)


@app.command()
def version() -> None:
    """Print the version."""
    typer.echo(__version__)


def main() -> None:
    """Errors that have a name are told in one line; only what nobody foresaw shows its inside."""
    try:
        app()
    except PlatformError as error:
        sys.stdout.flush()
        typer.secho(f"sightline: {error.message}", err=True, fg="red" if sys.stderr.isatty() else None)
        raise SystemExit(1) from None
