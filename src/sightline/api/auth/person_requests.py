"""Requests to export a person's data into a file, or to erase the person: people their own, operators anyone's."""

from typing import Annotated, Self
from uuid import UUID

from fastapi import APIRouter, Path, Request
from pydantic import BaseModel, ConfigDict, Field

from sightline.api.auth.people import EXAMPLE_ID
from sightline.api.dependencies import CurrentCaller, CurrentPlatform, Operator
from sightline.bootstrap import Platform
from sightline.contracts import Caller
from sightline.db import Transaction
from sightline.errors import InvalidInput, NotAllowed, NotFound
from sightline.personal_data import PersonRequest, is_known, need_request, person_of, requests_of
from sightline.timing import iso_utc

router = APIRouter(tags=["people"])

UserId = Annotated[UUID, Path(description="Their id.", examples=[EXAMPLE_ID])]
RequestId = Annotated[UUID, Path(description="The request's id.", examples=[EXAMPLE_ID])]
_TIME = "2026-01-17T10:00:00.000Z"


class PersonRequestAnswer(BaseModel):
    request_id: UUID = Field(examples=[EXAMPLE_ID])
    kind: str = Field(examples=["export"], description="export or erasure.")
    state: str = Field(examples=["done"], description="waiting, running, done, failed, cancelled or expired.")
    with_files: bool = Field(examples=[False])
    requested_at: str = Field(examples=[_TIME])
    due_at: str = Field(examples=[_TIME], description="When it begins; an erasure can be cancelled until then.")
    finished_at: str | None = Field(examples=[_TIME])
    expires_at: str | None = Field(examples=[_TIME], description="When the file of an export is removed.")
    size_bytes: int | None = Field(examples=[123_456])
    error: str | None = Field(examples=[None])

    @classmethod
    def of(cls, request: PersonRequest) -> Self:
        return cls(
            request_id=request.request_id,
            kind=request.kind,
            state=request.state,
            with_files=request.with_files,
            requested_at=iso_utc(request.requested_at),
            due_at=iso_utc(request.due_at),
            finished_at=None if request.finished_at is None else iso_utc(request.finished_at),
            expires_at=None if request.expires_at is None else iso_utc(request.expires_at),
            size_bytes=request.size_bytes,
            error=request.error,
        )


class PersonDataAnswer(BaseModel):
    confirm_with: str = Field(
        examples=["ana@example.com"], description="What has to be typed to request the erasure: the address, or the id."
    )
    grace_days: float = Field(examples=[14], description="Days in which an erasure can be cancelled.")
    requests: list[PersonRequestAnswer] = Field(description="Exports and erasures, the newest first.")


class NewExport(BaseModel):
    model_config = ConfigDict(extra="forbid")

    with_files: bool = Field(False, examples=[False], description="Also videos, clips, recordings and pictures.")


class NewErasure(BaseModel):
    model_config = ConfigDict(extra="forbid")

    confirm: str = Field(min_length=1, max_length=320, examples=["ana@example.com"], description="`confirm_with`.")


class FileAddressAnswer(BaseModel):
    url: str = Field(examples=["https://sightline.example/objects/…"])
    expires_at: str = Field(examples=[_TIME], description="When this address ends; ask for another one then.")


@router.get("/api/me/data")
async def own_data(platform: CurrentPlatform, caller: CurrentCaller) -> PersonDataAnswer:
    """The caller's exports and erasure."""
    async with platform.database.as_caller(caller.claims()) as tx:
        return await _data(platform, tx, caller.user_id, _name_of(caller))


@router.post("/api/me/exports", status_code=202)
async def export_own(platform: CurrentPlatform, caller: CurrentCaller, new: NewExport) -> PersonRequestAnswer:
    """Make a file with everything that is stored about the caller. It is ready when its state is done."""
    found = await platform.person_requests.request_export(caller.user_id, by=caller.user_id, with_files=new.with_files)
    return PersonRequestAnswer.of(found)


@router.get("/api/me/exports/{request_id}/address")
async def own_address(platform: CurrentPlatform, caller: CurrentCaller, request_id: RequestId) -> FileAddressAnswer:
    """A signed address of the file, for some minutes."""
    async with platform.database.as_caller(caller.claims()) as tx:
        found = await need_request(tx, caller.user_id, request_id)
    return await _address(platform, found)


@router.post("/api/me/erasure", status_code=202)
async def erase_own(platform: CurrentPlatform, caller: CurrentCaller, new: NewErasure) -> PersonRequestAnswer:
    """Erase the caller's account with everything that is stored about them, once the time to cancel is over."""
    _check_confirmed(new, _name_of(caller))
    return PersonRequestAnswer.of(await platform.person_requests.request_erasure(caller.user_id, by=caller.user_id))


@router.delete("/api/me/erasure")
async def keep_own(platform: CurrentPlatform, caller: CurrentCaller) -> PersonRequestAnswer:
    """Cancel the erasure of the caller's account, as long as it has not begun."""
    return PersonRequestAnswer.of(await platform.person_requests.cancel_erasure(caller.user_id))


@router.get("/api/people/{user_id}/data")
async def data_of_person(platform: CurrentPlatform, _: Operator, user_id: UserId) -> PersonDataAnswer:
    """Exports and erasure of a person. For operators."""
    async with platform.database.transaction() as tx:
        return await _data(platform, tx, user_id, await _known_name(tx, user_id))


@router.post("/api/people/{user_id}/exports", status_code=202)
async def export_person_into_file(
    platform: CurrentPlatform, operator: Operator, user_id: UserId, new: NewExport
) -> PersonRequestAnswer:
    """Make a file with everything that is stored about a person. For operators."""
    async with platform.database.transaction() as tx:
        await _known_name(tx, user_id)
    found = await platform.person_requests.request_export(user_id, by=operator.user_id, with_files=new.with_files)
    return PersonRequestAnswer.of(found)


@router.get("/api/people/{user_id}/exports/{request_id}/address")
async def address_of_person(
    request: Request, platform: CurrentPlatform, _: Operator, user_id: UserId, request_id: RequestId
) -> FileAddressAnswer:
    """A signed address of the file of a person's export, for some minutes. For operators."""
    if request.state.signed_in.key_id is not None:
        raise NotAllowed("An API key cannot export a person's data; sign in with a token")
    async with platform.database.transaction() as tx:
        found = await need_request(tx, user_id, request_id)
    return await _address(platform, found)


@router.post("/api/people/{user_id}/erasure", status_code=202)
async def erase_person(
    platform: CurrentPlatform, operator: Operator, user_id: UserId, new: NewErasure
) -> PersonRequestAnswer:
    """Erase a person, once the time to cancel is over. For operators."""
    async with platform.database.transaction() as tx:
        _check_confirmed(new, await _known_name(tx, user_id))
    return PersonRequestAnswer.of(await platform.person_requests.request_erasure(user_id, by=operator.user_id))


@router.delete("/api/people/{user_id}/erasure")
async def keep_person(platform: CurrentPlatform, _: Operator, user_id: UserId) -> PersonRequestAnswer:
    """Cancel the erasure of a person, as long as it has not begun. For operators."""
    return PersonRequestAnswer.of(await platform.person_requests.cancel_erasure(user_id))


async def _data(platform: Platform, tx: Transaction, user_id: UUID, name: str) -> PersonDataAnswer:
    return PersonDataAnswer(
        confirm_with=name,
        grace_days=platform.settings.people.erasure_grace_days,
        requests=[PersonRequestAnswer.of(one) for one in await requests_of(tx, user_id)],
    )


async def _address(platform: Platform, found: PersonRequest) -> FileAddressAnswer:
    url, ends_at = await platform.person_requests.address_of(found)
    return FileAddressAnswer(url=url, expires_at=iso_utc(ends_at))


def _name_of(caller: Caller) -> str:
    return caller.email or str(caller.user_id)


async def _known_name(tx: Transaction, user_id: UUID) -> str:
    """How the person is called, for the confirmation by an operator: the first address, or the id."""
    if not await is_known(tx, user_id):
        raise NotFound(f"no person with the id {user_id} has signed in or owns a video or a camera")
    names = (await person_of(tx, user_id)).names
    return next((name for name in names if "@" in name), str(user_id))


def _check_confirmed(new: NewErasure, name: str) -> None:
    if new.confirm.strip().casefold() != name.casefold():
        raise InvalidInput(f"confirm: type {name} to erase everything that is stored about this person")
