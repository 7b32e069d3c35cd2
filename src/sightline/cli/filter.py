"""Filter policies and event patterns: testing them before they are used."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from sightline.bus import check_attributes
from sightline.bus.policy import (
    Attribute,
    Explanation,
    NumberText,
    Scope,
    compile_event_pattern,
    compile_filter_policy,
    explain,
    explain_event,
    format_vector_report,
    run_vectors,
)
from sightline.errors import InvalidInput

NO_MATCH, UNUSABLE = 1, 2

_GIVEN = "JSON, @file, or - for standard input."
# How SNS's envelope and SNS's API spell an attribute.
_SPELLINGS = (("Type", "Value"), ("DataType", "StringValue"))
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
        found = _explain(_text(policy), _text(message), scope, is_event=is_event)
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


def _explain(policy: str, message: str, scope: Scope, *, is_event: bool) -> Explanation:
    if is_event:
        return explain_event(compile_event_pattern(policy), _object(message, "the event"))
    compiled = compile_filter_policy(policy, scope=scope, on_subscribe=True)
    if scope == "MessageBody":
        return explain(compiled, {}, body_of(message))
    attributes = attributes_of(_object(message, "the message"))
    check_attributes(attributes)
    return explain(compiled, attributes, "")


def attributes_of(message: Mapping[str, Any]) -> dict[str, Attribute]:
    """Of a whole message, or of an object that is nothing but attributes."""
    given = message.get("attributes")
    is_whole = isinstance(given, dict) and message.keys() <= {"attributes", "body"}
    found: Mapping[str, Any] = given if is_whole and given is not None else message
    return {name: _attribute(name, value) for name, value in found.items()}


def _attribute(name: str, value: object) -> Attribute:
    match value:
        case NumberText():
            return Attribute("Number", str(value))
        case str():
            return Attribute("String", value)
        case list():
            return Attribute("String.Array", _as_json(value))
        case dict():
            for data_type, content in _SPELLINGS:
                if data_type in value and content in value:
                    return _spelled(str(value[data_type]), value[content])
    raise InvalidInput(
        f"the message attribute {name!r} is neither a text, a number nor a list, and has no Type and Value"
    )


def _spelled(data_type: str, value: object) -> Attribute:
    """The value of a String.Array may be given as the list it stands for."""
    if data_type.startswith("Binary"):
        return Attribute(data_type, str(value).encode())
    return Attribute(data_type, value if isinstance(value, str) else _as_json(value))


def body_of(message: str) -> str:
    """The message is its body, unless it is an object of just attributes and body."""
    try:
        whole = json.loads(message)
    except (ValueError, RecursionError):
        return message
    if not (isinstance(whole, dict) and whole.keys() == {"attributes", "body"}):
        return message
    body = whole["body"]
    return body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)


def _as_json(value: object) -> str:
    """JSON again, numbers with every digit they were given."""
    match value:
        case NumberText():
            return str(value)
        case list():
            return f"[{', '.join(map(_as_json, value))}]"
        case dict():
            return "{" + ", ".join(f"{_as_json(name)}: {_as_json(one)}" for name, one in value.items()) + "}"
        case _:
            return json.dumps(value, ensure_ascii=False)


def _object(text: str, what: str) -> dict[str, Any]:
    try:
        found = json.loads(text, parse_int=NumberText, parse_float=NumberText, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{what} is not JSON: {error}") from error
    if not isinstance(found, dict):
        raise InvalidInput(f"{what} is not a JSON object")
    return found


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


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
