"""The registry of a process."""

import pytest
from prometheus_client import Counter
from prometheus_client.parser import text_string_to_metric_families

from sightline import __version__
from sightline.observability import create_registry, render


@pytest.mark.req(308)
def test_a_registry_tells_of_the_process_and_the_version():
    families = {family.name: family for family in text_string_to_metric_families(render(create_registry()).decode())}
    assert {"process_cpu_seconds", "process_resident_memory_bytes", "python_info", "sightline_info"} <= set(families)
    assert families["sightline_info"].samples[0].labels == {"version": __version__}


def test_two_platforms_in_one_process_do_not_mix_their_numbers():
    first, second = create_registry(), create_registry()
    Counter("things_total", "Things.", registry=first).inc()
    Counter("things_total", "Things.", registry=second)
    assert (b"things_total 1.0" in render(first), b"things_total 0.0" in render(second)) == (True, True)


def test_a_hostile_label_cannot_forge_a_metric():
    registry = create_registry()
    Counter("things_total", "Things.", ["name"], registry=registry).labels('a"} 1\nforged_total 9\n').inc()
    names = {family.name for family in text_string_to_metric_families(render(registry).decode())}
    assert "forged" not in names
