"""When traces are wanted, and what happens when they are not."""

import pytest

from sightline.errors import ConfigurationError
from sightline.observability import configure_tracing, shut_down_tracing, span, trace_carrier
from sightline.observability.tracing import current_trace_ids, is_tracing_requested

ENDPOINT = "http://127.0.0.1:4318"


@pytest.mark.parametrize(
    ("environment", "is_wanted"),
    [
        ({}, False),
        ({"OTEL_SERVICE_NAME": "x"}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": ""}, False),
        ({"OTEL_TRACES_EXPORTER": ""}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": ENDPOINT}, True),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": f"{ENDPOINT}/v1/traces"}, True),
        ({"OTEL_EXPORTER_OTLP_METRICS_ENDPOINT": f"{ENDPOINT}/v1/metrics"}, False),
        ({"OTEL_TRACES_EXPORTER": "otlp"}, True),
        ({"OTEL_TRACES_EXPORTER": "console"}, True),
        ({"OTEL_TRACES_EXPORTER": "none"}, False),
        ({"OTEL_TRACES_EXPORTER": "none", "OTEL_EXPORTER_OTLP_ENDPOINT": ENDPOINT}, False),
        ({"OTEL_SDK_DISABLED": "true", "OTEL_EXPORTER_OTLP_ENDPOINT": ENDPOINT}, False),
        ({"OTEL_SDK_DISABLED": "TRUE", "OTEL_TRACES_EXPORTER": "otlp"}, False),
        ({"OTEL_SDK_DISABLED": "false", "OTEL_TRACES_EXPORTER": "otlp"}, True),
    ],
)
def test_the_standard_variables_decide(environment: dict[str, str], is_wanted: bool):
    assert is_tracing_requested(environment) is is_wanted


def test_unasked_nothing_is_started():
    assert configure_tracing({}) is False


def test_an_unknown_exporter_is_a_configuration_error():
    with pytest.raises(ConfigurationError, match="'zipkin'; use otlp, console or none"):
        configure_tracing({"OTEL_TRACES_EXPORTER": "zipkin"})
    shut_down_tracing()


def test_without_traces_a_span_is_nothing():
    with span("work", size=1) as current:
        assert current is None


def test_without_traces_nothing_is_sent_along():
    assert (trace_carrier(), current_trace_ids()) == ({}, {})


def test_an_error_passes_through_a_span():
    with pytest.raises(KeyError), span("work"):
        raise KeyError("x")


def test_shutting_down_what_never_ran_is_harmless():
    shut_down_tracing()
    shut_down_tracing()
