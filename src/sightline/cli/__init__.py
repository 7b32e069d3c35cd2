"""The command `sightline`, one file per group of commands.

Each file is imported when one of its commands is called, so that a command imports only the libraries it uses.
"""

import gc
import sys
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from sightline import __version__
from sightline.errors import PlatformError

# Command: its file, and its line in the list of commands.
COMMANDS = {
    "up": ("run", "Start the whole platform on this machine."),
    "api": ("run", "Serve only the API and the page (needs SIGHTLINE_DATABASE_URL)."),
    "work": ("run", "Run only job workers (needs SIGHTLINE_DATABASE_URL)."),
    "consume": ("run", "Run only queue consumers (needs SIGHTLINE_DATABASE_URL)."),
    "schedule": ("run", "Run only periodic services and schedules (needs SIGHTLINE_DATABASE_URL)."),
    "process": (
        "process",
        "Process a local video and print the text that was on screen, and what was said; or output subtitles.",
    ),
    "export": ("exports.command", "Export the text and speech of a video as SRT, WebVTT, plain text, JSON or CSV."),
    "detect": (
        "detect",
        "Print the people, vehicles, animals and bags in a picture or video: time, label, score and box (0 to 1 of the picture).",
    ),
    "status": ("status", "Show services and health; exit code 0 healthy, 1 unhealthy, 3 not running."),
    "doctor": (
        "doctor",
        "Look for the usual misconfigurations and say how to mend each; exit code 1 if something will not work.",
    ),
    "config": ("settings", "Print the effective settings and their sources; secrets are masked."),
    "migrate": ("maintenance.database", "Apply pending migrations; safe to run from several machines at once."),
    "db": (
        "maintenance.database",
        "Print the database URL, including the password, open psql on it, or dump the database.",
    ),
    "backup": ("maintenance.backup", "Back up database and objects together, into a directory or s3://bucket/prefix."),
    "restore": ("maintenance.backup", "Restore a backup into a new state directory, or check one with --verify."),
    "retention": ("retention", "Apply the retention rules now; --dry-run prints what they would remove."),
    "s3-env": ("settings", "Print the variables for S3 clients, including the secret key of the object endpoint."),
    "upgrade": (
        "maintenance.upgrade",
        "Move the embedded database to this version's PostgreSQL; the old data is kept.",
    ),
    "queues": (
        "queues",
        "Show every queue, those of clients with their account: waiting and in-flight messages, and dead letters.",
    ),
    "topics": ("topics", "List topics with their subscriptions, and event rules with their targets."),
    "search": ("search", "Search what was on screen or said, and names of videos, techniques and cameras."),
    "upload": (
        "upload",
        "Upload videos in parts. After a crash or Ctrl-C, repeat the command to resume.",
    ),
    "watch": (
        "watch",
        "Print live events until Ctrl-C; reconnects by itself.",
    ),
    "mcp": ("mcp", "Serve assistants by the Model Context Protocol on standard input and output."),
    "analyzers": (
        "analysis.analyzers",
        "List the installed technique analyzers; packages add theirs with the entry point `sightline.analyzers`.",
    ),
    "estimate": (
        "analysis.estimate",
        "Print what a vision model will take to find techniques in a video: calls, tokens, cost.",
    ),
    "techniques": ("analysis.techniques", "Learn from corrections of techniques, or show the classifier."),
    "languages": ("models.languages", "List the languages that text can be read in; add one by name, or remove it."),
    "cameras": (
        "cameras.commands",
        "List, add, test, remove or discover cameras; alone: run only the watching of cameras (needs SIGHTLINE_DATABASE_URL).",
    ),
    "vision": ("models.vision", "Show what detects objects, or install the default models."),
    "speech": ("models.speech", "Show what transcribes speech, or install its model."),
    "meaning": ("models.meaning", "Show what finds texts by their meaning, or install its model."),
    "version": ("", "Print the version."),
    "jobs": ("jobs", "Count jobs by type and status; list, show, retry or cancel them."),
    "dead-letters": ("dead_letters", "List, show, redrive or discard dead letters."),
    "outbox": (
        "outbox",
        "List the newest mails with recipient, subject and status; show one, or resend a failed one.",
    ),
    "messages": (
        "messages",
        "List, show, send or retry messages. Dead letters: `sightline dead-letters`.",
    ),
    "keys": ("keys", "Create, list or revoke API keys for detectors and scripts."),
    "teams": ("teams.commands", "Create, list or delete teams, their members and their videos."),
    "people": ("people", "Export or erase everything that is stored about a person."),
    "usage": (
        "owners.usage",
        "Show what every owner stores and used in a month; with OWNER, what one used by day and how much of each quota.",
    ),
    "quotas": ("owners.quotas", "Show or change the quotas of one owner."),
    "audit": ("audit", "Export the audit log, or verify that nobody changed it."),
    "aws": ("aws", "Print CloudFormation for an AWS account, check the account, and update its mail templates."),
    "kubernetes": ("kubernetes", "Print manifests for Kubernetes, or write them for kustomize."),
    "filter": ("filter", "Try filter policies and event patterns."),
}


class _LazyCommand(TyperCommand):
    """A command whose file is imported when it is called."""

    def __init__(self, name: str, file: str, help_text: str) -> None:
        super().__init__(name, help=help_text)
        self._file = file

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        part = typer.Typer()
        gc.disable()  # nothing that is imported is garbage, and looking for some took a third of the time
        try:
            import_module(f"{__name__}.{self._file}").register(part)
        finally:
            gc.freeze()
            gc.enable()
        command = typer.main.get_group(part).commands[self.name or ""]
        return command.make_context(info_name, args, parent=parent, **extra)


class _AllCommands(TyperGroup):
    def __init__(self, *, commands: Any = None, **options: Any) -> None:
        here = dict(commands or {})
        super().__init__(
            commands={
                name: here.get(name) or _LazyCommand(name, file, text) for name, (file, text) in COMMANDS.items()
            },
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
    """Reports known errors in one line; only an unexpected error has a traceback."""
    try:
        app()
    except PlatformError as error:
        sys.stdout.flush()
        typer.secho(f"sightline: {error.message}", err=True, fg="red" if sys.stderr.isatty() else None)
        raise SystemExit(1) from None
