"""Client library: Sightline from Python, with or without asyncio. It knows the protocols and nothing of the server's code."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sightline.client.failures import ProcessingFailed, StillProcessing
from sightline.client.live_rules import FeedGap, FeedMessage, FeedPosition
from sightline.client.models import (
    Clip,
    EventInfo,
    Frame,
    Highlight,
    JobInfo,
    PixelBox,
    SearchPage,
    SearchResult,
    Segment,
    StatusChange,
    UploadStatus,
    VideoInfo,
    Word,
)
from sightline.errors import (
    BackendUnavailable,
    Conflict,
    Gone,
    InvalidInput,
    NotAllowed,
    NotAuthenticated,
    NotFound,
    PermanentFailure,
    PlatformError,
    QuotaExceeded,
    Throttled,
    TooLarge,
    TransientFailure,
)

if TYPE_CHECKING:
    from sightline.client.api_client import ApiClient
    from sightline.client.async_client import AsyncSightline
    from sightline.client.live import LiveClient
    from sightline.client.sync_client import Sightline
    from sightline.client.upload_client import UploadClient

__all__ = [
    "ApiClient",
    "AsyncSightline",
    "BackendUnavailable",
    "Clip",
    "Conflict",
    "EventInfo",
    "FeedGap",
    "FeedMessage",
    "FeedPosition",
    "Frame",
    "Gone",
    "Highlight",
    "InvalidInput",
    "JobInfo",
    "LiveClient",
    "NotAllowed",
    "NotAuthenticated",
    "NotFound",
    "PermanentFailure",
    "PixelBox",
    "PlatformError",
    "ProcessingFailed",
    "QuotaExceeded",
    "SearchPage",
    "SearchResult",
    "Segment",
    "Sightline",
    "StatusChange",
    "StillProcessing",
    "Throttled",
    "TooLarge",
    "TransientFailure",
    "UploadClient",
    "UploadStatus",
    "VideoInfo",
    "Word",
]

# What imports a network library is loaded on first use.
_LOADED_LATER = {
    "ApiClient": "api_client",
    "AsyncSightline": "async_client",
    "LiveClient": "live",
    "Sightline": "sync_client",
    "UploadClient": "upload_client",
}


def __getattr__(name: str) -> Any:
    if name in _LOADED_LATER:
        return getattr(import_module(f"{__name__}.{_LOADED_LATER[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
