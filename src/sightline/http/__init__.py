"""Outgoing HTTP calls: one client with limits of size and time, and one translation of statuses into the error tree."""

from sightline.http.client import HttpClient, HttpResponse, ResponseTooLarge
from sightline.http.status import check_status, retry_after

__all__ = ["HttpClient", "HttpResponse", "ResponseTooLarge", "check_status", "retry_after"]
