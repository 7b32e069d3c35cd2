"""The server's edge: what a client costs before the application has seen its request."""

from sightline.api.edge.connections import Connections, address_key
from sightline.api.edge.direct import DirectCalls, DirectRequest, DirectResponse
from sightline.api.edge.http import http_protocol
from sightline.api.edge.refusals import RETRY_AFTER_S, TOO_MANY_FROM_ADDRESS
from sightline.api.edge.unwanted_body import ClosesUnsentBody
from sightline.api.edge.websocket import websocket_protocol

__all__ = [
    "RETRY_AFTER_S",
    "TOO_MANY_FROM_ADDRESS",
    "ClosesUnsentBody",
    "Connections",
    "DirectCalls",
    "DirectRequest",
    "DirectResponse",
    "address_key",
    "http_protocol",
    "websocket_protocol",
]
