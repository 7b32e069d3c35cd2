"""Outgoing HTTP calls: a client with limits of size and time, a circuit breaker, and statuses as branches of the error tree."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sightline.http.addresses import is_private_network, is_public
from sightline.http.breaker import CircuitBreaker, CircuitOpen
from sightline.http.client import HttpClient, HttpResponse, ResponseTooLarge
from sightline.http.model_folders import ModelFolders
from sightline.http.packaged_folder import PackagedFiles, PackagedFolder, PackagedFolders
from sightline.http.registry_package import BadPackage, PackageSource, RegistryPackage, installing, members_of
from sightline.http.status import check_status, retry_after

if TYPE_CHECKING:
    from sightline.http.resumed_download import DownloadProgress, download_file

__all__ = [
    "BadPackage",
    "CircuitBreaker",
    "CircuitOpen",
    "DownloadProgress",
    "HttpClient",
    "HttpResponse",
    "ModelFolders",
    "PackageSource",
    "PackagedFiles",
    "PackagedFolder",
    "PackagedFolders",
    "RegistryPackage",
    "ResponseTooLarge",
    "check_status",
    "download_file",
    "installing",
    "is_private_network",
    "is_public",
    "members_of",
    "retry_after",
]


def __getattr__(name: str) -> Any:
    """Loads what downloads on first use: most processes need no general HTTP client."""
    if name in ("DownloadProgress", "download_file"):
        return getattr(import_module(f"{__name__}.resumed_download"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
