"""Suites of tests, one per interface, run on every backend."""

import pytest

# Not test modules by their names, so their asserts would fail without showing what they saw.
pytest.register_assert_rewrite("conformance.bus", "conformance.bus_queues", "conformance.bus_limits")
pytest.register_assert_rewrite(
    "conformance.bus_dead_letters", "conformance.bus_topics", "conformance.bus_documents", "conformance.aws_backend"
)
pytest.register_assert_rewrite("conformance.message_store")
pytest.register_assert_rewrite(
    "conformance.objects", "conformance.objects_multipart", "conformance.objects_signed_urls"
)
