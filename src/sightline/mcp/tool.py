"""A tool of an assistant: its name, its arguments, and what it returns."""

import base64
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict

Content = list[dict[str, Any]]

MAX_TEXT_CHARACTERS = 24_000
"""Of one result; more would fill the memory of an assistant."""


class Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid", str_max_length=4000, allow_inf_nan=False)


A = TypeVar("A", bound=Arguments)


@dataclass(frozen=True, slots=True)
class Tool(Generic[A]):
    name: str
    title: str
    description: str
    arguments: type[A]
    run: Callable[[A], Awaitable[Content]]
    changes: bool = False

    async def call(self, arguments: dict[str, Any]) -> Content:
        return await self.run(self.arguments.model_validate(arguments))

    def described(self) -> dict[str, Any]:
        schema = self.arguments.model_json_schema()
        return {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": {"type": "object", "properties": {}, **schema},
            "annotations": {
                "title": self.title,
                "readOnlyHint": not self.changes,
                "destructiveHint": False,
                "idempotentHint": True,
                "openWorldHint": False,
            },
        }


def text(content: str) -> dict[str, Any]:
    return {"type": "text", "text": content}


def image(content: bytes) -> dict[str, Any]:
    return {"type": "image", "data": base64.b64encode(content).decode("ascii"), "mimeType": "image/jpeg"}


def lines(found: list[str], *, empty: str, more: str | None = None) -> Content:
    """One text of whole lines, within the limit; `more` says how to get the rest."""
    if not found:
        return [text(empty)]
    shown: list[str] = []
    left = MAX_TEXT_CHARACTERS
    for line in found:
        left -= len(line) + 1
        if left < 0:
            shown.append(f"(cut off: {len(found) - len(shown)} more; ask for a narrower range or fewer results)")
            break
        shown.append(line)
    else:
        shown += [more] if more else []
    return [text("\n".join(shown))]
