"""Olga's team, and people who are in it, were in it, or never were."""

from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

import httpx
import pytest

from support.team_rig import OLGA, OPA, ROLES, Ask, join


@pytest.fixture
async def platform(platform_with, auth_on):
    return await platform_with(auth=auth_on)


@pytest.fixture
def ask(client, signed_in) -> Ask:
    """A request of a person; None: of nobody."""

    async def send(
        person: UUID | None, method: str, path: str, body: Any = None, *, headers: Any = None
    ) -> httpx.Response:
        own = {} if person is None else signed_in(person, email=f"{person.int}@example.com")
        return await client.request(method, path, json=body, headers=own | (headers or {}))

    return send


@pytest.fixture
def make_operator(signed_in, client) -> Callable[[], Awaitable[dict[str, str]]]:
    async def header() -> dict[str, str]:
        found = signed_in(OPA, sightline_role="operator")
        await client.get("/api/me", headers=found)
        return found

    return header


@pytest.fixture
async def team(ask) -> str:
    """Olga's team: Edda and Rena edit, Vera looks, and Rena is out again."""
    team_id: str = (await ask(OLGA, "POST", "/api/teams", {"name": "Night shift"})).json()["team_id"]
    for person, role in ROLES.items():
        await join(ask, team_id, person, role)
    return team_id
