"""How bad it is altogether."""

from sightline.doctor import Diagnosis, worst


def test_the_worst_finding_counts():
    fine, note, bad = (
        Diagnosis("ok", "a", "b"),
        Diagnosis("warning", "a", "b", "c"),
        Diagnosis("problem", "a", "b", "c"),
    )
    assert worst([]) == worst([fine]) == "ok"
    assert worst([fine, note, fine]) == "warning"
    assert worst([note, bad, fine]) == "problem"
