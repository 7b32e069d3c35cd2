"""Named SQL: reads the `.sql` file beside a store, so that no query hides in a string.

A query is a `-- name: <name>` line, comment lines that describe it, and one statement whose parameters are written `:name`.
"""

import re
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sightline.errors import ConfigurationError

if TYPE_CHECKING:
    import asyncpg

    from sightline.db.pool import Transaction

ROWS_AT_ONCE = 500

_NAME_LINE = re.compile(r"^--\s*name:\s*(\w+)\s*$", re.MULTILINE)
_COMMENT_LINE = re.compile(r"\s*--\s?(.*)")
# Comments, literals, quoted names and casts are matched first, so that a colon in one of them starts no parameter.
_TOKEN = re.compile(
    r"""--[^\n]* | /\*.*?\*/ | '(?:''|[^'])*' | "(?:""|[^"])*" | (?P<tag>\$\w*\$).*?(?P=tag) | :: | :(?P<parameter>[a-zA-Z_]\w*)""",
    re.DOTALL | re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Statement:
    """One named query; parameters are given by name."""

    name: str
    sql: str
    parameters: tuple[str, ...]
    description: str

    async def rows(self, tx: "Transaction", **values: Any) -> "list[asyncpg.Record]":
        arguments = self._ordered(values)
        return await tx.fetch(self.sql, *arguments)

    async def row(self, tx: "Transaction", **values: Any) -> "asyncpg.Record | None":
        arguments = self._ordered(values)
        return await tx.fetchrow(self.sql, *arguments)

    async def value(self, tx: "Transaction", **values: Any) -> Any:
        arguments = self._ordered(values)
        return await tx.fetchval(self.sql, *arguments)

    async def each(self, tx: "Transaction", **values: Any) -> "AsyncIterator[asyncpg.Record]":
        """Row by row, by a cursor: for results that are too large for memory."""
        async for row in tx.cursor(self.sql, *self._ordered(values), prefetch=ROWS_AT_ONCE):
            yield row

    async def run(self, tx: "Transaction", **values: Any) -> int:
        """Returns the number of rows that were changed."""
        tag: str = await tx.execute(self.sql, *self._ordered(values))
        count = tag.rpartition(" ")[2]
        return int(count) if count.isdigit() else 0

    async def run_many(self, tx: "Transaction", many: Iterable[Mapping[str, Any]]) -> None:
        await tx.executemany(self.sql, [self._ordered(values) for values in many])

    def _ordered(self, values: Mapping[str, Any]) -> list[Any]:
        if len(values) != len(self.parameters):
            raise TypeError(f"{self.name} takes {', '.join(self.parameters)}; got {', '.join(values) or 'nothing'}")
        return [values[name] for name in self.parameters]


class Queries(Mapping[str, Statement]):
    """The statements of one `.sql` file, by name."""

    def __init__(self, path: Path) -> None:
        self._statements = _read(path)
        self._path = path

    def __getitem__(self, name: str) -> Statement:
        try:
            return self._statements[name]
        except KeyError:
            raise KeyError(f"no query named {name} in {self._path}") from None

    def __iter__(self) -> Any:
        return iter(self._statements)

    def __len__(self) -> int:
        return len(self._statements)


@cache
def load_queries(path: Path) -> Queries:
    return Queries(path)


def _read(path: Path) -> dict[str, Statement]:
    _, *parts = _NAME_LINE.split(path.read_text(encoding="utf-8"))
    names, bodies = parts[::2], parts[1::2]
    statements: dict[str, Statement] = {}
    for name, body in zip(names, bodies, strict=True):
        description, sql = _split_description(body)
        if name in statements:
            raise ConfigurationError(f"two queries in {path} are named {name}")
        if not description:
            raise ConfigurationError(f"the query {name} in {path} has no description")
        statements[name] = Statement(name, *_number_parameters(sql), description=description)
    return statements


def _split_description(body: str) -> tuple[str, str]:
    """The comment lines at the top, and the statement below them."""
    lines = body.strip().splitlines()
    comments = [_COMMENT_LINE.sub(r"\1", line) for line in takewhile(_COMMENT_LINE.fullmatch, lines)]
    return "\n".join(comments).strip(), "\n".join(lines[len(comments) :]).strip()


def _number_parameters(sql: str) -> tuple[str, tuple[str, ...]]:
    """`:name` becomes `$1`, `$2` … in the order of first use, as PostgreSQL wants them."""
    numbers: dict[str, int] = {}

    def replace(match: re.Match[str]) -> str:
        name = match["parameter"]
        return match[0] if name is None else f"${numbers.setdefault(name, len(numbers) + 1)}"

    return _TOKEN.sub(replace, sql), tuple(numbers)
