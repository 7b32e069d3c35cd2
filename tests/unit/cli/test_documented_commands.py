"""Every `sightline` command that a document shows exists, with every option that the document gives it."""

import re
import shlex
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import typer

from sightline.cli import COMMANDS

ROOT = Path(__file__).resolve().parents[3]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
# In a code block the command begins a line or stands in $(…); in a sentence it stands in backticks.
_SHOWN = re.compile(r"(?:^\$?\(?|`|\$\(|&& )(?:\./)?sightline ([^`\n)#]+)", re.M)


def _shown_commands() -> list[tuple[str, str]]:
    found = []
    for path in DOCUMENTS:
        if path.name in ("CHANGELOG.md", "requirements.md", "checklist.md"):
            continue
        for match in _SHOWN.finditer(path.read_text(encoding="utf-8")):
            found.append((path.name, match[1].strip().rstrip("\\").strip()))
    return found


def _command(words: list[str]) -> tuple[Any, list[str]]:
    """The command that the first words name, and the words that are left for it."""
    file, _ = COMMANDS[words[0]]
    if not file:
        return None, words[1:]
    part = typer.Typer()
    import_module(f"sightline.cli.{file}").register(part)
    command: Any = typer.main.get_group(part).commands[words[0]]
    rest = words[1:]
    while rest and rest[0] in getattr(command, "commands", {}):
        command, rest = command.commands[rest[0]], rest[1:]
    return command, rest


def test_documents_show_commands() -> None:
    assert len(_shown_commands()) > 40


@pytest.mark.parametrize(("document", "line"), _shown_commands())
def test_a_documented_command_exists_with_its_options(document: str, line: str) -> None:
    words = shlex.split(line.replace("…", "x").replace("|", " | "), comments=True)
    words = words[: next((i for i, word in enumerate(words) if word in ("|", ">", "&&", ";")), len(words))]
    assert words[0] in COMMANDS, f"{document}: there is no command {words[0]!r}"
    command, rest = _command(words)
    if getattr(command, "commands", None) and rest and not rest[0].startswith("-"):
        assert getattr(command, "invoke_without_command", False), f"{document}: {line}: no such command {rest[0]!r}"
    known = {"--help"} | {
        option for one in getattr(command, "params", []) for option in (*one.opts, *one.secondary_opts)
    }
    rest = rest[: rest.index("--")] if "--" in rest else rest  # what follows is for another program
    unknown = [word for word in rest if word.startswith("--") and word.split("=")[0].rstrip(",") not in known]
    assert unknown == [], f"{document}: {line}"
