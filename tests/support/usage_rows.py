"""What is counted for an owner, as tests read it."""

from uuid import UUID

from sightline.bootstrap import Platform
from sightline.timing import utc_now
from sightline.usage import Month, days_of_owner, totals_of


async def used_by(platform: Platform, owner: UUID) -> dict[str, int]:
    """This month, without what is 0 and without the time of jobs."""
    async with platform.database.transaction() as tx:
        totals = totals_of(await days_of_owner(tx, owner, Month.of(utc_now())))
    return {name: amount for name, amount in totals.items() if amount and not name.startswith("job_ms")}
