"""tus 1.0 over HTTP."""

from sightline.api.tus.routes import PATH, router

TUS_REQUEST_HEADERS = (
    "tus-resumable",
    "upload-checksum",
    "upload-concat",
    "upload-defer-length",
    "upload-length",
    "upload-metadata",
    "upload-offset",
    "x-http-method-override",
    "x-request-id",
    "x-requested-with",
)
TUS_RESPONSE_HEADERS = (
    "location",
    "tus-checksum-algorithm",
    "tus-extension",
    "tus-max-size",
    "tus-resumable",
    "tus-version",
    "upload-concat",
    "upload-defer-length",
    "upload-expires",
    "upload-length",
    "upload-metadata",
    "upload-offset",
)

__all__ = ["PATH", "TUS_REQUEST_HEADERS", "TUS_RESPONSE_HEADERS", "router"]
