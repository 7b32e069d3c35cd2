"""Outgoing HTTP calls: a client with limits of size and time, a circuit breaker, and statuses as branches of the error tree."""

from sightline.http.addresses import is_public
from sightline.http.breaker import CircuitBreaker, CircuitOpen
from sightline.http.client import HttpClient, HttpResponse, ResponseTooLarge
from sightline.http.status import check_status, retry_after

__all__ = [
    "CircuitBreaker",
    "CircuitOpen",
    "HttpClient",
    "HttpResponse",
    "ResponseTooLarge",
    "check_status",
    "is_public",
    "retry_after",
]
