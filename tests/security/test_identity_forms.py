"""One person in every spelling of their subject, and two people where two issuers use the same one."""

import asyncio
import time
import unicodedata
import uuid
from typing import Any

import jwt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from sightline.api.auth.callers import build_callers
from sightline.api.auth.identity import build_authenticator
from sightline.api.auth.owner_ids import Identity, canonical, derived_ids, issued_id
from sightline.config import AuthSettings
from sightline.contracts import Caller
from sightline.db import Database
from sightline.errors import NotAuthenticated

SECRET = "a secret that is long enough for HS256, as it must be"
ANN = "6d0c8a4e-8f0b-4b5e-9d43-0d3f2a1b7c11"
HOME, OTHER = "https://home.example", "https://other.example"


class Signing:
    """Callers of tokens that any issuer may have signed, as nothing is configured about issuers."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def caller(self, sub: object, iss: str | None = None, **claims: Any) -> Caller:
        whole = {"sub": sub, "exp": int(time.time()) + 3600} | ({"iss": iss} if iss else {}) | claims
        # Made anew, as after a restart: what was decided is in the database.
        settings = AuthSettings(jwt_secret=SecretStr(SECRET))
        tokens = build_authenticator(settings, build_callers(settings, self._database))
        return await tokens.caller("Bearer " + jwt.encode(whole, SECRET, "HS256"))


@pytest.fixture
def signing(database: Database) -> Signing:
    return Signing(database)


@pytest.mark.req(350)
@pytest.mark.parametrize(
    "spelling", [ANN, ANN.upper(), ANN.replace("-", ""), f"urn:uuid:{ANN}", "{" + ANN + "}"], ids=range(5)
)
async def test_every_way_to_write_a_uuid_is_the_same_owner(signing, spelling: str):
    assert (await signing.caller(spelling, HOME)).user_id == uuid.UUID(ANN)
    assert (await signing.caller(ANN, HOME)).user_id == uuid.UUID(ANN)


@pytest.mark.req(350)
@pytest.mark.parametrize(
    "disguise",
    [
        ANN.replace("6", "\N{FULLWIDTH DIGIT SIX}"),
        ANN.replace("0", "\N{ARABIC-INDIC DIGIT ZERO}"),
        ANN.replace("-", "")[:8] + "_" + ANN.replace("-", "")[9:],
        ANN.replace("-", "", 1) + "-",
        f" {ANN}",
        f"{ANN}\n",
    ],
)
async def test_a_subject_that_only_looks_like_a_uuid_is_not_that_owner(signing, disguise: str):
    assert (await signing.caller(disguise, HOME)).user_id != uuid.UUID(ANN)


@pytest.mark.req(350)
async def test_a_name_is_the_same_owner_composed_or_not(signing):
    composed, apart = (unicodedata.normalize(form, "joão") for form in ("NFC", "NFD"))
    assert composed != apart
    first = await signing.caller(composed, HOME)
    assert (await signing.caller(apart, HOME)).user_id == first.user_id
    assert (await signing.caller(composed, HOME)).user_id == first.user_id


@pytest.mark.req(351)
async def test_an_owner_whose_issuer_writes_names_apart_keeps_what_they_stored(signing):
    apart = unicodedata.normalize("NFD", "joão")
    before = issued_id(HOME, apart)  # the id under which it was stored until now
    assert (await signing.caller(apart, HOME)).user_id == before
    assert (await signing.caller(unicodedata.normalize("NFC", apart), HOME)).user_id == before


@pytest.mark.req(351)
async def test_the_same_subject_of_two_issuers_is_two_owners_for_good(signing):
    first, second = await signing.caller(ANN, HOME), await signing.caller(ANN.upper(), OTHER)
    assert first.user_id == uuid.UUID(ANN)
    assert second.user_id not in (first.user_id, uuid.UUID(ANN))
    assert (await signing.caller(ANN, OTHER)).user_id == second.user_id
    assert (await signing.caller(ANN, HOME)).user_id == first.user_id


@pytest.mark.req(351)
async def test_a_team_of_one_issuer_is_not_the_team_of_another(signing):
    team = str(uuid.UUID(int=77))
    ours = await signing.caller("ann", HOME, team_ids=[team, "red"])
    theirs = await signing.caller("ann", OTHER, team_ids=[team.upper(), "red"])
    assert ours.team_ids[0] == uuid.UUID(int=77)
    assert not set(ours.team_ids) & set(theirs.team_ids)


@pytest.mark.req(351)
async def test_a_token_without_an_issuer_means_the_owner_as_before(signing):
    await signing.caller(ANN, HOME)
    assert (await signing.caller(ANN)).user_id == uuid.UUID(ANN)


@pytest.mark.req(351)
async def test_two_processes_that_meet_two_issuers_at_once_agree(signing):
    callers = await asyncio.gather(*(signing.caller(ANN, iss) for iss in (HOME, OTHER) * 10))
    assert len({caller.user_id for caller in callers[::2]}) == len({caller.user_id for caller in callers[1::2]}) == 1
    assert callers[0].user_id != callers[1].user_id
    assert uuid.UUID(ANN) in (callers[0].user_id, callers[1].user_id)


async def test_a_second_issuer_sees_no_video_of_the_first(client_with, signed_in, auth_on, video_of):
    client = await client_with(auth=auth_on)
    assert (await client.get("/videos", headers=signed_in(ANN, iss=HOME))).json()["videos"] == []
    video = await video_of(uuid.UUID(ANN))
    mine = await client.get("/videos", headers=signed_in(ANN.upper(), iss=HOME))
    assert [found["videoId"] for found in mine.json()["videos"]] == [str(video)]
    assert (await client.get("/videos", headers=signed_in(ANN, iss=OTHER))).json()["videos"] == []
    assert (await client.get(f"/videos/{video}", headers=signed_in(ANN, iss=OTHER))).status_code == 404


@pytest.mark.parametrize(("sub", "iss"), [("a\x00b", HOME), ("ann", "https://a\x00b")])
async def test_names_that_cannot_be_stored_are_refused(signing, sub: str, iss: str):
    with pytest.raises(NotAuthenticated):
        await signing.caller(sub, iss)


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_the_canonical_form_of_a_canonical_form_is_itself(subject: str):
    assert canonical(canonical(subject)) == canonical(subject)


@given(st.uuids(), st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40))
def test_only_a_uuid_is_its_own_id(own: uuid.UUID, subject: str):
    assert derived_ids(Identity(HOME, str(own))).person == own
    try:
        uuid.UUID(canonical(subject))
    except ValueError:
        assert derived_ids(Identity(HOME, subject)).person == issued_id(HOME, canonical(subject))
