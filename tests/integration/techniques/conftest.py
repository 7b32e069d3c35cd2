"""Technique analysis on a database of the test's own."""

import pytest

from support.technique_rig import techniques_on


@pytest.fixture
async def rig(fresh_database, database):
    async with techniques_on(fresh_database.url, database) as found:
        yield found
