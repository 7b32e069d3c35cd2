"""Cameras in the local network: which there are (ONVIF), and the addresses of their streams."""

import asyncio

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field, SecretStr

from sightline.api.camera_sources.bodies import Username, reach_of
from sightline.api.dependencies import CurrentCaller, CurrentPlatform
from sightline.bootstrap import Platform
from sightline.cameras import MAX_ADDRESS_LENGTH, MAX_CREDENTIAL_LENGTH, Reach
from sightline.cameras.onvif import DeviceStream, FoundDevice, discover_devices, streams_of_device
from sightline.contracts import Caller
from sightline.errors import NotAllowed

router = APIRouter(prefix="/api/cameras/discover", tags=["cameras"])

_EXAMPLE_XADDR = "http://192.168.1.20/onvif/device_service"
_probing = asyncio.Lock()


class DeviceAnswer(BaseModel):
    name: str = Field(examples=["IPC-HDW2231"])
    hardware: str = Field(examples=["IPC-HDW2231"], description="Empty where the camera does not say.")
    address: str = Field(examples=["192.168.1.20"])
    xaddr: str = Field(examples=[_EXAMPLE_XADDR], description="Where the camera takes ONVIF requests.")

    @classmethod
    def of(cls, device: FoundDevice) -> "DeviceAnswer":
        return cls(name=device.name, hardware=device.hardware, address=device.address, xaddr=device.xaddr)


class DevicesAnswer(BaseModel):
    devices: list[DeviceAnswer]


class DeviceStreamsRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")

    xaddr: str = Field(max_length=MAX_ADDRESS_LENGTH, examples=[_EXAMPLE_XADDR])
    username: Username | None = Field(None, examples=["viewer"])
    password: SecretStr | None = Field(None, max_length=MAX_CREDENTIAL_LENGTH, examples=["secret"])
    verifies_certificate: bool = Field(True, examples=[True], description="False accepts a self-signed certificate.")


class DeviceStreamAnswer(BaseModel):
    name: str = Field(examples=["mainStream"])
    address: str = Field(examples=["rtsp://192.168.1.20:554/stream1"], description="Without credentials.")
    width: int | None = Field(examples=[1920])
    height: int | None = Field(examples=[1080])
    codec: str | None = Field(examples=["h264"])
    fps: float | None = Field(examples=[25.0])

    @classmethod
    def of(cls, stream: DeviceStream) -> "DeviceStreamAnswer":
        return cls(
            name=stream.name,
            address=stream.address,
            width=stream.width,
            height=stream.height,
            codec=stream.codec,
            fps=stream.fps,
        )


class DeviceStreamsAnswer(BaseModel):
    streams: list[DeviceStreamAnswer]


@router.get("")
async def discover_cameras(platform: CurrentPlatform, caller: CurrentCaller) -> DevicesAnswer:
    """Cameras in the local network of the platform that answer an ONVIF probe. Takes three seconds."""
    _check_reach(platform, caller)
    settings = platform.settings.cameras
    async with _probing:  # one question at a time: every camera of the network answers each
        found = await discover_devices(wait_s=settings.discovery_wait_s, target=settings.discovery_target())
    return DevicesAnswer(devices=[DeviceAnswer.of(device) for device in found])


@router.post("")
async def device_streams(
    platform: CurrentPlatform, caller: CurrentCaller, body: DeviceStreamsRequest
) -> DeviceStreamsAnswer:
    """The streams of a discovered camera, largest first. 422 says why there are none, and what to do."""
    found = await streams_of_device(
        body.xaddr,
        body.username or None,
        None if body.password is None else body.password.get_secret_value(),
        reach=_check_reach(platform, caller),
        timeout_s=platform.settings.cameras.connect_timeout_s,
        verifies_certificate=body.verifies_certificate,
        ca_file=platform.settings.cameras.ca_file,
    )
    return DeviceStreamsAnswer(streams=[DeviceStreamAnswer.of(stream) for stream in found])


def _check_reach(platform: Platform, caller: Caller) -> Reach:
    """Which devices a local network has is for those who may use cameras of it."""
    reach = reach_of(platform, caller)
    if reach == "public":
        raise NotAllowed("Only operators can look for cameras in the local network of this installation.")
    return reach
