"""Named SQL: reads the `.sql` file beside a store, so that no query hides in a string.

aiosql reads the files (names, descriptions, `:parameters`); running them is done here with types and without
its per-call look-ups, because some of these statements run tens of thousands of times a second.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import aiosql

from sightline.errors import ConfigurationError

if TYPE_CHECKING:
    import asyncpg

    from sightline.db.pool import Transaction

_NAME_LINE = re.compile(r"^--\s*name:\s*(\w+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Statement:
    """One named query; parameters are given by name."""

    name: str
    sql: str
    description: str
    parameters: tuple[str, ...]

    async def rows(self, tx: "Transaction", **values: Any) -> "list[asyncpg.Record]":
        arguments = self._ordered(values)
        return await tx.fetch(self.sql, *arguments)

    async def row(self, tx: "Transaction", **values: Any) -> "asyncpg.Record | None":
        arguments = self._ordered(values)
        return await tx.fetchrow(self.sql, *arguments)

    async def value(self, tx: "Transaction", **values: Any) -> Any:
        arguments = self._ordered(values)
        return await tx.fetchval(self.sql, *arguments)

    async def run(self, tx: "Transaction", **values: Any) -> int:
        """Runs it and says how many rows it touched."""
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
    text = path.read_text(encoding="utf-8")
    # The operator after a name chooses one of aiosql's own runners; `!` only silences its guess, since ours run here.
    parsed = aiosql.from_str(_NAME_LINE.sub(r"-- name: \1!", text), "asyncpg", mandatory_parameters=False)
    order = parsed.driver_adapter.var_sorted
    statements = {}
    for name in _NAME_LINE.findall(text):
        query = getattr(parsed, name)
        if not query.__doc__:
            raise ConfigurationError(f"the query {name} in {path} has no description")
        statements[name] = Statement(name, query.sql, query.__doc__, tuple(order[name]))
    return statements
