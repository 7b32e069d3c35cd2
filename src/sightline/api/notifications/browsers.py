"""Browsers that are notified by Web Push: the public key, the caller's browsers, subscribing and removing one."""

from typing import Annotated
from uuid import UUID, uuid4

from fastapi import APIRouter, Path
from pydantic import BaseModel, ConfigDict, Field

from sightline.api.dependencies import CurrentCaller, CurrentPlatform, parse_id
from sightline.errors import NotFound
from sightline.notifications import MAX_DEVICES, Device, check_endpoint, decode_key
from sightline.timing import iso_utc, utc_now

router = APIRouter(prefix="/api/push-browsers", tags=["messages"])

EXAMPLE_ID = "0197b2a4-6c3e-7a11-8f00-3d1c5a9be210"
EXAMPLE_TIME = "2026-01-17T10:00:00.000Z"


class BrowserKeys(BaseModel):
    model_config = ConfigDict(extra="ignore")

    p256dh: str = Field(
        max_length=200,
        examples=["BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM"],
        description="The browser's public key.",
    )
    auth: str = Field(max_length=100, examples=["tBHItJI5svbpez7KI4CCXg"], description="The browser's secret.")


class NewBrowser(BaseModel):
    """What `PushSubscription.toJSON()` returns, with a name."""

    model_config = ConfigDict(extra="ignore")

    endpoint: str = Field(max_length=2048, examples=["https://updates.push.services.example/wpush/v2/abc"])
    keys: BrowserKeys
    name: str = Field(min_length=1, max_length=100, pattern=r"^[^\x00-\x1f\x7f]+$", examples=["Firefox on Linux"])


class BrowserAnswer(BaseModel):
    browser_id: UUID = Field(examples=[EXAMPLE_ID])
    name: str = Field(examples=["Firefox on Linux"])
    endpoint: str = Field(
        examples=["https://updates.push.services.example/wpush/v2/abc"],
        description="By which a browser recognizes its own subscription.",
    )
    created_at: str = Field(examples=[EXAMPLE_TIME])
    last_sent_at: str | None = Field(examples=[None])

    @classmethod
    def of(cls, device: Device) -> "BrowserAnswer":
        return cls(
            browser_id=device.device_id,
            name=device.name,
            endpoint=device.endpoint,
            created_at=iso_utc(device.created_at),
            last_sent_at=None if device.last_sent_at is None else iso_utc(device.last_sent_at),
        )


class BrowsersAnswer(BaseModel):
    public_key: str = Field(examples=["BNcRdreALRFX"], description="`applicationServerKey` of a subscription.")
    max_browsers: int = Field(examples=[MAX_DEVICES])
    browsers: list[BrowserAnswer]


@router.get("")
async def list_browsers(platform: CurrentPlatform, caller: CurrentCaller) -> BrowsersAnswer:
    """The caller's browsers that are notified, and the key to subscribe with."""
    async with platform.database.transaction() as tx:
        found = await platform.devices.of_owner(tx, caller.user_id)
    return BrowsersAnswer(
        public_key=platform.vapid.public,
        max_browsers=MAX_DEVICES,
        browsers=[BrowserAnswer.of(device) for device in found],
    )


@router.post("", status_code=201)
async def add_browser(platform: CurrentPlatform, caller: CurrentCaller, body: NewBrowser) -> BrowserAnswer:
    """Notify a browser. Its push service must be at a public address, as a webhook must."""
    device = Device(
        device_id=uuid4(),
        owner_id=caller.user_id,
        endpoint=check_endpoint(body.endpoint, allow_private=platform.settings.push.webhook_allow_private),
        public_key=decode_key(body.keys.p256dh, name="p256dh"),
        auth_secret=decode_key(body.keys.auth, name="auth"),
        name=body.name,
        created_at=utc_now(),
    )
    async with platform.database.transaction() as tx:
        return BrowserAnswer.of(await platform.devices.add(tx, device))


@router.delete("/{browser_id}", status_code=204)
async def remove_browser(
    platform: CurrentPlatform,
    caller: CurrentCaller,
    browser_id: Annotated[str, Path(description="The browser's id.", examples=[EXAMPLE_ID])],
) -> None:
    """Notify a browser no longer."""
    device_id = parse_id(browser_id, lambda text: NotFound(f"no browser {text} of yours is notified"))
    async with platform.database.transaction() as tx:
        await platform.devices.remove(tx, device_id, owner_id=caller.user_id)
