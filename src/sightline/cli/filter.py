"""Filter policies and event patterns: testing them before they are used."""

import json
import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from sightline.bus import try_event_pattern, try_filter_policy
from sightline.bus.policy import Scope, format_vector_report, run_vectors
from sightline.errors import InvalidInput

NO_MATCH, UNUSABLE = 1, 2

_GIVEN = "JSON, @file, or - for standard input."
_ROW_KINDS = ("expected", "valid")

commands = typer.Typer(help="Try filter policies and event patterns.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    app.add_typer(commands, name="filter")


@commands.command("test")
def try_policy(
    policy: Annotated[str, typer.Argument(help=f"The filter policy or event pattern: {_GIVEN}")],
    message: Annotated[str, typer.Argument(help=f"The message's attributes, its body, or the event: {_GIVEN}")],
    scope: Annotated[Scope, typer.Option(help="What the policy looks at.")] = "MessageAttributes",
    is_event: Annotated[bool, typer.Option("--event", help="An EventBridge pattern and an event.")] = False,
) -> None:
    """Say whether a policy lets a message through, and which key decided: exit code 0 match, 1 no match, 2 unusable."""
    try:
        if policy == message == "-":
            raise InvalidInput("standard input can be the policy or the message, not both")
        given = _text(policy), _text(message)
        found = try_event_pattern(*given) if is_event else try_filter_policy(*given, scope)
    except InvalidInput as error:
        _refuse(error.message)
    typer.echo(str(found))
    if not found.matched:
        raise typer.Exit(NO_MATCH)


@commands.command("vectors")
def vectors_command(files: Annotated[list[Path], typer.Argument(help="Files with a list of rows.")]) -> None:
    """Run conformance rows and print the differences: exit code 1 if there are any, 2 for unusable files."""
    try:
        for file in files:
            _check_rows(file)
        report = run_vectors(files)
    except (InvalidInput, ValueError) as error:
        _refuse(str(error))
    except OSError as error:
        _refuse(f"cannot read {error.filename}: {error.strerror}")
    typer.echo(format_vector_report(report))
    if report.disagreements:
        raise typer.Exit(NO_MATCH)


def _refuse(message: str) -> NoReturn:
    typer.echo(f"sightline: {message}", err=True)
    raise typer.Exit(UNUSABLE)


def _text(given: str) -> str:
    """What is meant by an argument: itself, a file, or standard input."""
    if given == "-":
        return sys.stdin.read()
    if not given.startswith("@"):
        return given
    try:
        return Path(given[1:]).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise InvalidInput(f"cannot read {given[1:]}: {reason}") from error


def _check_rows(file: Path) -> None:
    """A file of another kind would otherwise look like an engine that is wrong everywhere."""
    try:
        rows = json.loads(file.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{file} is not JSON: {error}") from error
    if not isinstance(rows, list) or not rows:
        raise InvalidInput(f"{file} holds no list of rows")
    if not any(isinstance(row, dict) and kind in row for row in rows for kind in _ROW_KINDS):
        raise InvalidInput(f'{file} holds no rows of policies: none has "expected" (a match) or "valid" (a policy)')
