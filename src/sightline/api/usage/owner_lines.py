"""Usage of all owners as lines of a CSV file, for the API and the command line."""

import csv
import io
from collections.abc import AsyncIterator
from typing import Any

from sightline.api.usage.answers import OwnerAnswer, QuotasAnswer
from sightline.bootstrap import Platform
from sightline.db import Transaction
from sightline.spreadsheet_cells import safe_cell
from sightline.usage import Month, OwnerFigures, OwnerSort, OwnQuotas, cursor_of, list_owners, quotas_set_for_owners

_AT_ONCE = 200


async def owner_answers(platform: Platform, tx: Transaction, found: list[OwnerFigures]) -> list[OwnerAnswer]:
    set_for = await quotas_set_for_owners(tx, [owner.owner_id for owner in found])
    defaults = platform.settings.uploads.quotas
    return [OwnerAnswer.of(owner, set_for.get(owner.owner_id, OwnQuotas()).over(defaults)) for owner in found]


async def all_owners(platform: Platform, month: Month, sort: OwnerSort) -> AsyncIterator[OwnerAnswer]:
    """In pages, so that a slow reader holds no transaction."""
    cursor: str | None = None
    while True:
        async with platform.database.transaction() as tx:
            found = await list_owners(tx, month, sort=sort, limit=_AT_ONCE, cursor=cursor)
            answers = await owner_answers(platform, tx, found)
        for one in answers:
            yield one
        if len(found) < _AT_ONCE:
            return
        cursor = str(cursor_of(found[-1]))


async def owner_lines(platform: Platform, month: Month, sort: OwnerSort) -> AsyncIterator[str]:
    columns = [name for name in OwnerAnswer.model_fields if name != "quotas"]
    quotas = list(QuotasAnswer.model_fields)
    yield _line([*columns, *(f"quota_{name}" for name in quotas)])
    async for one in all_owners(platform, month, sort):
        yield _line([*(getattr(one, name) for name in columns), *(getattr(one.quotas, name) for name in quotas)])


def _line(cells: list[Any]) -> str:
    out = io.StringIO()
    csv.writer(out).writerow(["" if cell is None else safe_cell(cell) for cell in cells])
    return out.getvalue()
