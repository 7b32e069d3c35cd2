"""Owns the command `sightline`, one file per group of commands.

Each file is imported when one of its commands is called, so that a command waits only for the libraries it works with.
"""

import sys
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from sightline import __version__
from sightline.errors import PlatformError

# Name of the command: the file that has it, and what the list of all commands says about it.
COMMANDS = {
    "up": ("run", "Start the whole platform on this machine."),
    "api": ("run", "Serve the API and the page alone (needs SIGHTLINE_DATABASE_URL)."),
    "work": ("run", "Work off jobs alone (needs SIGHTLINE_DATABASE_URL)."),
    "consume": ("run", "Consume the bus's queues alone (needs SIGHTLINE_DATABASE_URL)."),
    "schedule": ("run", "Run what is due by the clock alone (needs SIGHTLINE_DATABASE_URL)."),
    "process": ("process", "Cut, sample, read and index a local video, and show what was on screen."),
    "status": ("status", "Show how the platform is: exit code 0 well, 1 not well, 3 not running."),
    "config": ("settings", "Print the effective settings with where each came from; secrets stay hidden."),
    "migrate": ("database", "Bring the database up to date; safe to run from many machines at once."),
    "db": ("database", "Print the URL of the database, password included, for psql and other tools."),
    "queues": ("queues", "Show every queue: what waits, what is being worked on, what lies dead."),
    "search": ("search", "Find what was shown on screen: video, time, text."),
    "upload": (
        "upload",
        "Upload videos in parts. Repeat the command after a crash or Ctrl-C: it goes on where it was.",
    ),
    "watch": (
        "watch",
        "Show what happens as it happens, until Ctrl-C. Comes back by itself when the server was away.",
    ),
    "analyzers": (
        "analyzers",
        "List the installed analyzers of techniques; packages add theirs by the entry point `sightline.analyzers`.",
    ),
    "languages": ("languages", "List the languages that Tesseract can read here, and say how to add one."),
    "version": ("", "Print the version."),
    "jobs": ("jobs", "Show how many jobs wait, run, are done and failed; look at them, retry or cancel them."),
    "dead-letters": ("dead_letters", "Look at dead letters, redrive or discard them."),
    "outbox": (
        "outbox",
        "Show the newest mails: to whom, about what, and whether they left; read them, or send failed ones again.",
    ),
    "messages": (
        "messages",
        "Messages: list them, follow one, create one, give failed ones another chance. Dead letters: `sightline dead-letters`.",
    ),
    "aws": ("aws", "Make and show what an AWS account needs."),
    "filter": ("filter", "Try filter policies and event patterns."),
}


class _Later(TyperCommand):
    """Stands in the list of commands for one whose file is imported when it is called."""

    def __init__(self, name: str, file: str, help_text: str) -> None:
        super().__init__(name, help=help_text)
        self._file = file

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        part = typer.Typer()
        import_module(f"{__name__}.{self._file}").register(part)
        command = typer.main.get_group(part).commands[self.name or ""]
        return command.make_context(info_name, args, parent=parent, **extra)


class _AllCommands(TyperGroup):
    def __init__(self, *, commands: Any = None, **options: Any) -> None:
        here = dict(commands or {})
        super().__init__(
            commands={name: here.get(name) or _Later(name, file, text) for name, (file, text) in COMMANDS.items()},
            **options,
        )


app = typer.Typer(
    name="sightline",
    cls=_AllCommands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback()
def sightline() -> None:
    """Sightline turns video into things people can search, watch and act on."""


@app.command()
def version() -> None:
    """Print the version."""
    typer.echo(__version__)


def main() -> None:
    """Errors that have a name are reported in one line; only what nobody foresaw shows its inside."""
    try:
        app()
    except PlatformError as error:
        sys.stdout.flush()
        typer.secho(f"sightline: {error.message}", err=True, fg="red" if sys.stderr.isatty() else None)
        raise SystemExit(1) from None
