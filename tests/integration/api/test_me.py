"""Who the API takes the caller for."""

from uuid import UUID

import pytest

from sightline.contracts import LOCAL_OWNER_ID
from support.asking import is_error

ANN = UUID(int=11)


async def test_without_authentication_everybody_is_the_owner(client):
    assert (await client.get("/api/me")).json() == {
        "user_id": str(LOCAL_OWNER_ID),
        "email": "owner@localhost",
        "roles": ["operator", "user"],
        "is_operator": True,
        "needs_sign_in": False,
    }


@pytest.mark.parametrize(("claims", "is_operator"), [({}, False), ({"sightline_role": "operator"}, True)])
async def test_a_token_tells_who_is_asking(client_with, auth_on, signed_in, claims, is_operator):
    client = await client_with(auth=auth_on)
    answer = (await client.get("/api/me", headers=signed_in(ANN, email="ann@example.com", **claims))).json()
    assert (answer["user_id"], answer["email"]) == (str(ANN), "ann@example.com")
    assert (answer["is_operator"], "operator" in answer["roles"]) == (is_operator, is_operator)
    assert answer["needs_sign_in"] is True


async def test_nobody_is_asked_to_sign_in(client_with, auth_on):
    is_error(await (await client_with(auth=auth_on)).get("/api/me"), 401, "UNAUTHORIZED")
